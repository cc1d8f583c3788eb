import type { Actor } from '../../../harness/client/actor.ts';
import { isAccepted, statusOf, type Exchange } from '../../../harness/client/exchange.ts';
import { readMentions } from '../../../harness/stream/mentions-view.ts';
import { readPage, type PageRead } from '../../../harness/stream/page.ts';
import { findIn } from '../../../harness/stream/stream-view.ts';
import { walk } from '../../../harness/stream/walk.ts';
import { mayGoOn } from '../../../spec/oracles/answers/channel-list.ts';
import { hasId, isSameId } from '../../../spec/oracles/answers/overview.ts';
import { previewIn, recordsRetrieval } from '../../../spec/oracles/answers/receipts.ts';
import { fileAmong, fileIn, type ShownFile } from '../../../spec/oracles/messages/files.ts';
import { idsIn } from '../../../spec/oracles/values/json-texts.ts';
import { digestOf, download, isDownload, isWordOnFile } from '../message/attached.ts';
import { overviewIn } from '../overview-parts.ts';
import { readFullList } from '../receipts/full-list.ts';
import type { Changing, Scene } from './scene.ts';

/** What stands in a view. */
export type Kind =
  | 'message'
  | 'mention'
  | 'retrieval'
  | 'record'
  | 'attachment'
  | 'attachment that is deleted'
  | 'file'
  | 'bytes'
  | 'channel of the overview'
  | 'member'
  | 'listed channel';

/** Something that a view shows. */
export interface Shown {
  readonly kind: Kind;
  /** In words that tell it from all else of its kind. */
  readonly name: string;
  /** Its place, where its kind has an order. */
  readonly at?: bigint | undefined;
  /** Of a message: whether it has files. */
  readonly hasFiles?: boolean;
  /** The message that it stands on. */
  readonly on?: string;
  /** It may be there, and the view does not say. */
  readonly isAnnounced?: boolean;
  readonly file?: ShownFile;
}

/** What a view showed at one time. */
export interface Look {
  readonly shown: readonly Shown[];
  readonly exchanges: readonly Exchange[];
}

/** Who looks, at what. */
interface Viewing {
  readonly context: Changing;
  readonly scene: Scene;
  readonly actor: Actor;
}

/** A way to look at a workspace. */
export interface View {
  readonly label: string;
  /** The only one to whom it is open; every agent when `undefined`. */
  readonly by?: 'machine';
  /** It is the plainest of its stream: whom a change is about looks there, shut out meanwhile or not. */
  readonly isPlainest?: boolean;
  /** `undefined` where nothing can be said: the workspace lacks what is looked at, or the answer does not say. */
  readonly look: (viewing: Viewing) => Promise<Look | undefined>;
}

const limit = 100;

/** Every way to look; those of one stream stand together, so that each has another reader. */
export const views: readonly View[] = [
  { ...channel('the channel', {}), isPlainest: true },
  channel('the channel from its middle', { isFromMiddle: true }),
  channel('the channel with a wait', { wait: 1 }),
  channel('the second channel', { isSecond: true }),
  {
    ...pages('the feed', 'mention', ({ actor }) => walked((after) => readMentions(actor, after, limit))),
    isPlainest: true,
  },
  pages('the feed after a page of one', 'mention', ({ actor }) =>
    walked((after) => readMentions(actor, after, after === 0n ? 1 : limit)),
  ),
  pages('the newest mentions', 'mention', async ({ actor }) => {
    const newest = await readMentions(actor, undefined, limit);
    // A byte cap may shorten this page too: what follows is read on.
    const onward =
      newest.hasMore === true && newest.nextAfter !== undefined
        ? await walked((after) => readMentions(actor, after, limit), newest.nextAfter)
        : [];
    return onward && [newest, ...onward];
  }),
  {
    label: 'the list of receipts',
    look: async ({ scene: { fresh, messageId, messageMarker, reporterIds }, actor }) => {
      const { answers, problem } = await readFullList(actor, fresh.channel.id);
      const isRecorded = (id: string): boolean =>
        answers.some(({ response }) => recordsRetrieval(response?.json, messageId, id));
      const shown = reporterIds
        .filter(isRecorded)
        .map((id): Shown => ({ kind: 'record', name: id, on: messageMarker }));
      return problem === undefined ? { shown, exchanges: answers } : undefined;
    },
  },
  answer(
    'the list of channels',
    ({ actor }) => actor.channels(),
    (listed, { scene }) => {
      if (listed.response === undefined || mayGoOn(listed.response)) return undefined;
      const ids = idsIn(listed.response.json);
      return channelsOf(scene)
        .filter((id) => ids.some((each) => isSameId(each, id)))
        .map((name) => ({ kind: 'listed channel', name }));
    },
  ),
  answer(
    'the metadata of a file',
    ({ context: { bindings }, scene: { keptId }, actor }) =>
      keptId && actor.request({ path: bindings.file.replaceAll('{file_id}', keptId) }),
    ({ response }, { scene: { keptId = '' } }) => {
      const file = fileIn(response?.json);
      return file === undefined ? [] : [{ kind: 'file', name: keptId, file }];
    },
    [],
  ),
  answer(
    'the bytes of a file',
    ({ context, scene: { keptId }, actor }) => keptId && download({ ...context, author: actor }, keptId),
    // A link to where the bytes are, or word that they come later, may be another each time.
    (answered, { scene }) => {
      if (isWordOnFile(answered)) return undefined;
      return isDownload(answered, scene)
        ? [{ kind: 'bytes', name: digestOf(answered.response?.bytes ?? new Uint8Array()) }]
        : [];
    },
  ),
  {
    ...answer(
      'the overview',
      ({ scene: { fresh }, actor }) => actor.overview(fresh.workspaceId),
      (exchange, { scene }) => {
        const { channels, members } = overviewIn(exchange);
        return [
          ...channelsOf(scene)
            .filter((id) => hasId(channels, id))
            .map((name): Shown => ({ kind: 'channel of the overview', name })),
          ...members.flatMap(({ id }): Shown[] =>
            typeof id === 'string' ? [{ kind: 'member', name: id.toLowerCase() }] : [],
          ),
        ];
      },
    ),
    by: 'machine',
  },
];

function channelsOf({ fresh, secondId }: Scene): readonly string[] {
  return [fresh.channel.id, ...(secondId === undefined ? [] : [secondId])];
}

/** A view that is one answer; `gone` is what one shows that says that nothing is there, and any other refusal says nothing. */
function answer(
  label: string,
  ask: (viewing: Viewing) => Promise<Exchange> | '' | undefined,
  shownIn: (exchange: Exchange, viewing: Viewing) => readonly Shown[] | undefined,
  gone?: readonly Shown[],
): View {
  return {
    label,
    look: async (viewing) => {
      const exchange = await ask(viewing);
      if (exchange === undefined || exchange === '') return undefined;
      const refused = [404, 410].includes(statusOf(exchange) ?? 0) ? gone : undefined;
      const shown = isAccepted(exchange) ? shownIn(exchange, viewing) : refused;
      return shown && { shown, exchanges: [exchange] };
    },
  };
}

/** A view of messages, read to its end. */
function pages(
  label: string,
  kind: 'message' | 'mention',
  read: (viewing: Viewing) => Promise<readonly PageRead[] | undefined>,
): View {
  return {
    label,
    look: async (viewing) => {
      const walked = await read(viewing);
      if (walked === undefined || !walked.every(({ exchange }) => isAccepted(exchange))) return undefined;
      return {
        shown: shownOn(walked, kind, viewing.scene),
        exchanges: walked.map(({ exchange }) => exchange),
      };
    },
  };
}

/** Our messages, and on each the agents that retrieved it and its files. */
function shownOn(
  walked: readonly PageRead[],
  kind: 'message' | 'mention',
  { drafts, deletedId, keptId, reporterIds, withFiles }: Scene,
): readonly Shown[] {
  const items = walked.flatMap((page) => page.items);
  return drafts.flatMap((draft): readonly Shown[] => {
    const item = findIn(items, draft);
    if (item === undefined) return [];
    const on = draft.marker;
    const { receipts, attachments } = item.message;
    // A field that is left out, as by an older release, says of nothing that it is gone.
    const { agentIds, hasMore } = previewIn(receipts) ?? { agentIds: [], hasMore: true };
    const retrieval = (id: string): Shown => ({ kind: 'retrieval', name: `${id} on message ${on}`, on });
    const attachment = (of: Kind, id = ''): readonly Shown[] => {
      const shown = { kind: of, name: `${id} on message ${on}`, on };
      const file = fileAmong(attachments, id);
      if (file !== undefined) return [{ ...shown, file }];
      return Array.isArray(attachments) ? [] : [{ ...shown, isAnnounced: true }];
    };
    return [
      { kind, name: on, at: item.sequence, hasFiles: withFiles.includes(draft) },
      ...agentIds.map(retrieval),
      ...(hasMore ? reporterIds : []).map((id) => ({ ...retrieval(id), isAnnounced: true })),
      ...attachment('attachment', keptId),
      ...attachment('attachment that is deleted', deletedId),
    ];
  });
}

/** A channel, read in one of its forms. */
function channel(
  label: string,
  form: { readonly isSecond?: boolean; readonly isFromMiddle?: boolean; readonly wait?: number },
): View {
  const { isSecond = false, isFromMiddle = false, ...query } = form;
  return pages(label, 'message', async ({ context: { bindings }, scene, actor }) => {
    const id = isSecond ? scene.secondId : scene.fresh.channel.id;
    if (id === undefined) return undefined;
    const read = async (after: bigint | undefined): Promise<PageRead> =>
      readPage(await actor.readChannel(id, { after, limit, ...query }), bindings.items);
    return walked(read, isFromMiddle ? scene.middle : 0n);
  });
}

/** From a cursor to the end; `undefined` where that does not come. */
async function walked(
  read: (after: bigint | undefined) => Promise<PageRead>,
  from = 0n,
): Promise<readonly PageRead[] | undefined> {
  const { isComplete, pages: all } = await walk(read, from);
  return isComplete ? all : undefined;
}
