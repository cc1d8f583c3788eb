import { contractRules, type Rules } from '../../../reference/rules/rules.ts';
import type { RequestFacts } from '../../../reference/model/request-facts.ts';
import { type AccessCell, accessCells } from '../../../suites/arrange/auth/access-matrix.ts';
import { endings } from '../../../suites/arrange/auth/endings.ts';
import { mutant, type Mutant } from '../base/mutant.ts';
import type { Memory } from '../base/overlay.ts';
import { routeOf, tokenOf } from './access-cell-mutants.ts';

/** A call that lets those in for some time who have lost what they needed for it. */
interface Lag {
  readonly clause: AccessCell['clause'];
  readonly call: AccessCell['call'];
  readonly credential: string;
}

/** Credentials that ended while they were in use. */
const endedAccess = new Set(endings.flatMap(({ users }) => users.map(({ kind }) => kind.slug)));

/** Each call with each of them once, whatever its forms. */
const lags: readonly Lag[] = [
  ...new Map(
    accessCells
      .filter(({ credential }) => endedAccess.has(credential))
      .map(({ clause, call, credential }) => [`${call}-${credential}`, { clause, call, credential }]),
  ).values(),
];

/** The rules of a server that finds out late. */
function lateRules(
  { first }: Memory,
  credential: string,
  lagMs: number,
  isMeant: (facts: RequestFacts) => boolean,
): Partial<Rules> {
  // From the first request on that it is asked of, so that no delay of the operator's or of a busy machine takes away from it.
  const isUnaware = (who: string): boolean => performance.now() - first(who, performance.now()) < lagMs;
  if (credential === 'access-lost')
    return {
      hasWorkspaceAccess: ({ now, atFirstUse }, facts) =>
        now || (isMeant(facts) && isUnaware(facts.authorization ?? '') && atFirstUse),
    };
  if (credential === 'inactive-machine')
    return { isMachineAlive: (machine) => machine.isActive || isUnaware(machine.id) };
  if (credential === 'human-without-membership')
    return {
      isLinkedMembershipActive: (membership) =>
        contractRules.isLinkedMembershipActive(membership) || isUnaware(membership?.id ?? ''),
    };
  const header = Object.entries(tokenOf).find(([role]) => credential.startsWith(role))?.[1];
  return {
    admits: (problem, _route, facts) =>
      credential.includes(problem) &&
      isMeant(facts) &&
      isUnaware(facts.authorization ?? '') &&
      facts.hasWorked() &&
      header?.test(facts.authorization ?? '') === true,
  };
}

/** The rules of a server that keeps what it found out about access, by credential and call. */
function cachedRules(forMs: number, isMeant: (facts: RequestFacts) => boolean): Partial<Rules> {
  const good = new Map<string, number>();
  return {
    hasWorkspaceAccess: ({ now }, facts) => {
      const key = `${facts.route} ${facts.authorization}`;
      if (now) good.set(key, performance.now());
      return now || (isMeant(facts) && performance.now() - (good.get(key) ?? -forMs) < forMs);
    },
  };
}

/** Rules of a server that asks for a token once per connection: the one that came last, and was let in, stays good there. */
function rememberedOnConnection(): Partial<Rules> {
  const last = new WeakMap<object, string>();
  const isSame = new WeakMap<object, boolean>();
  return {
    tokenMeant: (token, { connection }) => {
      isSame.set(connection, last.get(connection) === token);
      last.set(connection, token);
      return token;
    },
    admits: (problem, _route, { connection }) => {
      if (problem === 'revoked' && isSame.get(connection) === true) return true;
      last.delete(connection);
      return false;
    },
  };
}

/** Servers at which an end comes into effect late: in one call by little, in all that it ends by more, or once a cache expires. */
export const lagMutants: readonly Mutant[] = [
  mutant(
    'connections-remember-their-token',
    'auth.revoked-while-in-use',
    'a token that was let in stays good on the connection that it came on last',
    rememberedOnConnection,
  ),
  ...lags.map(({ clause, call, credential }) =>
    mutant(
      `lag-50-ms-${call}-${credential}`,
      clause,
      `${call} goes on for 50 ms to let in what is ${credential}`,
      (memory) => lateRules(memory, credential, 50, ({ route }) => route === routeOf[call]),
    ),
  ),
  ...lags
    .filter(({ call }) => call === 'channel-read' || call === 'overview')
    .flatMap(({ clause, credential }) =>
      [300, 1000].map((lagMs) =>
        mutant(
          `lag-${lagMs}-ms-${credential}`,
          clause,
          `every call goes on for ${lagMs} ms to let in what is ${credential}`,
          (memory) => lateRules(memory, credential, lagMs, () => true),
        ),
      ),
    ),
  ...lags
    .filter(({ credential }) => credential === 'access-lost')
    .flatMap(({ clause, call }) => [
      mutant(
        `access-is-cached-by-${call}`,
        clause,
        `${call} keeps for a second what it found out about access`,
        () => cachedRules(1000, ({ route }) => route === routeOf[call]),
      ),
      ...(['channel-read', 'send'].includes(call)
        ? [
            mutant(
              `lag-of-the-other-channel-${call}`,
              clause,
              `${call} lets in for 300 ms who lost access, in a channel that is not the default one`,
              (memory) =>
                lateRules(
                  memory,
                  'access-lost',
                  300,
                  ({ route, isOfOtherChannel }) => route === routeOf[call] && isOfOtherChannel(),
                ),
            ),
          ]
        : []),
    ]),
];
