import {
  type Answering,
  type JsonObject,
  listOf,
  objectOf,
  spoilBody,
} from '../../mutants/base/spoil-answer.ts';
import { alternatives, leavingOpen, openBy, type Variant } from '../base/variant.ts';

/** What is taken of a send and of an address, where the contract leaves room. */
export const inputVariants: readonly Variant[] = [
  ...leavingOpen({
    'scalars-become-texts: send.content.scalars-refused and send.content-type.type are inferred: many parsers read 7 as "7"':
      ({ rules }) => ({
        readText: (field, value) =>
          typeof value === 'number' || typeof value === 'boolean'
            ? String(value)
            : rules.readText(field, value),
      }),
    'blank-content-is-refused: send.blank-content-accepted is inferred: a byte that says nothing may count as none':
      ({ rules }) => ({
        acceptsNul: (content) => rules.acceptsNul(content) && content.trim() !== '',
      }),
    'session-ids-are-lowered: source-session.invalid-is-refused is inferred: an id in capitals may be read as the same one in small letters':
      ({ rules }) => ({
        readSessionPart: (name, value) => {
          const part = rules.readSessionPart(name, value);
          const isUuid = name === 'session_id' && part !== undefined && /^[0-9a-f-]{36}$/i.test(part);
          return isUuid ? part.toLowerCase() : part;
        },
      }),
    'days-end-at-24-and-have-leap-seconds: source-session.provider-d-real-time: whether 24:00:00 and second 60 are times is not said':
      {
        acceptsProviderDTime: (hour, minute, second) =>
          hour === 24 ? minute === 0 && second === 0 : hour <= 23 && minute <= 59 && second <= 60,
      },
    'a-used-key-always-conflicts: send.equal-replay-is-no-conflict is inferred: a key may be good for one send and no more':
      { onKeyReuse: () => 'conflict' },
    'a-router-knows-ids-by-their-form: an address without an id is none of the contract, and its 404 may be a web page':
      {
        answer: (_answer, { path }) =>
          hasNoId(path)
            ? {
                status: 404,
                headers: { 'content-type': 'text/html' },
                body: Buffer.from('<h1>Not Found</h1>'),
              }
            : undefined,
      },
  }),
  ...alternatives({
    ...openBy(
      'limits.rates: how long a body may be is not shown, and JSON can spell a content in six times its bytes',
      {
        'bodies-end-at-520-kb': { settings: { bodyBytes: 520_000 } },
        'bodies-end-at-800-kb': { settings: { bodyBytes: 800_000 } },
        'bodies-end-at-1-mb': { settings: { bodyBytes: 1_000_000 } },
        'bodies-end-at-1200-kb': { settings: { bodyBytes: 1_200_000 } },
        'bodies-end-at-2-mb': { settings: { bodyBytes: 2_000_000 } },
      },
    ),
    'a-body-beyond-1-mb-is-429: errors.statuses: 429 is what a body-capacity limit is told by': {
      settings: { bodyBytes: 1_000_000 },
      answer: (answer) =>
        answer.status === 413
          ? { ...answer, status: 429, headers: { ...answer.headers, 'retry-after': '0' } }
          : undefined,
    },
  }),
  ...alternatives({
    ...openBy('channels-list.shapes', {
      'channels-are-keyed-by-their-ids': listing((channels) => ({
        channels: Object.fromEntries(channels.map(({ id, ...rest }) => [String(id), rest])),
      })),
      'channels-are-listed-as-links': listing((channels) => ({
        items: channels.map(({ id, workspace_id, display_name }) => ({
          workspace_id,
          display_name,
          url: `https://host.example/v0/channels/${String(id)}/messages`,
        })),
      })),
    }),
  }),
  ...alternatives({
    ...openBy('overview.aliases', {
      'a-workspace-has-aliases': ({ rules }) => ({
        acceptsWorkspaceId: (text) => ['me', 'current'].includes(text) || rules.acceptsWorkspaceId(text),
        addressedWorkspace: (text, own) =>
          rules.acceptsWorkspaceId(text) ? rules.addressedWorkspace(text, own) : (own()?.id ?? text),
      }),
      'a-workspace-has-a-slug': ({ rules }) => ({
        acceptsWorkspaceId: () => true,
        addressedWorkspace: (text, own) =>
          text === own()?.slug ? (own()?.id ?? text) : rules.addressedWorkspace(text, own),
      }),
    }),
  }),
];

function listing(change: (channels: readonly JsonObject[]) => JsonObject): Answering {
  return spoilBody('channels', ({ channels }) => change(listOf(channels).map(objectOf)));
}

/** Whether something else than an id stands where a path of the contract has one. */
function hasNoId(path: string): boolean {
  const [, id] = /^\/v(?:0\/channels|1\/human\/workspaces)\/([^/]+)/.exec(path) ?? [];
  return id !== undefined && !/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);
}
