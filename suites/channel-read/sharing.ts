import { check } from '../../harness/engine/check.ts';
import type { Check } from '../../harness/engine/check.ts';
import { unarranged } from '../../harness/engine/outcome.ts';
import { statusOf } from '../../harness/client/exchange.ts';
import { eventually } from '../mentions/eventually.ts';
import { judgeShown } from './judging.ts';
import { pagesOf } from './readers.ts';
import { channelNeeds, channelSeries, fromBefore, hasAll, pagesFrom, sendOne } from './series.ts';

/** Statuses that say that a call is not there. */
const notFound: readonly (number | undefined)[] = [404, 405, 501];

/** What the service is for: messages that were sent are read, by others as well. */
export const sharingChecks: readonly Check[] = [
  check(
    'service.sent-messages-are-readable',
    {
      title: 'messages whose send was accepted can be read back from their channel',
      clauses: ['service.sent-is-readable'],
      needs: channelNeeds,
    },
    async (context) => {
      const { author, expect } = context;
      const from = await fromBefore(context);
      const read = () => pagesFrom(context, from);
      const before = await sendOne(context, author);
      await eventually(context, read, (seen) => hasAll(seen, [before]));
      const drafts = await Promise.all([sendOne(context, author), sendOne(context, author)]);
      const around = [before, await sendOne(context, author)];
      const last = await eventually(context, read, (seen) => hasAll(seen, [...drafts, ...around]));
      // A message that large pages pass over is there all the same.
      const closer = hasAll(last, drafts) ? [] : await pagesFrom(context, from, { limit: 1, maxPages: 60 });
      judgeShown(expect, { drafts, around, last, earlier: closer });
    },
  ),
  check(
    'service.channels-are-shared',
    {
      title: 'what one agent appends to a channel another agent of the workspace reads there',
      clauses: ['service.channels-are-shared'],
      needs: [...channelNeeds, 'reader'],
    },
    async (context) => {
      const { expect, reader } = context;
      const { from, drafts } = await channelSeries(context);
      const own = await pagesFrom(context, from);
      const shown = drafts.filter((draft) => hasAll(own, [draft]));
      if (shown.length === 0) unarranged('the author itself does not read its messages', own[0]?.exchange);
      const pages = await eventually(
        context,
        () => pagesOf(context, reader, from),
        (seen) => hasAll(seen, shown),
      );
      const hidden = shown.filter((draft) => !hasAll(pages, [draft]));
      // What the author itself no longer reads is gone, not hidden from others.
      const left = hidden.length === 0 ? own : await pagesFrom(context, from);
      const missing = hidden.filter((draft) => hasAll(left, [draft]));
      if (hidden.length === shown.length && missing.length === 0)
        unarranged('the messages were gone again before another agent read them', left[0]?.exchange);
      const problem = {
        expected: `${shown.length} messages of the author`,
        actual: `${shown.length - missing.length} of them`,
      };
      expect.holds(
        'service.channels-are-shared',
        missing.length === 0,
        problem,
        ...pages.slice(0, 1).map(({ exchange }) => exchange),
      );
    },
  ),
  check(
    'service.calls-live-under-the-base',
    {
      title: 'sending, reading a channel and listing mentions are found under the one base address',
      clauses: ['service.paths-start-at-the-base'],
      needs: channelNeeds,
    },
    async (context) => {
      const { author, channel, draft: newDraft, expect } = context;
      const draft = newDraft();
      const calls = await Promise.all([
        author.send(channel.id, draft.text),
        author.readChannel(channel.id, { after: 0, limit: 100 }),
        author.mentions(),
      ]);
      const lost = calls.find((exchange) => notFound.includes(statusOf(exchange)));
      const problem = {
        expected: 'the call under the base address',
        actual: `status ${String(lost && statusOf(lost))}`,
      };
      expect.holds('service.paths-start-at-the-base', lost === undefined, problem, lost ?? calls[0]);
      await channel.arrival(draft);
    },
  ),
];
