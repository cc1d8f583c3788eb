import { randomUUID } from 'node:crypto';
import { readChannel } from '../../spec/calls/index.ts';
import { readChannelIdSpace, segmentOf } from '../../generators/spaces/request/path-id-spaces.ts';
import { isAccepted, statusOf, type Exchange } from '../../harness/client/exchange.ts';
import type { PageRead } from '../../harness/stream/page.ts';
import { check, type Check } from '../../harness/check/check.ts';
import { describeAnswer, given } from '../../harness/verdict/outcome.ts';
import type { Judgement } from '../../spec/oracles/values/judgement.ts';
import { formsAgainst, tryForms } from '../arrange/forms.ts';
import { requireAnswered } from '../arrange/send/accepted-sends.ts';
import { judgePages } from '../arrange/channel-read/judging.ts';
import { pageOf, requireReadable } from '../arrange/channel-read/readers.ts';
import { channelNeeds, channelSeries, type InChannel } from '../arrange/channel-read/series.ts';

/** Limits about which nothing is said. */
const openLimits = [0, 101, 1000] as const;

/** Which reads of a channel are answered, and how. */
export const acceptanceChecks: readonly Check[] = [
  // channel-read.success-is-2xx: A read of a channel that succeeds is answered with a 2xx status.
  check(
    'channel-read.success-is-2xx',
    {
      title: 'a channel read that returns messages has a 2xx status',
      clauses: ['channel-read.success-is-2xx'],
      needs: channelNeeds,
    },
    async (context) => {
      const { author, expect, observe } = context;
      const { from } = await channelSeries(context);
      const refused = await readRefused(context);
      const problem = {
        expected: 'a 2xx for an agent whose messages the channel takes',
        actual: refused === undefined ? '' : describeAnswer(refused),
      };
      const evidence = refused === undefined ? [] : [refused];
      expect.holds('channel-read.success-is-2xx', refused === undefined, problem, ...evidence);

      const limits = [100, 3, undefined];
      const pages = await Promise.all(limits.map((limit) => pageOf(context, author, { after: from, limit })));
      const successful = pages.filter(({ items }) => items.length > 0);
      const is2xx = ({ exchange }: PageRead): Judgement =>
        judgeStatus(exchange, isAccepted(exchange), 'any 2xx');
      judgePages(expect, 'channel-read.success-is-2xx', successful, is2xx);
      const statuses = new Set(successful.map(({ exchange }) => describeAnswer(exchange)));
      observe('channel-read.success-is-200', 'reads that bring messages', [...statuses].join(', '));
    },
  ),
  // channel-read.limit-100-accepted: A channel read with `limit` 100 is accepted.
  check(
    'channel-read.limit-100-is-accepted',
    {
      title: 'a channel read with limit 100 is accepted and shows what is there',
      clauses: ['channel-read.limit-100-accepted'],
      needs: channelNeeds,
    },
    async (context) => {
      const { author, channel, expect, observe } = context;
      // Any other cursor may meet a conflict, once retention has passed it.
      const exchange = await author.readChannel(channel.id, { after: 0, limit: 100 });
      if (!isAccepted(exchange)) await requireOtherLimitAccepted(context);
      expect('channel-read.limit-100-accepted', exchange).toBeAccepted();
      await requireReadable(context);
      const open = await Promise.all(
        openLimits.map((limit) => pageOf(context, author, { after: 0n, limit })),
      );
      open.forEach((page) =>
        observe(
          'channel-read.limit-bounds',
          `a limit of ${String(page.limit)}`,
          describeAnswer(page.exchange),
        ),
      );
    },
  ),
  // channel-read.unknown-channel: A read of a channel that does not exist is refused.
  check(
    'channel-read.unknown-channel-is-refused',
    {
      title: 'a read of a channel that does not exist is refused, however near its id is to one that does',
      clauses: ['channel-read.unknown-channel'],
      needs: channelNeeds,
    },
    async (context) => {
      const { author, channel, expect, observe } = context;
      await requireReadable(context);
      const unknown = await author.readChannel(randomUUID(), { after: 0, limit: 100 });
      const clause = 'channel-read.unknown-channel';
      expect(clause, unknown).toBeRefused();
      await tryForms(
        context,
        formsAgainst(readChannelIdSpace, clause),
        (id) => author.request(readChannel(segmentOf(id, channel.id), 'after=0&limit=100')),
        [{ clause, answer: 'refused' }],
      );
      observe('channel-read.unknown-channel', 'a read of an unknown channel', describeAnswer(unknown));
      const malformed = await author.readChannel('no-uuid', { after: 0, limit: 100 });
      observe(
        'channel-read.unknown-channel',
        'a read of a channel whose id is not a UUID',
        describeAnswer(malformed),
      );
    },
  ),
];

/**
 * The answer to a read from 0 of a channel that took messages of the reader, when reads are refused whatever is asked for
 * with the cursor. Where one meets a conflict, a 401, a 403 or a limit, that is the matter of other clauses, and the check ends.
 */
async function readRefused({ author, channel }: InChannel): Promise<Exchange | undefined> {
  const asked = [{ limit: 100 }, { limit: 10 }, {}];
  const answers = await Promise.all(
    asked.map((each) => author.readChannel(channel.id, { after: 0, ...each })),
  );
  requireAnswered(...answers);
  const others = [401, 403, 409, 429];
  if (answers.some(isAccepted)) return undefined;
  const refused = answers.find((each) => others.includes(statusOf(each) ?? 0));
  given(refused === undefined, 'reads are refused for what is the matter of other clauses', refused);
  return answers[0];
}

/** Ends the check when it is not the limit of 100 that a read is refused for. */
async function requireOtherLimitAccepted({ author, channel }: InChannel): Promise<void> {
  const others = await Promise.all([
    author.readChannel(channel.id, { after: 0, limit: 20 }),
    author.readChannel(channel.id, { after: 0 }),
  ]);
  const [first] = others;
  given(others.some(isAccepted), 'reads are refused whatever their limit', first);
}

function judgeStatus(exchange: Exchange, isRight: boolean, expected: string): Judgement {
  return { judged: 1, problems: isRight ? [] : [{ expected, actual: describeAnswer(exchange) }] };
}
