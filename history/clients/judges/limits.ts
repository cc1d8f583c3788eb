import { push } from '../../../spec/groups.ts';
import type { ClientJudge } from '../client-judge.ts';
import { requestName } from '../traffic.ts';

/** Made so often within the time, a request is not that of another process under the same credential. */
const timesEnough = 3;
/** Clocks and timers of clients may be that coarse, in ms. */
const slackMs = 50;

/** What met a limit is asked again no sooner than the answer says. In live traffic any number of processes may ask for one page: there only a key tells. */
export const limits: ClientJudge = ({ callers, isWhole }, findings) => {
  for (const { requests } of callers) {
    const alike = new Map<string, (typeof requests)[number][]>();
    for (const request of requests)
      if (isWhole || (request.kind === 'send' && request.key !== undefined))
        push(alike, requestName(request), request);
    for (const [name, tries] of alike)
      for (const [index, limited] of tries.entries()) {
        const seconds = limited.status === 429 ? (limited.retryAfter ?? 0) : 0;
        const later = tries.slice(index + 1, index + 1 + timesEnough);
        if (seconds === 0 || later.length === 0) continue;
        const overMs = limited.endedMs + seconds * 1_000 - slackMs;
        const early = later.filter(({ startedMs }) => startedMs >= limited.endedMs && startedMs < overMs);
        findings.hold('client.limits.retry-after', early.length < timesEnough, () => ({
          name: 'limit-ignored',
          expected: `a pause of ${seconds} s, as its answer asks`,
          actual: `the same request ${timesEnough} times within that`,
          witness: [early.at(-1), limited, ...early],
          root: name,
        }));
      }
  }
};
