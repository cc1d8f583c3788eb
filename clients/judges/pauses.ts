import type { Read, Report, Send } from '../../history/operation.ts';
import type { ClientJudge } from '../client-judge.ts';
import { requestName } from '../traffic.ts';

/** So many requests in a row, with that little time between them in all, are a loop, and no fifty processes that each wait a second. */
const longestRow = 50;
const leastPausesMs = 250;

/** Between two requests for the same, the first of which brought nothing, a client waits. */
export const pauses: ClientJudge = ({ callers }, findings) => {
  for (const { agent, requests } of callers) {
    let row: (Send | Read | Report)[] = [];
    for (const request of requests) {
      const before = row.at(-1);
      const isSame =
        before !== undefined &&
        requestName(before) === requestName(request) &&
        before.endedMs <= request.startedMs;
      row = isSame ? [...row.slice(1 - longestRow), request] : [request];
      if (isSame) findings.count('client.read.pauses');
      if (!bringsNothing(request)) row = [];
      if (row.length < longestRow || pausesIn(row) > leastPausesMs) continue;
      findings.add({
        name: 'read-loop',
        clause: 'client.read.pauses',
        expected: 'a pause, or a wait, between two requests of which the first brought nothing',
        actual: `${longestRow} in a row with ${pausesIn(row).toFixed(0)} ms between them in all`,
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

function pausesIn(row: readonly (Send | Read | Report)[]): number {
  return row.slice(1).reduce((sum, { startedMs }, index) => sum + startedMs - (row[index]?.endedMs ?? 0), 0);
}
