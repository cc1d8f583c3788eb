import { randomUUID } from 'node:crypto';
import {
  listChannels,
  listMentions,
  listReceipts,
  readChannel,
  sendMessage,
  showOverview,
} from '../../../spec/calls/index.ts';
import type { CallRequest, KnownCall, QueryDraft } from '../../../spec/calls/index.ts';
import type { Always } from '../../../harness/check/context.ts';
import { isAccepted, isRedirection, statusOf } from '../../../harness/client/exchange.ts';
import type { Draft } from '../../../harness/stream/stream-view.ts';
import type { NeedName } from '../../../harness/config/capabilities.ts';
import { reportRequest } from '../../../harness/record/request-parts.ts';
import { given, unmet } from '../../../harness/verdict/outcome.ts';
import { eventually } from '../eventually.ts';
import { cursorBefore, messageIdOf } from '../receipts/reports.ts';
import { requireAccepted } from '../send/accepted-sends.ts';
import { channelCursors, mentionCursors, type IssuedCursors, type Place } from './places.ts';

/** A call that a target names, as the contract does not show it: all that is known of it is who may make it. */
type BoundCall = 'file' | 'file-content' | 'report';

/** A request of one call, and the message it would leave behind. */
export interface Composed {
  readonly request: CallRequest;
  /** `undefined` for a request that writes nothing new. */
  readonly draft?: Draft;
}

/** What the form of a request is made of. */
interface Making {
  readonly context: Always;
  readonly place: Place;
  /** What the baseline form of the call left behind when its holder sent it. */
  readonly sent: () => Promise<Composed>;
}

/** One form that requests of a call take: a server may look at the credential in one and not in another. */
export interface RequestForm {
  readonly slug: string;
  /** Completes “a call …”. */
  readonly words: string;
  /** Where it is what it says: only where nobody writes there is something at the beginning, and nothing after the end. */
  readonly where: 'anywhere' | 'quiet';
  /** Forms that show, if they are accepted, that this one would be: for one whose control request would wait for nothing. */
  readonly shownBy?: readonly string[];
  /** Statuses that may refuse it to somebody who is known for what it carries, before anybody asks what he may do; 409 whatever he may do. */
  readonly otherRefusals?: readonly number[];
  /** The kinds of credential that it is sent with, where not with all: who is known at all is looked at before what is sent, what he may do after that. */
  readonly credentials?: readonly string[];
  /** A fresh request with nothing wrong in it but, perhaps, the credential that it is sent with. */
  readonly compose: (making: Making) => Composed | Promise<Composed>;
}

/** A call of the contract that wants a credential. */
export interface GuardedCall {
  /** Part of the ids of checks. */
  readonly slug: KnownCall | BoundCall;
  /** Whose credential opens it. */
  readonly holder: 'author' | 'machine';
  readonly needs: readonly NeedName[];
  /** The first is the baseline. */
  readonly forms: readonly [RequestForm, ...RequestForm[]];
}

/** The one form of a call whose parameters are not shown. */
const baseline = { slug: 'baseline', words: 'nothing else changed', where: 'anywhere' } as const;

/** Agents that are known, and may not use a channel. */
const shutOut = ['stranger', 'outsider'] as const;
/** Those, and one that might before, and may again. */
const shutOutAtTimes = [...shutOut, 'access-lost', 'access-regained'] as const;

/** Content that does not fit into the buffers in which most servers keep a body until they know who sent it. */
const longContent = 'x'.repeat(70_000);

type PageForm = Pick<RequestForm, 'slug' | 'words' | 'where' | 'shownBy'> & {
  readonly after?: 0 | keyof IssuedCursors;
  readonly wait?: number;
};

/** How a stream can be asked for a page. */
const newest: PageForm = { slug: 'no-cursor', words: 'without any parameter', where: 'anywhere' };
const oldest: PageForm = { slug: 'after-0', words: 'from the oldest on', where: 'anywhere', after: 0 };
const others: readonly PageForm[] = [
  { slug: 'issued-cursor', words: 'from a cursor on', where: 'quiet', after: 'issued' },
  { slug: 'empty-page', words: 'for an empty page', where: 'quiet', after: 'end' },
];

function pageForm(
  { after, wait, ...form }: PageForm,
  cursorsOf: typeof mentionCursors,
  requestOf: (query: QueryDraft, place: Place) => CallRequest,
): RequestForm {
  const compose: RequestForm['compose'] = async ({ place }) => {
    const cursor = typeof after === 'string' ? (await cursorsOf(place))[after] : after;
    // What is asked for most often, with no parameter at all, may be answered by something else than the rest.
    return { request: requestOf(cursor === undefined ? '' : { after: cursor, limit: 1, wait }, place) };
  };
  // A cursor that was given out may have become one that conflicts, by retention or where a replica is behind.
  return { ...form, compose, ...(typeof after === 'string' && { otherRefusals: [409] }) };
}

const ofMentions = (form: PageForm): RequestForm => pageForm(form, mentionCursors, listMentions);

export const mentionsCall: GuardedCall = {
  slug: 'mentions',
  holder: 'author',
  needs: [],
  forms: [ofMentions(newest), ...[oldest, ...others].map(ofMentions)],
};

export const channelsListCall: GuardedCall = {
  slug: 'channels-list',
  holder: 'author',
  needs: [],
  forms: [{ ...baseline, compose: () => ({ request: listChannels() }) }],
};

const ofMessages = (form: PageForm): RequestForm =>
  pageForm(form, channelCursors, (query, { channel }) => readChannel(channel.id, query));

/** A call in a channel that is not the one by which agents of a place know it. */
function inTheOtherChannel(requestOf: (channelId: string, context: Always) => CallRequest): RequestForm {
  return {
    slug: 'other-channel',
    words: 'in another channel of the workspace',
    where: 'anywhere',
    credentials: shutOut,
    compose: ({ context, place: { secondChannelId } }) => ({
      request: requestOf(secondChannelId ?? unmet('the place has no second channel'), context),
    }),
  };
}

export const channelReadCall: GuardedCall = {
  slug: 'channel-read',
  holder: 'author',
  needs: ['author', 'channel'],
  forms: [
    // Whether a channel can be read without a cursor is not shown.
    ofMessages(oldest),
    ...[newest, ...others].map(ofMessages),
    ofMessages({
      slug: 'wait',
      words: 'with a wait for what is there',
      where: 'quiet',
      after: 0,
      wait: 1,
    }),
    ofMessages({
      slug: 'wait-at-the-end',
      words: 'with a wait for what is to come',
      where: 'quiet',
      shownBy: ['wait', 'empty-page'],
      after: 'end',
      wait: 1,
    }),
    inTheOtherChannel((id) => readChannel(id, { after: 0, limit: 1 })),
  ],
};

const sendCall: GuardedCall = {
  slug: 'send',
  holder: 'author',
  needs: ['author', 'channel'],
  forms: [
    { ...baseline, compose: ({ context, place }) => sendOf(context, place) },
    {
      slug: 'with-targets',
      words: 'that mentions somebody',
      where: 'anywhere',
      otherRefusals: [400, 404, 422],
      compose: async ({ context, place }) => {
        const { actor, agentId } = place;
        const named =
          actor('reader') ??
          actor('peer') ??
          unmet('neither a reader nor a peer is there who could be mentioned');
        const targets = [{ kind: 'agent', id: await agentId(named) }];
        return sendOf(context, place, { [context.bindings.mentions]: targets });
      },
    },
    {
      slug: 'repeated-key',
      words: 'that repeats an accepted one under its key',
      where: 'anywhere',
      otherRefusals: [409],
      compose: async ({ sent }) => ({ request: { ...(await sent()).request, hasFreshKey: false } }),
    },
    {
      slug: 'with-files',
      words: 'that has a file attached',
      where: 'anywhere',
      otherRefusals: [400, 404, 422],
      credentials: shutOut,
      compose: async ({ context, place }) => {
        if (place.name !== 'own') unmet('files are made in the workspace of the target');
        return sendOf(context, place, { [context.bindings.attachments]: await context.readyFiles(1) });
      },
    },
    {
      slug: 'long',
      words: 'of more than 64 KiB',
      where: 'anywhere',
      credentials: shutOutAtTimes,
      compose: ({ context, place }) => sendOf(context, place, {}, longContent),
    },
    inTheOtherChannel((id, { draft }) => sendMessage(id, { content: draft().text }, randomUUID())),
  ],
};

/** A send of a new message in a channel. */
export function sendOf(
  { draft }: Pick<Always, 'draft'>,
  { channel }: Pick<Place, 'channel'>,
  fields: object = {},
  content?: string,
): Composed {
  const composed = draft(content);
  const body = { content: composed.text, ...fields };
  const request = { ...sendMessage(channel.id, body, randomUUID()), hasFreshKey: true };
  return { request, draft: composed };
}

export const receiptsListCall: GuardedCall = {
  slug: 'receipts-list',
  holder: 'author',
  needs: ['author', 'channel', 'list-receipts-binding'],
  forms: [
    { ...baseline, compose: ({ place }) => ({ request: listReceipts(place.channel.id) }) },
    {
      slug: 'with-a-limit',
      words: 'with a limit',
      where: 'anywhere',
      credentials: shutOutAtTimes,
      compose: ({ place }) => ({ request: listReceipts(place.channel.id, { limit: 1 }) }),
    },
    inTheOtherChannel((id) => listReceipts(id)),
  ],
};

export const overviewCall: GuardedCall = {
  slug: 'overview',
  holder: 'machine',
  needs: ['machine', 'workspace'],
  forms: [
    {
      ...baseline,
      compose: async ({ place }) => ({ request: showOverview(await place.workspaceId()) }),
    },
  ],
};

/** Calls that are open only where a target has them as it says. */
export const boundCalls: readonly GuardedCall[] = [
  callOfFiles('file', 'file', 'for the metadata of a file'),
  callOfFiles('file-content', 'fileContent', 'for the bytes of a file'),
  {
    slug: 'report',
    holder: 'author',
    needs: ['author', 'channel', 'report-receipt-binding'],
    forms: [
      {
        ...baseline,
        words: 'that reports a retrieval',
        compose: async ({ context: { bindings, draft }, place }) => {
          const { id } = await messageOfAnother(draft, place);
          return { request: onAgentSurface(reportRequest(bindings, place.channel.id, [id], randomUUID())) };
        },
      },
    ],
  },
];

function callOfFiles(
  slug: 'file' | 'file-content',
  binding: 'file' | 'fileContent',
  words: string,
): GuardedCall {
  return {
    slug,
    holder: 'author',
    needs: ['author', 'channel', 'file-binding', 'files'],
    forms: [
      {
        ...baseline,
        words,
        compose: async ({ context, place }) => {
          const { bindings } = context;
          const requestFor = (id: string): CallRequest =>
            onAgentSurface({
              call: 'other',
              method: 'GET',
              path: bindings[binding].replaceAll('{file_id}', id),
              headers: { accept: '*/*' },
            });
          const request = requestFor(await place.fileId());
          await place.once(`${slug} is known`, async () => {
            const holder = place.actor('author') ?? unmet('no author is there who could ask for a file');
            const nothing = await holder.request(requestFor(randomUUID()));
            const isOpen = isAccepted(nothing) || isRedirection(statusOf(nothing));
            // Where any id will do, the call is another one.
            given(!isOpen, `any file is there: see bindings.${slug.replace('-', '_')}`, nothing);
            // What was just put there may come to be known later: worth waiting for where many checks ask for it.
            if (place.name === 'own') await eventually(context, () => holder.request(request), isAccepted);
          });
          return { request };
        },
      },
    ],
  };
}

/** Ends the check where a call lies elsewhere: whose credentials open it there nobody knows. */
function onAgentSurface(request: CallRequest): CallRequest {
  return request.path.startsWith('/v0/') ? request : unmet(`${request.path} is not of the agent surface`);
}

/** A message that whoever reports it did not write, and the cursor that it is the first behind. */
export function messageOfAnother(
  draft: Always['draft'],
  { actor, channel, once }: Place,
): Promise<{ readonly id: string; readonly from: bigint }> {
  return once('a message of another agent', async () => {
    const other =
      actor('reader') ?? actor('peer') ?? unmet('nobody is there whose message could be reported');
    const message = draft();
    requireAccepted(await other.send(channel.id, message.text));
    const item = await channel.arrival(message);
    return { id: messageIdOf(item), from: cursorBefore(item) };
  });
}

/** Calls that name a channel. */
export const channelCalls: readonly GuardedCall[] = [channelReadCall, sendCall, receiptsListCall];

/** Calls of the agent surface. */
export const agentCalls: readonly GuardedCall[] = [mentionsCall, channelsListCall, ...channelCalls];

/** What a check of a call needs, its own needs beside those of the call. */
export function needsOf(call: GuardedCall, ...more: readonly NeedName[]): readonly NeedName[] {
  return [...new Set([...more, ...call.needs])];
}

/** The call in the forms that are sent with some kinds of credential. */
export function inFormsFor(call: GuardedCall, credentials: readonly string[]): GuardedCall {
  const [first, ...others] = call.forms;
  const isSent = (form: RequestForm): boolean => credentials.some((each) => isSentWith(form, each));
  return { ...call, forms: [first, ...others.filter(isSent)] };
}

/** Whether a form is sent with a kind of credential. */
export function isSentWith({ credentials }: RequestForm, credential: string): boolean {
  return credentials === undefined || credentials.includes(credential);
}

/** True for a call that leaves nothing behind. */
export function isRead({ slug }: GuardedCall): boolean {
  return slug !== sendCall.slug && slug !== 'report';
}

/** True for a call of which a check writes nothing: what is asked of a file may have to be put there. */
export function isReadOnly(call: GuardedCall): boolean {
  return isRead(call) && !boundCalls.includes(call);
}

/** The clauses that a check of a refused call decides beside its own. */
export function clausesOfRefusal({
  slug,
}: GuardedCall): readonly ['send.refused-stores-nothing'] | readonly [] {
  return slug === sendCall.slug ? ['send.refused-stores-nothing'] : [];
}
