import type { MessageAuthor } from '../../spec/generated/types.ts';
import type { PageFacts } from './page-facts.ts';
import type { Agent, Credential } from './principals.ts';
import type { OutgoingMention, OutgoingMessage, OutgoingPage } from './resources.ts';

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
