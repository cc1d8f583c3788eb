import { expect, it } from 'vitest';
import { areaOf } from '../../harness/check/check.ts';
import { contractRules, type AnswerHook, type RouteName, type Rules } from '../../reference/index.ts';
import { refusal, spoilSuccess } from '../../selftest/mutants/base/spoil-answer.ts';
import { allChecks } from '../../suites/index.ts';
import { findingsOf, runAgainst } from './run-suite.ts';

interface Allowed {
  readonly what: string;
  readonly area: string;
  readonly rules?: Partial<Rules>;
  readonly answer?: AnswerHook;
}

interface Listing {
  readonly receipts: readonly unknown[];
}

const missing = (route: RouteName): AnswerHook => spoilSuccess(route, () => refusal(404)).answer;

const listed = (change: (listing: Listing) => unknown): AnswerHook =>
  spoilSuccess('receipts', (answer) => ({ ...answer, body: change(answer.body as Listing) })).answer;

/** Servers that do less than the reference, one area each; what every check has to live with is a variant. */
export const allowed: readonly Allowed[] = [
  { what: 'takes no uploads', area: 'file', answer: missing('upload') },
  { what: 'shows no files', area: 'file', rules: { presentAttachments: () => [] } },
  { what: 'tells of an upload to whom it is of alone', area: 'file', answer: ownUploads() },
  {
    what: 'wants a parameter for its channels',
    area: 'discovery',
    ...spoilSuccess('channels', () => refusal(400)),
  },
  {
    what: 'has an error of its own for any workspace but that of the machine, and shows no ids of members',
    area: 'overview',
    answer: (answer, { route }) =>
      route !== 'overview' || answer.status === 401
        ? undefined
        : answer.status === 200
          ? { ...answer, body: withoutMemberIds(answer.body) }
          : refusal(500),
  },
  {
    what: 'does not say whether more receipts follow',
    area: 'receipts',
    answer: listed(({ receipts }) => ({ receipts })),
  },
  {
    what: 'takes reports and forgets them',
    area: 'receipts',
    rules: { recordedMs: () => 0, isPreviewed: () => false },
    answer: (answer, request) =>
      request.route === 'reportReceipts'
        ? { status: 204, headers: {} }
        : listed(() => ({ receipts: [] }))(answer, request),
  },
];

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
export const otherAllowed: readonly Allowed[] = [
  {
    what: 'wants a parameter for its channels of anybody, and knows nobody without access',
    area: 'auth',
    rules: { kindOfNoAccess: () => 'unauthenticated' },
    answer: (_answer, { route }) => (route === 'channels' ? refusal(400) : undefined),
  },
  { what: 'has no call for a file', area: 'file', answer: missing('file') },
  { what: 'has no download', area: 'file', answer: missing('fileContent') },
  {
    what: 'has its start page where others show a file',
    area: 'file',
    answer: (answer, { route }) =>
      route === 'file' ? { ...answer, status: 200, body: { welcome: true } } : undefined,
  },
  {
    what: 'lists its channels one by one',
    area: 'discovery',
    ...spoilSuccess('channels', (answer) => ({
      ...answer,
      body: {
        channels: (answer.body as { channels: unknown[] }).channels.slice(-1),
        next_cursor: 'b2Zmc2V0OjE',
      },
    })),
  },
  {
    what: 'leads to its storage for a file',
    area: 'file',
    ...spoilSuccess('file', () => ({ status: 307, headers: { location: 'https://storage.example/f' } })),
  },
  {
    what: 'wants a parameter for its receipts',
    area: 'receipts',
    ...spoilSuccess('receipts', () => refusal(400)),
  },
  {
    what: 'lists receipts with a cursor',
    area: 'receipts',
    answer: listed(({ receipts }) => ({ data: receipts, next_cursor: 'abc' })),
  },
  { what: 'lists receipts barely', area: 'receipts', answer: listed(({ receipts }) => receipts) },
  { what: 'lists one agent at most', area: 'receipts', rules: { previewSize: () => 1 } },
];

/** Holds the checks of an area against each. */
export function testAllowed(servers: readonly Allowed[]): void {
  it.concurrent.each(servers)('a server is not failed that $what', async ({ area, rules, answer }) => {
    const checks = allChecks.filter((check) => areaOf(check) === area);
    expect(checks.length).toBeGreaterThan(2);
    const run = await runAgainst(checks, {
      rules: { ...contractRules, ...rules },
      ...(answer && { answer }),
    });
    expect(findingsOf(run)).toEqual([]);
    expect(run.footer.end).toBe('complete');
  });
}
