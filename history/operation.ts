import type { ClauseId } from '../spec/index.ts';
import type { Item, SeenMessage, TargetName, TextDigest } from './seen-message.ts';
import type { Sequence } from './sequence.ts';

/**
 * What is known of an operation's end: `accepted` (2xx), `refused` (any other answer of the service but a server error), or
 * `indeterminate`: no answer of the service came, or a server error. Such a send may have happened, or may happen later.
 */
export type Outcome = 'accepted' | 'refused' | 'indeterminate';

/** What the contract says a request is to be answered with; `open` where it leaves that to the server, or not all was known. */
export type Due = 'accept' | 'reject' | 'open';

interface Common {
  /** Place in the history, from 0; operations stand in the order of their ends. */
  readonly index: number;
  /** Whose work it was part of: a check, or a client of a concurrent run. A client does one thing after another, a check need not. */
  readonly client: string;
  /** Whose credential was used: one name for one credential. */
  readonly agent: string;
  /** Milliseconds on one monotonic clock: before the first byte left, after the last byte was read. Equal times are concurrent. */
  readonly startedMs: number;
  readonly endedMs: number;
  readonly outcome: Outcome;
  /** Of the answer; `undefined` when none of the service came. */
  readonly status: number | undefined;
  /** Seconds for which the answer asks the client to wait; `undefined` where it does not. */
  readonly retryAfter?: number | undefined;
}

/** An attempt to append a message. */
export interface Send extends Common {
  readonly kind: 'send';
  /** The channel in the path, in lower case. */
  readonly channel: string;
  readonly key: string | undefined;
  /** The content, or the whole of a body that not all read alike, for the marker in it; `undefined` when there is none. */
  readonly content: TextDigest | undefined;
  /** `undefined` when left out. */
  readonly contentType: string | undefined;
  readonly targets: readonly TargetName[];
  readonly files: readonly string[];
  /** The source session as JSON with sorted keys. */
  readonly session: string | undefined;
  readonly host: string | undefined;
  readonly expected: Due;
  /** The rule that it breaks where it is to be refused; `undefined` where it is not. */
  readonly refusedFor?: ClauseId | undefined;
  /**
   * What of the above a message shows whose send was taken: `all`; the `content` alone, beside fields that the contract does not show;
   * or `nothing`, where servers may read the body in different ways, or are to refuse it.
   */
  readonly stores: 'all' | 'content' | 'nothing';
  /** The message that the answer shows, where it shows one. */
  readonly shown: SeenMessage | undefined;
}

/** One page that was asked for: of a channel, or of the mentions of whoever asks. */
export interface Read extends Common {
  readonly kind: 'read';
  readonly call: 'channel-read' | 'mentions';
  /** What the page is of: `channel ID`, or `feed AGENT`. */
  readonly stream: string;
  /** `undefined` when the cursor was left out. */
  readonly after: Sequence | undefined;
  readonly limit: number | undefined;
  /** Seconds; `undefined` when left out. */
  readonly wait: number | undefined;
  /**
   * The query where the three above do not say what was asked: servers may take it for different pages, or are to refuse it. The values
   * of `after`, `limit` and `wait` as they were sent, of other parameters the name alone.
   */
  readonly query?: string | undefined;
  readonly expected: Due;
  /** As of a send. */
  readonly refusedFor?: ClauseId | undefined;
  /** False where servers may take the query for different pages, or for none: then only the form of the answer says something. */
  readonly isBaseline: boolean;
  /** As they stand on the page; empty unless accepted. */
  readonly items: readonly Item[];
  readonly nextAfter: Sequence | undefined;
  readonly hasMore: boolean | undefined;
  readonly highWatermark: Sequence | undefined;
  /** The agent that the answer's header names, in lower case. */
  readonly agentId: string | undefined;
}

/** An agent's report that it has retrieved messages. */
export interface Report extends Common {
  readonly kind: 'report';
  readonly channel: string;
  /** Ids of the messages, in lower case. */
  readonly messages: readonly string[];
}

/** What the operator did at the suite's request: a hook call. Also `lost`, which nobody asked for. */
export interface Change extends Common {
  readonly kind: 'change';
  /**
   * `restart`, `rename`, `deactivate`, `revoke`, `expire`, `file`, `limit` or `provision`; or `lost`: the server, its credentials or
   * its messages were all there when a look began at `startedMs`, and no later look found them, or what is in `detail` ended the run
   * while checks were at work, and nothing is sure.
   */
  readonly change: string;
  /** The id of what was changed, where the hook names one, in lower case. */
  readonly subject: string | undefined;
  /** What it did more exactly: the kind of a rename, `delete` of a file, `active` or `inactive`. */
  readonly detail: string | undefined;
}

export type Operation = Send | Read | Report | Change;

/** What holds for a whole history. */
export interface HistoryFacts {
  /** Part of every marker of the run. */
  readonly runId: string;
  /** How long an accepted write may take to become visible, in ms. */
  readonly settleMs: number;
  /** True when the operator declares that what was acknowledged survives a restart. */
  readonly isDurable: boolean;
  /**
   * True for what was recorded on its way, or by somebody else: others may have asked the server, the operator may have changed anything,
   * and whether a credential is an agent's token or a workspace's key is not known. Judges let go what any of that may explain.
   */
  readonly isPartial?: boolean;
  /** What the history begins with that stands in the one before it as well; absent where that is nothing. */
  readonly carried?: Carried;
}

/** Of a chapter of traffic that goes on: what was carried on from the one before. */
export interface Carried {
  /** So many operations, the first. */
  readonly operations: number;
  /** So many of these, the first, have lost what stood beside them: they show what was there, and nothing of what they lack. */
  readonly older: number;
}

/** Everything that clients asked of one server and what they were answered. */
export interface History {
  readonly facts: HistoryFacts;
  /** By the order of their ends. */
  readonly operations: readonly Operation[];
}
