import type { Read, Send } from '../../operation.ts';
import { type ClauseId, type ClientClauseId, maxTargets } from '../../../spec/index.ts';
import type { ClientJudge } from '../client-judge.ts';

/** Each request by itself: whether it breaks a rule for which every server refuses it, as the oracle of requests says. */
export const requests: ClientJudge = ({ callers, isWhole }, findings) => {
  for (const { requests: made } of callers)
    for (const request of made) {
      if (request.kind === 'report') continue;
      const broken = clauseBrokenBy(request);
      for (const clause of clausesOf(request))
        if (clause !== broken && !isOfSeveralFaults(request)) findings.count(clause);
      // What may be broken, and may not, is neither.
      if (broken === undefined || !(isWhole || isSureOf(broken, request))) continue;
      findings.add({
        name: 'invalid-request',
        clause: broken,
        expected: 'a request that the contract allows',
        actual: `one that breaks ${request.refusedFor ?? 'the form of its targets'}`,
        witness: [request],
        root: `request ${request.index}`,
      });
    }
};

/** Whether the oracle names no rule that is broken: where there are several it may be any. */
function isOfSeveralFaults({ refusedFor }: Send | Read): boolean {
  return refusedFor === 'errors.refusals-are-4xx';
}

/** What the contract says outright of a send or a read of the mentions, whatever a server makes of it. */
const outright = new Set<ClientClauseId>([
  'client.requests.after-in-range',
  'client.requests.limit-in-range',
  'client.send.content-bytes',
  'client.send.content-characters',
]);
/** Answers that find no fault with the request itself. */
const otherRefusals = new Set<number | undefined>([401, 403, 404, 409, 429]);

/**
 * Of live traffic nobody knows what else a server takes, and who adds a credential on the way: beside what is outright, a request is at
 * fault only where the server says so.
 */
function isSureOf(clause: ClientClauseId, { kind, outcome, status, ...request }: Send | Read): boolean {
  if (clause === 'client.requests.carry-a-credential') return status === 401;
  const isNamed = kind === 'send' || ('call' in request && request.call === 'mentions');
  if (outright.has(clause) && isNamed) return true;
  return outcome === 'refused' && !otherRefusals.has(status);
}

/** The oracle knows what every server refuses; of an id it leaves other spellings open, but a name is no spelling of an id. */
function clauseBrokenBy(request: Send | Read): ClientClauseId | undefined {
  const { refusedFor } = request;
  if (refusedFor !== undefined) return clauseOfRule(refusedFor);
  if (request.kind === 'read') return undefined;
  if (request.targets.length > maxTargets) return 'client.send.at-most-20-targets';
  return request.targets.every(hasUuid) ? undefined : 'client.send.targets-by-id';
}

/** Whether a target has 32 hexadecimal digits at its end, however they are written. */
function hasUuid(target: string): boolean {
  return /(?:[0-9a-f]-?){32}\}?$/i.test(target);
}

/** By the rule of servers, that of clients. */
const clauseOfServers: Partial<Readonly<Record<ClauseId, ClientClauseId>>> = {
  'auth.missing-credential': 'client.requests.carry-a-credential',
  'auth.malformed-credential': 'client.requests.carry-a-credential',
  'errors.mentions-missing-credential-is-401': 'client.requests.carry-a-credential',
  'errors.mentions-malformed-credential-is-401': 'client.requests.carry-a-credential',
  'errors.refusals-are-4xx': 'client.requests.keep-their-form',
  'mentions.override-is-400': 'client.requests.mentions-parameters',
  'errors.unsupported-parameter-is-400': 'client.requests.mentions-parameters',
  'mentions.after.type': 'client.requests.after-in-range',
  'mentions.after.min': 'client.requests.after-in-range',
  'channel-read.after-type': 'client.requests.after-in-range',
  'channel-read.after-negative': 'client.requests.after-in-range',
  'mentions.limit.type': 'client.requests.limit-in-range',
  'mentions.limit.min': 'client.requests.limit-in-range',
  'mentions.limit.max': 'client.requests.limit-in-range',
  'send.content.required': 'client.send.content-is-text',
  'send.content.type': 'client.send.content-is-text',
  'send.content.scalars-refused': 'client.send.content-is-text',
  'send.content-type.type': 'client.send.content-is-text',
  'send.content-not-empty': 'client.send.content-bytes',
  'send.content-bytes': 'client.send.content-bytes',
  'send.lone-surrogates-refused': 'client.send.content-characters',
  'send.nul-refused': 'client.send.content-characters',
  'message.mentions.validated': 'client.send.targets-by-id',
  'send.mentions-over-limit': 'client.send.at-most-20-targets',
  'author.agent-host.out-of-range-refused': 'client.send.source-session',
};

/** Credentials that expired, and channels that are gone, are not the fault of a client: they have no clause of it. */
function clauseOfRule(rule: ClauseId): ClientClauseId | undefined {
  return (
    clauseOfServers[rule] ?? (rule.startsWith('source-session.') ? 'client.send.source-session' : undefined)
  );
}

const ofEvery: readonly ClientClauseId[] = [
  'client.requests.carry-a-credential',
  'client.requests.keep-their-form',
];
const ofSends: readonly ClientClauseId[] = [
  'client.send.content-is-text',
  'client.send.content-bytes',
  'client.send.content-characters',
];

/** What a request puts to the test. */
function clausesOf(request: Send | Read): readonly ClientClauseId[] {
  if (request.kind === 'send')
    return [
      ...ofEvery,
      ...ofSends,
      ...(request.targets.length > 0
        ? (['client.send.targets-by-id', 'client.send.at-most-20-targets'] as const)
        : []),
      ...((request.session ?? request.host) ? (['client.send.source-session'] as const) : []),
    ];
  return [
    ...ofEvery,
    ...(request.after === undefined ? [] : (['client.requests.after-in-range'] as const)),
    ...(request.call === 'mentions' ? (['client.requests.mentions-parameters'] as const) : []),
    ...(request.call === 'mentions' && request.limit !== undefined
      ? (['client.requests.limit-in-range'] as const)
      : []),
  ];
}
