import { credentialSpace } from '../../generators/credential-space.ts';
import { workspaceIdSpace } from '../../generators/path-id-spaces.ts';
import { afterSpace, channelAfterSpace, channelLimitSpace, limitSpace } from '../../generators/query-spaces.ts';
import { unsupportedParameterSpace } from '../../generators/unsupported-parameter-space.ts';
import type { RoleName } from '../../harness/target/roles.ts';
import type { CaseRequest } from '../case-request.ts';
import { goodRequests, readOf } from '../good-requests.ts';
import { listed, slot } from '../slot.ts';
import type { Slot } from '../slot.ts';

const channelPath = '/v0/channels/{channel}/messages';
const onlyWay = [''] as const;

/** Cursors and limits of a channel read. */
export const readSlots: readonly Slot[] = [
  slot('read', 'channel-after', channelAfterSpace, ['limit=1', 'limit=100'] as const, (after, rest) =>
    readOf('channel-read', channelPath, 'author', joined(after, rest)),
  ),
  slot('read', 'channel-limit', channelLimitSpace, onlyWay, (limit) =>
    readOf('channel-read', channelPath, 'author', joined('after=0', limit)),
  ),
];

/** Cursors, limits and parameters that the listing of mentions does not have. */
export const mentionsSlots: readonly Slot[] = [
  slot('mentions', 'limit', limitSpace, ['', 'after=0'] as const, (limit, rest) =>
    readOf('mentions', '/v0/mentions', 'author', joined(limit, rest)),
  ),
  slot('mentions', 'after', afterSpace, ['limit=1', ''] as const, (after, rest) =>
    readOf('mentions', '/v0/mentions', 'author', joined(after, rest)),
  ),
  slot('mentions', 'unsupported', unsupportedParameterSpace, onlyWay, (parameter) =>
    readOf('mentions', '/v0/mentions', 'author', joined('limit=1', parameter)),
  ),
];

/** Addresses of a workspace, for the machine that belongs to it. */
export const overviewSlots: readonly Slot[] = [
  slot('overview', 'workspace-id', workspaceIdSpace, onlyWay, ({ segment }) =>
    readOf('overview', `/v1/human/workspaces/${segment.replaceAll(/\{([a-z-]+)\}/g, '{workspace:$1}')}`, 'machine'),
  ),
];

/** A call that wants a credential. */
export type Guarded = keyof typeof goodRequests;

/** Every call with every credential that is one, is none, or belongs to somebody else. */
export function authenticationSlots(roles: ReadonlySet<RoleName>, calls: readonly Guarded[]): readonly Slot[] {
  const ways = calls.map((call) => ({ request: goodRequests[call], holder: holderOf(call) }));
  const others = [...roles].map((role) => ({ label: `role/${role}`, value: role }));
  return [
    slot('authentication', 'credential', credentialSpace, ways, ({ authorization }, { request, holder }) =>
      withAuthorization(request, authorization?.replaceAll(/\{(token|look-alike)\}/g, `{$1:${holder}}`) ?? undefined),
      ways.length,
    ),
    slot('authentication', 'role', listed(others), ways, (role, { request }) =>
      withAuthorization(request, `Bearer {token:${role}}`),
      ways.length,
    ),
  ];
}

function holderOf(call: Guarded): RoleName {
  return call === 'overview' ? 'machine' : 'author';
}

function withAuthorization(request: CaseRequest, authorization: string | undefined): CaseRequest {
  const { authorization: _usual, ...headers } = request.headers as Readonly<Record<string, string>>;
  return { ...request, headers: { ...headers, ...(authorization === undefined ? {} : { authorization }) } };
}

function joined(one: string, other: string): string {
  return [one, other].filter((part) => part !== '').join('&');
}
