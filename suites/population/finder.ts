import { isRecord } from '../../spec/calls/index.ts';
import { isQuotation } from '../../harness/stream/own-messages.ts';
import { integerOf, type PageItem } from '../../harness/stream/page.ts';
import { anyMarker } from '../../history/markers.ts';
import { asText } from '../../spec/oracles/values/json-texts.ts';
import type { Cursors } from './cursors.ts';
import type { People } from './people.ts';
import type { Sent } from './sent.ts';

/** UTF-16 units of a text among which its marker is. */
const searched = 2_000;

/**
 * Told by the marker; a text of one byte by its channel, its author and itself, where it lies above the cursor that its channel gave out
 * before: earlier runs have sent the same. Whoever has a sender's text is taken for that sender where no answer told who that is.
 */
export function finderOf(
  sent: readonly Sent[],
  people: People,
  from: Cursors,
): (item: PageItem) => Sent | undefined {
  const byMarker = new Map(sent.map((each) => [each.marker, each]));
  const byPlace = new Map(
    sent
      .filter(({ text }) => text.length === 1)
      .map((each) => [keyOf(each.channelId, people.get(each.case.sender)?.agentId, each.text), each]),
  );
  return ({ content, message }) => {
    if (content === undefined) return undefined;
    const author = isRecord(message['author']) ? message['author']['id'] : undefined;
    if (content.length === 1) {
      const short =
        byPlace.get(keyOf(message['channel_id'], author, content)) ??
        byPlace.get(keyOf(message['channel_id'], undefined, content));
      const begin = short && from({ of: short.case.channel, reader: 'author' });
      const isEarlier = begin !== undefined && (integerOf(message['sequence']) ?? begin + 1n) <= begin;
      return isEarlier ? undefined : short;
    }
    const marker = anyMarker.exec(content.slice(0, searched))?.[0];
    return marker === undefined || isQuotation(message) ? undefined : byMarker.get(marker);
  };
}

function keyOf(channel: unknown, author: unknown, text: string): string {
  return [channel, author, text].map(asText).join(' ').toLowerCase();
}
