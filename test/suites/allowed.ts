import { describe, it } from 'vitest';
import type { AnswerHook, RouteName } from '../../reference/index.ts';
import { refusal, spoilSuccess } from '../../selftest/mutants/base/spoil-answer.ts';
import { type JudgedServers, judgeServers } from './judged-servers.ts';

interface Listing {
  readonly receipts: readonly unknown[];
}

const missing = (route: RouteName): AnswerHook => spoilSuccess(route, () => refusal(404)).answer;

const listed = (change: (listing: Listing) => unknown): AnswerHook =>
  spoilSuccess('receipts', (answer) => ({ ...answer, body: change(answer.body as Listing) })).answer;

/** Servers that do less than the reference, one area each; what every check has to live with is a variant. */
export const allowed: JudgedServers = {
  'takes no uploads': { by: /^file\./, answer: missing('upload') },
  'shows no files': { by: /^file\./, rules: { presentAttachments: () => [] } },
  'tells of an upload to whom it is of alone': { by: /^file\./, answer: ownUploads() },
  'wants a parameter for its channels': {
    by: /^discovery\./,
    ...spoilSuccess('channels', () => refusal(400)),
  },
  'has an error of its own for any workspace but that of the machine, and shows no ids of members': {
    by: /^overview\./,
    answer: (answer, { route }) =>
      route !== 'overview' || answer.status === 401
        ? undefined
        : answer.status === 200
          ? { ...answer, body: withoutMemberIds(answer.body) }
          : refusal(500),
  },
  'does not say whether more receipts follow': {
    by: /^receipts\./,
    answer: listed(({ receipts }) => ({ receipts })),
  },
  'takes reports and forgets them': {
    by: /^receipts\./,
    rules: { recordedMs: () => 0, isPreviewed: () => false },
    answer: (answer, request) =>
      request.route === 'reportReceipts'
        ? { status: 204, headers: {} }
        : listed(() => ({ receipts: [] }))(answer, request),
  },
};

function withoutMemberIds(body: unknown): unknown {
  const { members, ...others } = body as { readonly members: readonly Readonly<Record<string, unknown>>[] };
  return { ...others, members: members.map((member) => ({ ...member, id: undefined })) };
}

/** At the path of a file, what only whoever put it there is told: how far its upload has come. */
function ownUploads(): AnswerHook {
  const owners = new Map<string, string | null>();
  return (answer, { route, path, actor }) => {
    if (route !== 'file' || answer.status !== 200 || actor === null) return undefined;
    // The first that asks is the one that put it there.
    const owner = owners.get(path) ?? actor.agentId;
    owners.set(path, owner);
    return actor.agentId === owner
      ? { ...answer, body: { id: path.slice(-36), state: 'done' } }
      : refusal(403);
  };
}

/** Others of them, every night. */
export const otherAllowed: JudgedServers = {
  'wants a parameter for its channels of anybody, and knows nobody without access': {
    by: /^auth\./,
    rules: { kindOfNoAccess: () => 'unauthenticated' },
    answer: (_answer, { route }) => (route === 'channels' ? refusal(400) : undefined),
  },
  'has no call for a file': { by: /^file\./, answer: missing('file') },
  'has no download': { by: /^file\./, answer: missing('fileContent') },
  'has its start page where others show a file': {
    by: /^file\./,
    answer: (answer, { route }) =>
      route === 'file' ? { ...answer, status: 200, body: { welcome: true } } : undefined,
  },
  'lists its channels one by one': {
    by: /^discovery\./,
    ...spoilSuccess('channels', (answer) => ({
      ...answer,
      body: {
        channels: (answer.body as { channels: unknown[] }).channels.slice(-1),
        next_cursor: 'b2Zmc2V0OjE',
      },
    })),
  },
  'leads to its storage for a file': {
    by: /^file\./,
    ...spoilSuccess('file', () => ({ status: 307, headers: { location: 'https://storage.example/f' } })),
  },
  'wants a parameter for its receipts': {
    by: /^receipts\./,
    ...spoilSuccess('receipts', () => refusal(400)),
  },
  'lists receipts with a cursor': {
    by: /^receipts\./,
    answer: listed(({ receipts }) => ({ data: receipts, next_cursor: 'abc' })),
  },
  'lists receipts barely': { by: /^receipts\./, answer: listed(({ receipts }) => receipts) },
  'lists one agent at most': { by: /^receipts\./, rules: { previewSize: () => 1 } },
};

/** Holds the checks of an area against each: nothing is found. */
export function testAllowed(servers: JudgedServers): void {
  describe('a server is not failed that', () => {
    judgeServers(servers, it.concurrent);
  });
}
