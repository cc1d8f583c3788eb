import type { Sequence } from './sequence.ts';
import type { TextForm } from './text-form.ts';

/** A text by what it is told by; its characters are not kept. */
export interface TextDigest {
  /** Of its UTF-16 units: within a history equal digests mean equal texts. */
  readonly digest: string;
  /** Length in UTF-8. */
  readonly bytes: number;
  /** What it is made of; absent where nobody looked. */
  readonly form?: TextForm;
  /** There is an @ in it, or a <!here> or its like, by which a server may have found somebody whom the message mentions. */
  readonly hasAt?: true;
  /** The first marker of the run in it; `undefined` for a text of others, or one that carries none. */
  readonly marker: string | undefined;
}

/** A principal behind an agent; `undefined` fields were absent or unusable. */
export interface SeenPrincipal {
  readonly id: string | undefined;
  readonly displayName: string | null | undefined;
}

/** Who wrote a message, as one answer shows it. */
export interface SeenAuthor {
  readonly id: string | undefined;
  readonly displayName: string | undefined;
  /** `null` and absent are the same here. */
  readonly host: string | undefined;
  /** `null` when the answer says so, `undefined` when it has no such field. */
  readonly human: SeenPrincipal | null | undefined;
  readonly machine: SeenPrincipal | null | undefined;
  /** The source session as JSON with sorted keys. */
  readonly session: string | undefined;
}

/** Lists of a message that an answer need not show. */
type LeftOut = 'targets' | 'files' | 'both';

/** `agent`, `user` or `machine` (or whatever a server shows), a colon, and the id in lower case. */
export type TargetName = string;

/** Whether an answer leaves a list of its message out. */
export function leavesOut({ leftOut }: SeenMessage, list: 'targets' | 'files'): boolean {
  return leftOut === list || leftOut === 'both';
}

/**
 * A message as one answer shows it, but for its receipts: what never changes. Ids are in lower case; a field that is absent or of
 * another type is `undefined`. Interned: one object for all answers that show the very same.
 */
export interface SeenMessage {
  readonly id: string | undefined;
  readonly workspace: string | undefined;
  readonly channel: string | undefined;
  /** Channel-local. */
  readonly sequence: Sequence | undefined;
  readonly author: SeenAuthor | undefined;
  readonly content: TextDigest | undefined;
  readonly contentType: string | undefined;
  readonly sizeBytes: Sequence | undefined;
  readonly createdAt: string | undefined;
  /** Sorted, each once; of a message that shows no such list, empty. */
  readonly targets: readonly TargetName[];
  /** Ids of attached files, sorted, each once. */
  readonly files: readonly string[];
  /** Which of the two lists the answer leaves out; `undefined` for neither. A list that is empty is shown. */
  readonly leftOut?: LeftOut;
  /** The answer lists a target more than once; absent where it does not. */
  readonly repeatsTarget?: true;
}

/**
 * Whether a message may name more than one target through which a feed lists it, so that it may stand there once for each: one named twice
 * counts twice. Of a reader who is known, no other agent is one of them.
 */
export function mayHaveSeveralTargets(message: SeenMessage, reader?: string): boolean {
  const { targets, repeatsTarget = false } = message;
  const mayBeOwn = (target: TargetName): boolean =>
    reader === undefined || !target.startsWith('agent:') || target === `agent:${reader}`;
  return targets.filter(mayBeOwn).length > 1 || repeatsTarget || leavesOut(message, 'targets');
}

/** The retrievals that a message showed in one answer. */
export interface SeenReceipts {
  /** In the order shown; lower case. */
  readonly agents: readonly string[];
  readonly hasMore: boolean;
}

/** An item of a page: a message of a channel, or a mention of a feed. Interned, as its message is. */
export interface Item {
  /** The stream's own sequence: the mention's in a feed, the message's in a channel. */
  readonly sequence: Sequence | undefined;
  /** The mention's own id in a feed; that of the message in a channel. */
  readonly id: string | undefined;
  readonly message: SeenMessage;
  /** `undefined` when the message came without. */
  readonly receipts: SeenReceipts | undefined;
}
