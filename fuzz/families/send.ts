import { bodyTextOf, contentSpace, sendBodySpace } from '../../generators/index.ts';
import type { SendBodyInput, SendWorld } from '../../generators/index.ts';
import { sendOf } from '../good-requests.ts';
import { slot } from '../slot.ts';
import type { Slot } from '../slot.ts';
import { markedString, markedText, markings } from './marked-text.ts';

/** Contents of every kind, and whole bodies around them. */
export function sendSlots(world: SendWorld): readonly Slot[] {
  return [
    slot('send', 'content', contentSpace, markings, (text, marking) =>
      sendOf(JSON.stringify({ content: markedString(text, marking) })),
    ),
    slot('send', 'body', sendBodySpace, ['none', 'start'] as const, (body, marking) =>
      sendOf(bodyTextOf(withMark(body, marking), world)),
    ),
  ];
}

function withMark(body: SendBodyInput, marking: 'none' | 'start'): SendBodyInput {
  return body.content === undefined ? body : { ...body, content: markedText(body.content, marking) };
}
