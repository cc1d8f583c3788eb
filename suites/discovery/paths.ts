import { addressOf, isRecord, pathOf } from '../../spec/calls/index.ts';
import { isAccepted, statusOf, type Exchange } from '../../harness/client/exchange.ts';
import { check, type Check } from '../../harness/check/check.ts';
import { describeAnswer, given } from '../../harness/verdict/outcome.ts';
import { requireLetIn } from '../arrange/auth/closed-call.ts';
import { isArranged } from '../arrange/or-else.ts';
import { wrongLast } from '../arrange/wrong-last.ts';

/** Statuses that say that a call is not there. */
const notFound: readonly (number | undefined)[] = [404, 405, 501];

export const pathChecks: readonly Check[] = [
  // service.paths-start-at-the-base: Every call is found under the one base address, a path prefix in it
  //   included.
  check(
    'discovery.calls-are-found-under-the-base-address',
    {
      title: 'mentions, channels and sends are found under the base address, and not just any path is',
      clauses: ['service.paths-start-at-the-base'],
      needs: ['author', 'channel'],
      needsMemory: true,
    },
    async ({ author, channel, draft, marker, expect, identities, observe }) => {
      const nowhere = await author.request({ path: `/v0/${marker()}` });
      given(!isAccepted(nowhere), 'any path is answered', nowhere);
      observe('service.other-operations', 'a path that the contract does not know', shapeOf(nowhere));
      const wrongMethod = await author.request({ method: 'OPTIONS', path: pathOf('mentions') });
      observe('service.other-operations', 'OPTIONS of the mentions', shapeOf(wrongMethod));
      const mentions = await author.mentions({ after: 0, limit: 1 });
      const read = await author.readChannel(channel.id, { after: 0, limit: 1 });
      const sent = await author.send(channel.id, draft().text);
      const calls = [mentions, read, sent];
      const isMissing = (call: Exchange): boolean => notFound.includes(statusOf(call));
      // Where a message was sent and read, both calls are found: a server that takes none for a while says so, and nothing of its paths.
      const isLater = [read, sent].some(isMissing) && (await isArranged(identities.memory(author)));
      given(!isLater, 'a call that had been found is not there any more', isMissing(sent) ? sent : read);
      const evidence = wrongLast(calls, isMissing);
      expect.judgement('service.paths-start-at-the-base', judgeFound(calls), ...evidence);
      calls.forEach((call) => requireLetIn(call, 'author'));
    },
  ),
];

function judgeFound(exchanges: readonly Exchange[]) {
  const problems = exchanges
    .filter((exchange) => notFound.includes(statusOf(exchange)))
    .map((exchange) => ({
      expected: `${addressOf(exchange.request)} under the base address`,
      actual: describeAnswer(exchange),
    }));
  return { judged: exchanges.length, problems };
}

function shapeOf(exchange: Exchange): string {
  const { response } = exchange;
  const isExplained = isRecord(response?.json) && isRecord(response.json['error']);
  return `${describeAnswer(exchange)} ${isExplained ? 'with' : 'without'} an ApiError`;
}
