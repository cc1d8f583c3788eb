import { check } from '../../harness/engine/check.ts';
import type { Check } from '../../harness/engine/check.ts';
import { contentOfSizeEndingWith } from '../../generators/content.ts';
import { judgeUnaltered } from '../../oracles/content.ts';
import { expectAccepted, requireAccepted } from '../sending/acceptance.ts';
import { textFamilies } from './text-families.ts';

const families = textFamilies.map(({ slug, what, head, inside, tail }) =>
  check(
    `message.content-with-${slug}-is-unaltered`,
    {
      title: `text with ${what} is accepted and read back unaltered`,
      clauses: ['send.other-text-accepted', 'message.content.unaltered'],
      needs: ['author', 'channel'],
    },
    async (context) => {
      const { author, channel, expect, marker } = context;
      const mark = marker();
      const text = `${head}${mark}${inside}${tail}`;
      const sent = await author.send(channel.id, text);
      await expectAccepted(context, 'send.other-text-accepted', sent);
      requireAccepted(sent);
      const { content } = await channel.arrival({ marker: mark, text });
      expect.judgement('message.content.unaltered', judgeUnaltered(text, content), sent);
    },
  ),
);

const spelling = check(
  'message.content-is-what-its-json-says',
  {
    title: 'content whose characters are spelled as JSON escapes reads back as the characters',
    clauses: ['message.content.unaltered'],
    needs: ['author', 'channel'],
  },
  async ({ author, channel, expect, marker }) => {
    const mark = marker();
    const text = `${mark} é€😀 "\\/ \u2028 \t end`;
    const spelled = Array.from({ length: text.length }, (_, index) => escapeOf(text.charCodeAt(index))).join(
      '',
    );
    const sent = await author.sendRaw(channel.id, `{"\\u0063ontent":"${spelled}"}`);
    requireAccepted(sent);
    const { content } = await channel.arrival({ marker: mark, text });
    expect.judgement('message.content.unaltered', judgeUnaltered(text, content), sent);
  },
);

const longest = check(
  'message.longest-content-is-unaltered',
  {
    title: 'content of 500,000 bytes is read back unaltered',
    clauses: ['message.content.unaltered'],
    needs: ['author', 'channel', 'large-contents'],
    bodyBytes: 500_000,
  },
  async ({ author, channel, expect, marker }) => {
    const draft = contentOfSizeEndingWith(marker(), 500_000, '😀');
    const sent = await author.send(channel.id, draft.text);
    requireAccepted(sent);
    const { content } = await channel.arrival(draft);
    expect.judgement('message.content.unaltered', judgeUnaltered(draft.text, content), sent);
  },
);

function escapeOf(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

/** The text of a message, character for character. */
export const messageContentChecks: readonly Check[] = [...families, spelling, longest];
