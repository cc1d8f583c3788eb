import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { given } from '../../harness/verdict/outcome.ts';
import { judgeDistinctInWalk } from '../../oracles/pages/order.ts';
import { judgeNumbersKept, judgeRising, requireSound } from '../arrange/channel-read/judging.ts';
import { channelNeeds, channelSeries, pagesFrom, sendEach } from '../arrange/channel-read/series.ts';
import { pagesOf } from '../arrange/channel-read/readers.ts';

/** In which order a channel is read, and what its numbers stand for. */
export const orderChecks: readonly Check[] = [
  // channel-read.ascending: Messages are read by ascending `sequence`.
  check(
    'channel-read.messages-rise-by-sequence',
    {
      title: 'a channel is read by ascending sequence, whatever the page size and with or without a cursor',
      clauses: ['channel-read.ascending'],
      needs: channelNeeds,
    },
    async (context) => {
      const { channel, expect } = context;
      const { from } = await channelSeries(context);
      const walks = await Promise.all([
        pagesFrom(context, from),
        pagesFrom(context, from, { limit: 4, maxPages: 8 }),
        // Where numbers get another digit, order by number and order by text part: the first page may well hold such a place.
        channel.readPage(0n, 100).then((page) => [page]),
        channel.readPage(undefined, 100).then((page) => [page]),
      ]);
      judgeRising(expect, walks);
    },
  ),
  // channel-read.no-duplicate-sequence: No two messages of a channel have the same `sequence`.
  check(
    'channel-read.sequences-are-distinct',
    {
      title: 'no two messages of a channel have the same sequence',
      clauses: ['channel-read.no-duplicate-sequence'],
      needs: channelNeeds,
    },
    async (context) => {
      const { expect } = context;
      const { from } = await channelSeries(context);
      const pages = await pagesFrom(context, from);
      requireSound(pages, 'channel-read.no-duplicate-sequence');
      const evidence = pages.slice(0, 2).map(({ exchange }) => exchange);
      expect.judgement('channel-read.no-duplicate-sequence', judgeDistinctInWalk(pages), ...evidence);
    },
  ),
  // channel-read.sequence-names-one-message: In one channel a `sequence` keeps standing for the same message.
  check(
    'channel-read.sequence-keeps-its-message',
    {
      title: 'a sequence stands for the same message at any time, for any reader and on any page',
      clauses: ['channel-read.sequence-names-one-message'],
      needs: channelNeeds,
    },
    async (context) => {
      const { author, expect, optional } = context;
      const { from } = await channelSeries(context);
      const first = await pagesFrom(context, from);
      await sendEach(context, 1);
      const again = await Promise.all([
        pagesFrom(context, from),
        pagesFrom(context, from, { limit: 2, maxPages: 12 }),
        pagesOf(context, optional('reader') ?? author, from),
      ]);
      const pages = [...first, ...again.flat()];
      requireSound(pages, 'channel-read.sequence-names-one-message');
      const isDistinct = [first, ...again].every((walk) => judgeDistinctInWalk(walk).problems.length === 0);
      given(isDistinct, 'messages share a sequence, which is judged elsewhere', first[0]?.exchange);
      const evidence = [first, ...again].flatMap((walk) => walk[0]?.exchange ?? []);
      expect.judgement('channel-read.sequence-names-one-message', judgeNumbersKept(pages), ...evidence);
    },
  ),
];
