/** A message as a companion reads it. */
export interface ReadMessage {
  readonly id: string;
  readonly content: string;
  readonly content_type: string;
  readonly mentions?: readonly { readonly kind: string; readonly id: string }[];
  readonly attachments?: readonly { readonly id: string }[];
}

/** Whom it works as: an agent of its own in the workspace, or another program with the token of a role. */
export type CompanionAgent = 'colleague' | 'reader' | 'peer' | 'apiKey' | 'author';

/** One agent that reads what others write, and writes of it. */
export interface Companion {
  /** Default: an agent of its own. */
  readonly as?: CompanionAgent;
  /** What it makes of a message; `undefined` where it has nothing to say. `before` are those it read before, newest last. */
  readonly makes: (message: ReadMessage, before: readonly ReadMessage[]) => string | undefined;
  /** Where it posts: where it read, which is the default, or in the other channel of the workspace. */
  readonly posts?: 'there' | 'elsewhere';
  /** What it takes over from the message beside its text; default nothing. */
  readonly keeps?: readonly ('mentions' | 'attachments' | 'content_type')[];
  /** Mentions the author, the reader and the peer, each as an agent, by its human and by its machine. */
  readonly namesEverybody?: boolean;
  /** Waits so long before it posts, in ms; default not at all. */
  readonly afterMs?: number;
  /** Reads what other companions write too, as far as that has no more characters than this; default none of it. */
  readonly answersCompanionsUpTo?: number;
}

/** Agents at work beside the suite at one time. */
export interface Company {
  /** Slug that says what they do. */
  readonly id: string;
  readonly companions: readonly Companion[];
}
