import type { PageRead } from '../../harness/stream/page.ts';
import { check, type Check } from '../../harness/check/check.ts';
import { unmet } from '../../harness/verdict/outcome.ts';
import { findIn } from '../../harness/stream/stream-view.ts';
import { anyMarker } from '../../history/markers.ts';
import { judgeReadAgain } from '../../spec/oracles/pages/items.ts';
import { eventually } from '../arrange/eventually.ts';
import { requireSound } from '../arrange/channel-read/judging.ts';
import {
  channelNeeds,
  fromBefore,
  hasAll,
  pagesFrom,
  sendEach,
  sendOne,
} from '../arrange/channel-read/series.ts';
import { wrongLast } from '../arrange/wrong-last.ts';

/** What a channel shows when it is read again. */
export const recencyChecks: readonly Check[] = [
  // channel-read.reads-repeat: Reading does not consume a message: the same read returns it again.
  check(
    'channel-read.reads-repeat',
    {
      title: 'reading does not consume a message: the same read returns it again',
      clauses: ['channel-read.reads-repeat'],
      needs: channelNeeds,
      isExclusive: true,
    },
    async (context) => {
      const { expect } = context;
      const from = await fromBefore(context);
      const draft = await sendOne(context);
      const seen: PageRead[] = [];
      const look = async () => seen[seen.push(...(await pagesFrom(context, from))) - 1];
      const first = await eventually(context, look, () => hasAll(seen, [draft]));
      const item =
        findIn(
          seen.flatMap(({ items }) => items),
          draft,
        ) ?? unmet('the message did not become visible', first?.exchange);
      // A replica may be behind for as long as the settle time.
      const again = await eventually(
        context,
        () => pagesFrom(context, from),
        (pages) => hasAll(pages, [draft]),
      );
      requireSound(context, again);
      const judgement = judgeReadAgain(
        [item],
        again.flatMap(({ items }) => items),
      );
      expect.judgement(
        'channel-read.reads-repeat',
        judgement,
        ...[...seen.slice(-1), ...again.slice(-1)].map(({ exchange }) => exchange),
      );
    },
  ),
  // channel-read.nothing-unsent: No message turns up that nobody sent.
  check(
    'channel-read.shows-only-sent-messages',
    {
      title: 'a channel shows no message of an agent that the agent did not send',
      clauses: ['channel-read.nothing-unsent'],
      needs: ['provision-hook'],
    },
    async (context) => {
      const { expect, hasSent, provision } = context;
      // In the target's own workspace another program may speak with the token of an agent.
      const fresh = await provision({ isShared: true });
      const { channel } = fresh;
      const there = { ...context, author: fresh.actor('author'), channel };
      // What lies below was there before, sent by whomever.
      const since = (await channel.since()) ?? 0n;
      const drafts = await sendEach(there, 2);
      const [own] = await channel.arrivals(drafts);
      const pages = await pagesFrom(there, await fromBefore(there));
      const mine = pages
        .flatMap(({ items }) => items)
        .filter(({ sequence }) => sequence !== undefined && sequence > since)
        .filter(({ message }) => authorId(message) === authorId(own?.message));
      const isSent = (content: string): boolean => anyMarker.test(content) || hasSent(content);
      const unsent = mine.filter(({ content }) => content !== undefined && !isSent(content));
      const problem = {
        expected: 'only what the agent sent',
        actual: `message ${String(unsent[0]?.id)}, which it did not send`,
      };
      const judgement = { judged: mine.length, problems: unsent.length > 0 ? [problem] : [] };
      const evidence = wrongLast(pages, ({ items }) => items.some((item) => unsent.includes(item)));
      expect.judgement('channel-read.nothing-unsent', judgement, ...evidence.map(({ exchange }) => exchange));
    },
  ),
];

function authorId(message: Readonly<Record<string, unknown>> | undefined): unknown {
  const author = message?.['author'];
  return typeof author === 'object' && author !== null && 'id' in author ? author.id : undefined;
}
