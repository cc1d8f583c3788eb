import { showOverview } from '../../../spec/calls/index.ts';
import {
  afterSpace,
  channelAfterSpace,
  channelLimitSpace,
  limitSpace,
  waitSpace,
} from '../../../generators/spaces/query/parameter-space.ts';
import { unsupportedParameterSpace } from '../../../generators/spaces/query/unsupported-parameter-space.ts';
import { credentialSpace } from '../../../generators/spaces/request/credential-space.ts';
import {
  type PathIdInput,
  readChannelIdSpace,
  workspaceIdSpace,
} from '../../../generators/spaces/request/path-id-spaces.ts';
import type { RoleName } from '../../../harness/config/roles.ts';
import type { CaseRequest } from '../case-request.ts';
import { channelReadOf, goodRequests, mentionsOf, spokenBy } from '../baseline-requests.ts';
import { listed, injectionPoint, type InjectionPoint } from '../injection-point.ts';

const onlyWay = [''] as const;

/** Cursors and limits of a channel read. */
export const readInjectionPoints: readonly InjectionPoint[] = [
  injectionPoint(
    'read',
    'channel-after',
    channelAfterSpace,
    ['limit=1', 'limit=100'] as const,
    (after, rest) => channelReadOf(joined(after, rest)),
  ),
  injectionPoint('read', 'channel-limit', channelLimitSpace, onlyWay, (limit) =>
    channelReadOf(joined('after=0', limit)),
  ),
  // The channel holds a message by then, so that nobody has to wait. A limit of one is left open, and cheap; the wait that is shown
  // stands beside the limit that is shown, since a server may ask for both.
  injectionPoint(
    'read',
    'wait',
    waitSpace,
    ['after=0&limit=1', 'after=0&limit=100'] as const,
    (wait, rest) => channelReadOf(joined(rest, wait)),
    (wait) => [wait === 'wait=25' ? 1 : 0],
  ),
  injectionPoint('read', 'channel-id', readChannelIdSpace, onlyWay, (id) =>
    channelReadOf('after=0&limit=1', derivedFrom('channel', id)),
  ),
];

/** A segment of a path with places for what is made of the right id. */
export function derivedFrom(what: 'channel' | 'workspace', { segment }: PathIdInput): string {
  return segment.replaceAll(/\{([a-z-]+)\}/g, `{${what}:$1}`);
}

/** Cursors, limits and parameters that the listing of mentions does not have. */
export const mentionsInjectionPoints: readonly InjectionPoint[] = [
  injectionPoint('mentions', 'limit', limitSpace, ['', 'after=0'] as const, (limit, rest) =>
    mentionsOf(joined(limit, rest)),
  ),
  injectionPoint('mentions', 'after', afterSpace, ['limit=1', ''] as const, (after, rest) =>
    mentionsOf(joined(after, rest)),
  ),
  injectionPoint('mentions', 'unsupported', unsupportedParameterSpace, onlyWay, (parameter) =>
    mentionsOf(joined('limit=1', parameter)),
  ),
];

/** Addresses of a workspace, for the machine that belongs to it. */
export const overviewInjectionPoints: readonly InjectionPoint[] = [
  injectionPoint('overview', 'workspace-id', workspaceIdSpace, onlyWay, (id) =>
    spokenBy('machine', showOverview(derivedFrom('workspace', id))),
  ),
];

/** A call that wants a credential. */
export type Guarded = keyof typeof goodRequests;

/** Every call with every credential: valid ones, invalid ones, and those of others; none without a valid one, since nothing tells then what is open. */
export function authenticationInjectionPoints(
  roles: ReadonlySet<RoleName>,
  calls: readonly Guarded[],
): readonly InjectionPoint[] {
  if (roles.size === 0) return [];
  const ways = [
    ...calls.map((call) => ({ request: goodRequests[call], holder: holderOf(call) })),
    ...otherForms
      .filter(({ call }) => calls.includes(call as Guarded))
      .map((request) => ({ request, holder: 'author' as const })),
  ];
  const baselines = [...calls.keys()];
  const others = ways.length - calls.length;
  let turn = 0;
  const holders = [...roles].map((role) => ({ label: `role/${role}`, value: role }));
  return [
    injectionPoint(
      'authentication',
      'credential',
      credentialSpace,
      ways,
      ({ authorization }, { request, holder }) =>
        withAuthorization(
          request,
          authorization?.replaceAll(/\{(token|look-alike)\}/g, `{$1:${holder}}`) ?? undefined,
        ),
      // One of the other forms in turn: all of them would be most of a campaign.
      () => (others === 0 ? baselines : [...baselines, calls.length + ((turn += 1) % others)]),
    ),
    injectionPoint(
      'authentication',
      'role',
      listed(holders),
      ways,
      (role, { request }) => withAuthorization(request, `Bearer {token:${role}}`),
      () => [...ways.keys()],
    ),
  ];
}

/** Reads that a server may guard elsewhere than the baseline requests: by cursor, and while it waits. */
const otherForms: readonly CaseRequest[] = [
  mentionsOf('after=0&limit=1'),
  channelReadOf('limit=1'),
  mentionsOf('after=1000000000&limit=1'),
  channelReadOf('after=1000000000&limit=1'),
  channelReadOf('after=0&limit=1&wait=1'),
  channelReadOf('after=1000000000&limit=1&wait=1'),
];

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
