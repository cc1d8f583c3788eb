import type { Read, Report, Send } from '../../history/operation.ts';
import type { ClientJudge } from '../client-judge.ts';
import { requestName } from '../traffic.ts';

/**
 * So many requests in a row, most of them that soon after the one before, are a loop. The many processes that it would take to ask as
 * often with a pause each would also ask at the same time.
 */
const longestRow = { whole: 100, live: 600 };
/** In ms: the client of a busy machine takes longer to ask again though it does not pause, and in live traffic many may take turns. */
const leastPauseMs = { whole: 25, live: 8 };

/** Between two requests for the same, the first of which brought nothing, a client waits. */
export const pauses: ClientJudge = ({ callers, isWhole }, findings) => {
  const scope = isWhole ? 'whole' : 'live';
  const [leastMs, most] = [leastPauseMs[scope], longestRow[scope]];
  for (const { agent, requests } of callers) {
    let row: (Send | Read | Report)[] = [];
    for (const request of requests) {
      const before = row.at(-1);
      const isSame =
        before !== undefined &&
        requestName(before) === requestName(request) &&
        before.endedMs <= request.startedMs;
      row = isSame ? [...row.slice(1 - most), request] : [request];
      if (isSame) findings.count('client.read.pauses');
      if (!bringsNothing(request)) row = [];
      if (row.length < most || pauseIn(row) > leastMs) continue;
      findings.add({
        name: 'read-loop',
        clause: 'client.read.pauses',
        expected: 'a pause, or a wait, between two requests of which the first brought nothing',
        actual: `${most} in a row, half of them within ${leastMs} ms of the one before`,
        witness: [request, ...row.slice(-3)],
        root: `loop of ${agent}`,
      });
    }
  }
};

/** An empty page at the end, or no success; a read that waits has waited, however short. */
function bringsNothing(request: Send | Read | Report): boolean {
  if (request.outcome !== 'accepted') return true;
  if (request.kind !== 'read') return false;
  const { items, hasMore, wait = 0 } = request;
  return items.length === 0 && hasMore !== true && wait === 0;
}

/** The median. */
function pauseIn(row: readonly (Send | Read | Report)[]): number {
  const pausesMs = row.slice(1).map(({ startedMs }, index) => startedMs - (row[index]?.endedMs ?? 0));
  return pausesMs.toSorted((one, other) => one - other)[pausesMs.length >> 1] ?? 0;
}
