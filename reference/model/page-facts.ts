import type { MessageAuthor } from '../../spec/generated/types.ts';
import type { Agent, Credential } from './principals.ts';
import type { OutgoingMention, OutgoingMessage, OutgoingPage } from './resources.ts';

/** The two ordered histories: of one channel, and of the mentions that reach one agent. */
export type StreamName = 'channel' | 'mentions';

/** One place in a history: where a message stands and what is needed to decide whether it is listed. */
export interface Entry {
  readonly stream: StreamName;
  /** Channel-local in a channel, workspace-wide in mentions. */
  readonly sequence: bigint;
  /** Key of the message in the store. */
  readonly messageNumber: number;
  readonly channelId: string;
  readonly workspaceId: string;
  readonly authorId: string;
  readonly sizeBytes: number;
  /** When the message was committed, in milliseconds since the epoch. */
  readonly committedMs: number;
}

/** What a read asked for: an exclusive cursor, undefined for none, and how many entries at most. */
export interface PageRequest {
  readonly after: bigint | undefined;
  readonly limit: number;
}

/** What is known of a page once its entries are chosen: enough to decide every field of the page object. */
export interface PageFacts {
  readonly stream: StreamName;
  /** Which history it is: the id of the channel, or of the reading agent. */
  readonly history: string;
  /** The cursor of the request; undefined when it was omitted. */
  readonly after: bigint | undefined;
  readonly limit: number;
  readonly entries: readonly Entry[];
  /** Listed entries follow the last one of the page. */
  readonly isMoreAbove: boolean;
  /** Listed entries precede the first one of a newest page. */
  readonly isMoreBelow: boolean;
  /** The byte cap took entries off the page. */
  readonly isCutByBytes: boolean;
  /** How far the history was looked through: the end of it, unless a rule bounds the scan. */
  readonly scannedTo: bigint;
  /** Highest sequence that exists in the history, listed for this reader or not; 0 when there is none. */
  readonly streamEnd: bigint;
  /** Highest sequence that is listed for this reader, 0 when there is none; looked up when asked for. */
  readonly lastListed: () => bigint;
  /** Number of the newest event of the workspace, 0 when there is none; looked up when asked for. */
  readonly lastEvent: () => bigint;
}

/** A page on its way out, of a channel or of mentions. */
export interface OutgoingRead {
  readonly items: readonly (OutgoingMessage | OutgoingMention)[];
  readonly page: OutgoingPage;
}

/** What was asked for, by whom, and what is known beside the page. */
export interface ReadFacts {
  readonly page: PageFacts;
  readonly reader: Agent;
  readonly credential: Credential['kind'];
  /** Decoded, as they came. */
  readonly query: Readonly<Record<string, string>>;
  /** Whether a channel is the one that its workspace began with. */
  readonly isDefaultChannel: (channelId: string) => boolean;
  /** An author under the names of today. */
  readonly authorNow: (author: MessageAuthor) => MessageAuthor;
}
