import type { Read, Report, Send } from '../../operation.ts';
import type { ClientJudge } from '../client-judge.ts';
import { requestName } from '../traffic.ts';

/**
 * So many of one request, most of them with that little time free since the one before, are a loop. The many processes that it would take to ask as
 * often with a pause each would also ask at the same time.
 */
const longestRow = { whole: 100, live: 600 };
/** In ms: the client of a busy machine takes longer to ask again though it does not pause, and in live traffic many may take turns. */
const leastPauseMs = { whole: 25, live: 8 };

/** Between two requests for the same, the first of which brought nothing, a client waits, whatever else it asks for in between. */
export const pauses: ClientJudge = ({ callers, isWhole }, findings) => {
  const scope = isWhole ? 'whole' : 'live';
  const [leastMs, most] = [leastPauseMs[scope], longestRow[scope]];
  for (const { credential, requests } of callers) {
    const rows = new Map<string, Asked[]>();
    let idleMs = 0;
    for (const [index, request] of requests.entries()) {
      const previous = requests[index - 1];
      idleMs += Math.max(0, request.startedMs - freeAt(previous));
      // Who asks for two things at the same time may be two, and what one of them finds says nothing of the other.
      if (previous !== undefined && previous.endedMs > request.startedMs) rows.clear();
      const name = requestName(request);
      const row = rows.get(name) ?? [];
      const last = row.at(-1);
      if (last !== undefined) findings.count('client.read.pauses');
      const isShort = last !== undefined && idleMs - last.idleMs <= leastMs;
      row.push({ request, idleMs, short: (last?.short ?? 0) + Number(isShort) });
      if (bringsNothing(request)) rows.set(name, row);
      else rows.clear();
      if (!rows.has(name) || !isLoop(row, most)) continue;
      findings.add({
        name: 'read-loop',
        clause: 'client.read.pauses',
        expected: 'a pause, or a wait, between two requests of which the first brought nothing',
        actual: `${most} that brought nothing, half of them with ${leastMs} ms or less free since the one before`,
        witness: [request, ...row.slice(-3).map((asked) => asked.request)],
        root: `loop of ${credential}`,
      });
    }
  }
};

/** A request of a row. */
interface Asked {
  readonly request: Send | Read | Report;
  /** For how long the caller had asked nothing at all until then, in ms. */
  readonly idleMs: number;
  /** Pauses of the row until then that were too short. */
  readonly short: number;
}

/** Whether more than half of the pauses between the last `most` requests were too short. */
function isLoop(row: readonly Asked[], most: number): boolean {
  const [first, last] = [row[row.length - most], row.at(-1)];
  return first !== undefined && last !== undefined && last.short - first.short > (most - 1) >> 1;
}

/** When a request had the caller wait no longer. One whose query may be taken for different pages may have asked for a wait. */
function freeAt(request: Send | Read | Report | undefined): number {
  if (request === undefined) return 0;
  const mayWait = request.kind === 'read' && !request.isBaseline && request.outcome === 'accepted';
  return mayWait ? request.startedMs : request.endedMs;
}

/** An empty page at the end, or no success; a read that waits has waited, however short, and who is asked for no pause makes none. */
function bringsNothing(request: Send | Read | Report): boolean {
  if (request.outcome !== 'accepted') return request.retryAfter !== 0;
  if (request.kind !== 'read') return false;
  const { items, hasMore, wait = 0 } = request;
  return items.length === 0 && hasMore !== true && wait === 0;
}
