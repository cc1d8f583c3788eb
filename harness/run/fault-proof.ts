import { listChannels, listMentions, type SentRequest } from '../../spec/calls/index.ts';
import type { Exchange } from '../client/exchange.ts';
import { type RepeatParts, sendAgain } from '../judging/repeated-errors.ts';

/** How often a chance may take trouble on the way for the server's own. */
const chance = 1e-6;
/** A fault comes so many times in a row at least, and so often it is asked for at most. */
const fewest = 6;
const most = 20;
/** What is not answered for so long is taken for never answered, in ms: no words say how soon an answer comes. */
const longestAnswerMs = 30_000;
/** Pause between two requests, in ms. */
const pauseMs = 60;

/** What it takes to tell the server's own faults from those of the way to it. */
export interface FaultProofParts extends RepeatParts {
  /** Share of all requests of the run so far that got no complete answer. */
  readonly faultShare: () => number;
}

/**
 * Whether a request without a complete answer never gets one, while others are answered in between: so many times in a row
 * that faults which come by chance, as often as the run has met any, do not explain it. `times` have been seen before;
 * what was waited for in vain is waited for once more, and far longer: the server may be slow.
 */
export async function faultComesEveryTime(
  exchange: Exchange,
  times: number,
  parts: FaultProofParts,
): Promise<boolean> {
  const needed = timesNeeded(parts.faultShare());
  if (exchange.fault?.kind === 'timeout') return times >= needed && isNeverAnswered(exchange, parts);
  if (needed > most) return false;
  for (let seen = 0; seen < needed;) {
    if (parts.signal.aborted) return false;
    await parts.sleep(pauseMs);
    // One after another, with an answer in between: a server that is away for a moment answers nobody.
    const { fault } = await sendAgain(exchange, parts);
    if (fault?.kind !== exchange.fault?.kind) return false;
    seen += fault?.tries ?? 1;
    const other = await parts.client.exchange(exchange.actor, controlOf(exchange.request), {
      signal: parts.signal,
    });
    if (other.fault !== undefined) return false;
  }
  return true;
}

/** Whether a request whose answer did not come in time gets none either where it is waited for much longer. */
export async function isNeverAnswered(exchange: Exchange, parts: RepeatParts): Promise<boolean> {
  const waitedMs = exchange.endedMs - exchange.startedMs;
  const { fault } = await sendAgain(exchange, parts, Math.max(longestAnswerMs, 2 * waitedMs));
  return fault?.kind === 'timeout' && !parts.signal.aborted;
}

/** Faults in a row that do not come by chance where this share of requests meets one. */
function timesNeeded(share: number): number {
  if (share >= 1) return Number.POSITIVE_INFINITY;
  return Math.max(fewest, share <= 0 ? fewest : Math.ceil(Math.log(chance) / Math.log(share)));
}

/** Another call by the same caller. */
function controlOf({ call, headers }: SentRequest): SentRequest {
  const { query, ...control } = call === 'mentions' ? listChannels() : listMentions({ limit: 1 });
  const { authorization } = headers;
  return {
    ...control,
    query,
    headers: authorization === undefined ? {} : { authorization },
    body: undefined,
  };
}
