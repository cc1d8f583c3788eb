import type { Context } from '../../../harness/check/context.ts';
import type { NeedName } from '../../../harness/config/capabilities.ts';
import type { RoleName } from '../../../harness/config/roles.ts';
import type { ClauseId } from '../../../spec/index.ts';
import type { Expected, Rule } from './asked-forms.ts';
import {
  claimant,
  credentialFaults,
  ofRole,
  type CredentialFault,
  type CredentialKind,
} from './credential-faults.ts';
import { agentCalls, boundCalls, channelCalls, overviewCall, type GuardedCall } from './guarded-calls.ts';
import { channelReadCall, channelsListCall, mentionsCall } from './guarded-calls.ts';
import { seeRefusedReport } from './refused-report.ts';

/** A call that credentials of some kinds do not open. */
export interface Closing {
  /** What follows `auth.` in the id of its check. */
  readonly slug: string;
  /** Completes “a call …”. */
  readonly words: string;
  readonly call: GuardedCall;
  readonly kinds: readonly CredentialKind[];
  /** Whose they are, if they are good for something else. */
  readonly holder?: RoleName;
  readonly needs: readonly NeedName[];
  /** What each answer has to be; the first rule is that of the cells. */
  readonly rules: readonly [Rule, ...Rule[]];
  /** Those that nobody can know, where a server that lets one in breaks another clause. */
  readonly others?: readonly CredentialKind[] | undefined;
  /** Another call, where this one has a clause of its own: what is wrong by the clause of all calls, and there as well, is left to that. */
  readonly elsewhere?: { readonly call: GuardedCall; readonly expected: Expected };
  /** The clause that leaves open how exactly it is refused. */
  readonly observed?: ClauseId;
  /** What else is seen of it once it was refused. */
  readonly afterwards?: {
    readonly clause: ClauseId;
    readonly see: (context: Context<NeedName>) => Promise<void>;
  };
}

const outsiders = {
  holder: 'outsider',
  words: 'as an agent without access',
  kinds: [{ ...ofRole('outsider', 'as an agent without access'), mayDoNothing: true }],
  needs: ['outsider', 'author', 'channel'],
} as const;

const ofOverview: Pick<Closing, 'call' | 'rules' | 'observed'> = {
  call: overviewCall,
  rules: [['overview.requires-a-machine-token', 'refused']],
  observed: 'auth.wrong-surface-status',
};

/** Each call with each credential that does not open it. */
export const closings: readonly Closing[] = [
  ...[...agentCalls, overviewCall].flatMap((call) =>
    credentialFaults
      .filter(({ role }) => role === undefined || call.holder === 'author')
      .map((fault) => withFault(call, fault)),
  ),
  ...agentCalls.map(toMachines),
  {
    slug: 'agent-token-does-not-open-overview',
    ...ofOverview,
    ...heldBy('author', 'with an agent token', 'channel'),
    // The machine, or the human, behind an agent may be one of those that the call is open to.
    kinds: [
      ofRole('author', 'with an agent token'),
      ofRole('reader', 'with the token of an agent on the machine that the call is open to'),
    ],
  },
  {
    slug: 'api-key-does-not-open-overview',
    ...ofOverview,
    ...heldBy('api-key', 'with a workspace API key', 'author', 'channel'),
  },
  ...channelCalls.flatMap((call): Closing[] => [
    toStrangers(call),
    {
      slug: `no-access-to-${call.slug}-is-403`,
      call,
      ...outsiders,
      rules: [
        ['auth.no-access-is-403', [403, 404]],
        ['auth.no-access-is-not-hidden', [403]],
      ],
    },
  ]),
  {
    slug: 'no-access-to-mentions-is-403',
    call: mentionsCall,
    ...outsiders,
    rules: [['errors.mentions-no-access-is-403', [403]]],
    elsewhere: { call: channelReadCall, expected: [403, 404] },
    observed: 'errors.codes',
  },
  {
    slug: 'no-access-shows-no-channels',
    call: channelsListCall,
    ...outsiders,
    rules: [['auth.no-access-lists-no-channel', 'unlisted']],
    elsewhere: { call: channelReadCall, expected: 'unlisted' },
  },
  ...boundCalls.flatMap(boundToRoles),
];

/** The closings of a call that the contract does not show, which one check sees together. */
export interface ClosedTogether {
  readonly call: GuardedCall;
  readonly closings: readonly Closing[];
}

/** What the calls that a target names are closed to without anybody of a role: one check of each call sees it. */
export const boundClosings: readonly ClosedTogether[] = boundCalls.map((call) => ({
  call,
  closings: credentialFaults.filter(({ role }) => role === undefined).map((fault) => withFault(call, fault)),
}));

/** To whom else they are closed; with which status they refuse somebody known is not shown. */
function boundToRoles(call: GuardedCall): readonly Closing[] {
  const strangers = toStrangers(call);
  const afterwards = { clause: 'receipts.refused-report-lists-nobody', see: seeRefusedReport } as const;
  return [
    ...credentialFaults.filter(({ role }) => role !== undefined).map((fault) => withFault(call, fault)),
    toMachines(call),
    // Of another workspace no agent sees a file: that is said by a clause of files.
    ...(call.slug === 'report' ? [{ ...strangers, afterwards }] : []),
    {
      slug: `no-access-to-${call.slug}-is-refused`,
      call,
      ...outsiders,
      rules: [['auth.no-access-is-403', 'refused']],
    },
  ];
}

function toMachines(call: GuardedCall): Closing {
  return {
    slug: `machine-token-does-not-open-${call.slug}`,
    call,
    ...heldBy('machine', 'with a machine token', 'workspace', 'author', 'channel'),
    rules: [['auth.machine-token-refused-on-agent-surface', 'refused']],
    observed: 'auth.wrong-surface-status',
  };
}

function toStrangers(call: GuardedCall): Closing {
  return {
    slug: `agent-of-another-workspace-does-not-open-${call.slug}`,
    call,
    ...heldBy('stranger', 'as an agent of another workspace'),
    kinds: [ofRole('stranger', 'as an agent of another workspace'), claimant],
    rules: [['auth.other-workspace-refused', 'refused']],
  };
}

/**
 * One call with one kind of credential that nobody gave out. So the listing of mentions with a valid token and eight characters more, in
 * each way in which a token can be sent, is to be answered with 401; if the list of channels errs in the same way, the clause of all
 * calls is named instead.
 */
function withFault(call: GuardedCall, fault: CredentialFault): Closing {
  const { slug, kinds, role, others, words = kinds[0].words } = fault;
  const own = call === mentionsCall ? fault.mentionsRules : undefined;
  const rules = own ?? fault.rules;
  const expected = fault.rules[0][1];
  return {
    slug: `${call.slug}-${slug}-is-${refusalWord(rules[0][1])}`,
    words,
    call,
    kinds,
    needs: role === undefined ? [] : [role],
    rules,
    others,
    ...(own && { elsewhere: { call: channelsListCall, expected }, observed: 'errors.codes' }),
  };
}

function heldBy(
  holder: RoleName,
  words: string,
  ...more: readonly NeedName[]
): Pick<Closing, 'holder' | 'words' | 'kinds' | 'needs'> {
  return { holder, words, kinds: [ofRole(holder, words)], needs: [holder, ...more] };
}

/** How ids of checks name what a credential meets: its one status, or that it is refused with any of several. */
export function refusalWord(statuses: readonly number[]): string {
  return statuses.length === 1 ? `${statuses[0]}` : 'refused';
}
