import { randomUUID } from 'node:crypto';
import {
  listChannels,
  listMentions,
  listReceipts,
  readChannel,
  sendMessage,
  showOverview,
} from '../../../calls/index.ts';
import type { CallRequest } from '../../../calls/index.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { Draft } from '../../../harness/stream/stream-view.ts';
import type { NeedName } from '../../../harness/config/capabilities.ts';

/** A request of one call, and the message it would leave behind. */
interface Composed {
  readonly request: CallRequest;
  /** `undefined` for a call that writes nothing. */
  readonly draft?: Draft;
}

/** A call of the contract that wants a credential. */
export interface GuardedCall {
  /** Part of the ids of checks. */
  readonly slug: string;
  /** Whose credential opens it. */
  readonly holder: 'author' | 'machine';
  readonly needs: readonly NeedName[];
  /** A fresh request with nothing wrong in it but, perhaps, the credential that it is sent with. */
  readonly compose: (context: Context<NeedName>) => Composed | Promise<Composed>;
}

export const mentionsCall: GuardedCall = {
  slug: 'mentions',
  holder: 'author',
  needs: [],
  compose: () => ({ request: listMentions({ limit: 1 }) }),
};

export const channelsListCall: GuardedCall = {
  slug: 'channels-list',
  holder: 'author',
  needs: [],
  compose: () => ({ request: listChannels() }),
};

export const channelReadCall: GuardedCall = {
  slug: 'channel-read',
  holder: 'author',
  needs: ['author', 'channel'],
  compose: ({ channel }) => ({ request: readChannel(channel.id, { after: 0, limit: 1 }) }),
};

export const sendCall: GuardedCall = {
  slug: 'send',
  holder: 'author',
  needs: ['author', 'channel'],
  compose: ({ channel, draft }) => {
    const composed = draft();
    return { request: sendMessage(channel.id, { content: composed.text }, randomUUID()), draft: composed };
  },
};

export const receiptsListCall: GuardedCall = {
  slug: 'receipts-list',
  holder: 'author',
  needs: ['author', 'channel', 'list-receipts-binding'],
  compose: ({ channel }) => ({ request: listReceipts(channel.id) }),
};

export const overviewCall: GuardedCall = {
  slug: 'overview',
  holder: 'machine',
  needs: ['machine', 'workspace'],
  compose: async ({ identities }) => ({ request: showOverview(await identities.workspaceId()) }),
};

/** Calls of the agent surface beside the mentions call. */
export const otherAgentCalls: readonly GuardedCall[] = [
  channelsListCall,
  channelReadCall,
  sendCall,
  receiptsListCall,
];

/** What a check of a call needs, its own needs beside those of the call. */
export function needsOf(call: GuardedCall, ...more: readonly NeedName[]): readonly NeedName[] {
  return [...new Set([...more, ...call.needs])];
}

/** True for a call that leaves nothing behind. */
export function isRead({ slug }: GuardedCall): boolean {
  return slug !== sendCall.slug;
}

/** The clauses that a check of a refused call decides beside its own. */
export function clausesOfRefusal({
  slug,
}: GuardedCall): readonly ['send.refused-stores-nothing'] | readonly [] {
  return slug === sendCall.slug ? ['send.refused-stores-nothing'] : [];
}
