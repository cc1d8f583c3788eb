import type { SeenMessage, TargetName, TextDigest } from '../../../history/seen-message.ts';
import type { Sequence } from '../../../history/sequence.ts';
import type { Counter } from './counter.ts';
import type { Agent } from './directory.ts';
import { targetsOf } from './directory.ts';
import type { Inside } from './inside.ts';
import type { Page, Question, Spot } from './page.ts';
import type { Place, Stored, Stream } from './stream.ts';

/** What a client asks to append. */
export interface Draft {
  readonly channel: string;
  readonly key: string | undefined;
  readonly content: TextDigest;
  readonly contentType: string | undefined;
  readonly targets: readonly TargetName[];
  readonly files: readonly string[];
  readonly session: string | undefined;
  readonly host: string | undefined;
  /** The contract wants it refused: content of 500,001 bytes. */
  readonly isBad: boolean;
}

/** What a key was used for. */
export interface KeyRecord {
  readonly fingerprint: string;
  /** Who used it, and where. */
  readonly use: string;
  isPending: boolean;
  shown: SeenMessage | undefined;
}

/** The decisions of the service. The conforming ones are below; a mutant replaces one or two. */
export interface Rules {
  /** The message that is stored for a send that was accepted; `undefined` to store none. */
  readonly capture: (message: SeenMessage, draft: Draft, inside: Inside) => SeenMessage | undefined;
  /** How often an accepted send is stored. */
  readonly copies: (inside: Inside) => number;
  /** Stores a send that was answered with a refusal. */
  readonly storesRefused: (draft: Draft, why: 'bad' | 'conflict', inside: Inside) => boolean;
  /** The channel that a message is listed in, and others. */
  readonly listedIn: (channel: Stream, inside: Inside) => readonly Stream[];
  readonly number: (counter: Counter, stream: Stream, inside: Inside) => Sequence;
  /** The number of an event in one reader's feed. */
  readonly eventNumber: (sequence: Sequence, reader: string, inside: Inside) => Sequence;
  /** From when on a place shows; `earliestMs` keeps the order of the numbers. */
  readonly visibleMs: (earliestMs: number, stream: Stream, inside: Inside) => number;
  /** After a place was added. */
  readonly added: (place: Place, stream: Stream, inside: Inside) => void;
  /** How many of its targets make a message of somebody stand in a feed. */
  readonly matches: (stored: Stored, reader: Agent, inside: Inside) => number;
  /** By how much what one read sees is older than now. */
  readonly lagMs: (lagMs: number, question: Question, inside: Inside) => number;
  /** What one read finds in the stream. */
  readonly view: (spots: readonly Spot[], question: Question, inside: Inside) => readonly Spot[];
  readonly page: (page: Page, question: Question, spots: readonly Spot[], inside: Inside) => Page;
  readonly conflictsOnCursor: (question: Question, inside: Inside) => boolean;
  /** How an item shows. */
  readonly show: (message: SeenMessage, question: Question, inside: Inside) => SeenMessage;
  readonly mentionId: (id: string | undefined, inside: Inside) => string | undefined;
  readonly receipts: (agents: readonly string[], message: SeenMessage, inside: Inside) => readonly string[];
  /** Whether reading a message records its retrieval. */
  readonly recordsRead: (question: Question, inside: Inside) => boolean;
  readonly agentId: (agent: Agent, inside: Inside) => string;
  /** What becomes of a send whose key is on record for another one. */
  readonly onConflict: (record: KeyRecord, inside: Inside) => 'conflict' | 'replay' | 'store';
  /** What becomes of a send whose key is on record for it. */
  readonly onRepeat: (record: KeyRecord, inside: Inside) => 'conflict' | 'replay' | 'store';
  /** Whether a send under way counts as use of its key. */
  readonly seesInFlight: (inside: Inside) => boolean;
  /** Whether a request draws an error of the server, whatever is asked. */
  readonly breaksDown: (inside: Inside) => boolean;
  readonly restarted: (inside: Inside, counters: readonly Counter[]) => void;
}

/** What a conforming service decides. */
export const conforming: Rules = {
  capture: (message) => message,
  copies: () => 1,
  storesRefused: () => false,
  listedIn: (channel) => [channel],
  number: (counter) => counter.next(),
  eventNumber: (sequence) => sequence,
  visibleMs: (earliestMs) => earliestMs,
  added: () => undefined,
  matches: matchesOf,
  lagMs: (lagMs) => lagMs,
  view: (spots) => spots,
  page: (page) => page,
  conflictsOnCursor: () => false,
  show: (message) => message,
  mentionId: (id) => id,
  receipts: (agents) => agents,
  recordsRead: () => false,
  agentId: ({ id }) => id,
  onConflict: () => 'conflict',
  onRepeat: () => 'replay',
  seesInFlight: () => true,
  breaksDown: () => false,
  restarted: () => undefined,
};

function matchesOf({ seen }: Stored, reader: Agent, { choices }: Inside): number {
  const author = seen.author;
  if (author?.id === reader.id) return 0;
  const isSameHuman = reader.human !== null && author?.human?.id === reader.human.id;
  const names = targetsOf(reader).filter(
    (name) => name.startsWith('agent:') || choices.listsSameHuman || !isSameHuman,
  );
  return seen.targets.filter((target) => names.includes(target)).length;
}
