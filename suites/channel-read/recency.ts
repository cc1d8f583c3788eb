import type { PageRead } from '../../harness/stream/page.ts';
import { readPage } from '../../harness/stream/page.ts';
import { isAccepted } from '../../harness/client/exchange.ts';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { describeAnswer, given, unmet } from '../../harness/verdict/outcome.ts';
import { findIn } from '../../harness/stream/stream-view.ts';
import { judgeReadAgain, judgeRecent } from '../../oracles/pages/again.ts';
import { eventually } from '../arrange/eventually.ts';
import { asOneRead, judgeCoverage, requireSound } from '../arrange/channel-read/judging.ts';
import {
  channelNeeds,
  fromBefore,
  hasAll,
  pagesFrom,
  sendEach,
  sendOne,
} from '../arrange/channel-read/series.ts';
import type { InChannel } from '../arrange/channel-read/series.ts';

/** Is in every content that a run of this suite sends, whichever run. */
const markOfAnyRun = /cf-[0-9a-f]{16}-\d+\./;

/** What a channel still, and already, shows when it is read again. */
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
      const draft = await sendOne(context, context.author);
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
      requireSound(again);
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
  // channel-read.reads-own-writes: An agent whose send was acknowledged finds the message in its next
  //   complete read.
  check(
    'channel-read.own-messages-are-read-at-once',
    {
      title: 'an agent whose send was acknowledged finds the message in its next complete read',
      clauses: ['channel-read.reads-own-writes'],
      needs: channelNeeds,
    },
    async (context) => {
      const { author, channel, draft: newDraft, expect } = context;
      const from = await fromBefore(context);
      const draft = newDraft();
      const sent = await author.send(channel.id, draft.text);
      given(isAccepted(sent), `a send got ${describeAnswer(sent)}`, sent);
      const next = await pagesFrom(context, from);
      const later = await eventually(
        context,
        () => pagesFrom(context, from),
        (pages) => hasAll(pages, [draft]),
      );
      requireSound([...next, ...later]);
      const item =
        findIn(
          later.flatMap(({ items }) => items),
          draft,
        ) ?? unmet('the message did not become visible', sent);
      // The acknowledgement counts as the first sight of the message.
      const acknowledged = {
        ...readPage(sent, { after: from, limit: 1 }),
        items: [item],
        nextAfter: undefined,
        hasMore: undefined,
      };
      judgeCoverage(
        expect,
        'channel-read.reads-own-writes',
        judgeRecent([acknowledged, ...next, ...later], asOneRead(next)),
      );
    },
  ),
  // channel-read.reads-are-monotonic: An agent does not find less in a later complete read than in an earlier
  //   one.
  check(
    'channel-read.reads-are-monotonic',
    {
      title: 'an agent does not find less in a later complete read than in an earlier one',
      clauses: ['channel-read.reads-are-monotonic'],
      needs: channelNeeds,
    },
    async (context) => {
      const { author, expect, optional } = context;
      const from = await fromBefore(context);
      const [drafts, walks] = await Promise.all([
        sendEach(context, 2, optional('reader') ?? author),
        readEightTimes(context, from),
      ]);
      const later = await eventually(
        context,
        () => pagesFrom(context, from),
        (pages) => hasAll(pages, drafts),
      );
      const reads = [...walks.flat(), ...later];
      requireSound(reads);
      judgeCoverage(expect, 'channel-read.reads-are-monotonic', judgeRecent(reads, walks.flatMap(asOneRead)));
    },
  ),
  // channel-read.nothing-unsent: No message turns up that nobody sent.
  check(
    'channel-read.shows-only-sent-messages',
    {
      title: 'a channel shows no message of an agent that the agent did not send',
      clauses: ['channel-read.nothing-unsent'],
      needs: channelNeeds,
      isExclusive: true,
    },
    async (context) => {
      const { channel, expect, hasSent } = context;
      // What lies below was there before this run, sent by whomever.
      const since = (await channel.since()) ?? 0n;
      const drafts = await sendEach(context, 2);
      const [own] = await channel.arrivals(drafts);
      const pages = await pagesFrom(context, await fromBefore(context));
      const mine = pages
        .flatMap(({ items }) => items)
        .filter(({ sequence }) => sequence !== undefined && sequence > since)
        .filter(({ message }) => authorId(message) === authorId(own?.message));
      const isSent = (content: string): boolean => markOfAnyRun.test(content) || hasSent(content);
      const unsent = mine.filter(({ content }) => content !== undefined && !isSent(content));
      const problem = {
        expected: 'only what the agent sent',
        actual: `message ${String(unsent[0]?.id)}, which it did not send`,
      };
      const judgement = { judged: mine.length, problems: unsent.length > 0 ? [problem] : [] };
      expect.judgement(
        'channel-read.nothing-unsent',
        judgement,
        ...pages.slice(-1).map(({ exchange }) => exchange),
      );
    },
  ),
];

/** One read after the other, each to the end. */
async function readEightTimes(context: InChannel, from: bigint): Promise<readonly (readonly PageRead[])[]> {
  const walks: (readonly PageRead[])[] = [];
  for (let times = 0; times < 8; times += 1) {
    walks.push(await pagesFrom(context, from));
  }
  return walks;
}

function authorId(message: Readonly<Record<string, unknown>> | undefined): unknown {
  const author = message?.['author'];
  return typeof author === 'object' && author !== null && 'id' in author ? author.id : undefined;
}
