import type { ClauseId } from '../../spec/index.ts';
import { clausesOf } from '../anomalies/catalogue.ts';
import {
  betweenAny,
  callOf,
  comingAgain,
  excuses,
  isServed,
  type Request,
} from '../anomalies/coming-again.ts';
import { judgeOf, type Findings } from '../anomalies/findings.ts';
import type { Operation } from '../operation.ts';
import { grouped } from '../../spec/groups.ts';
import { byTime } from '../world/sorted.ts';
import { isOneAgent } from '../world/principals.ts';

/** What the operator may do to whoever is let in: then it is for others to say who has to be. */
const ofAccess: ReadonlySet<string> = new Set(['deactivate', 'revoke', 'expire']);

/**
 * Who is let in, and who is not. A refusal of a good credential, or of the channel that it opens, that comes again though the same is served
 * in between: nobody left and came back twice. And a request that was served of somebody who may not make it. Of traffic nobody knows either.
 */
export const access = judgeOf(['turned-away', 'let-in'], (findings, { history: { operations, facts } }) => {
  if (facts.isPartial === true) return;
  for (const each of operations)
    if (each.kind === 'read' || each.kind === 'send') judgeStranger(findings, each);
  const asked = plainIn(operations);
  const hasChanged = operations.some((each) => each.kind === 'change' && ofAccess.has(each.change));
  const isExcused = hasChanged ? () => true : excuses(operations);
  const requests = asked.filter((each) => isServed(each) || (isTurnedAway(each) && !isExcused(each)));
  const doubted = requests.some(isTurnedAway) ? judgeRefusals(findings, requests) : undefined;
  if (doubted?.has('auth.bearer-accepted') !== true)
    findings.count('auth.bearer-accepted', requests.filter(isServed).length);
});

const ofStrangers: ReadonlySet<ClauseId | undefined> = new Set(clausesOf('let-in'));

/** A request that is to be refused for whoever makes it, and for nothing else. */
function judgeStranger(findings: Findings, request: Request): void {
  const { refusedFor, outcome, status, agent, index } = request;
  if (refusedFor === undefined || !ofStrangers.has(refusedFor) || outcome === 'indeterminate') return;
  findings.hold(refusedFor, outcome === 'refused', () => ({
    name: 'let-in',
    expected: `a refusal: ${agent} may not make this request`,
    actual: `status ${status} to ${callOf(request)}`,
    witness: [request],
    root: `request ${index}`,
  }));
}

/** Finds the clauses that refusals break; gives those that refusals speak against, be they shown to come again or not. */
function judgeRefusals(findings: Findings, requests: readonly Request[]): ReadonlySet<ClauseId> {
  const doubted = new Set<ClauseId>();
  const byPlace = grouped(requests, placeOf);
  for (const clause of clausesOf('turned-away')) {
    const isBreach = (each: Request): boolean => clauseOfRefusal(each) === clause;
    const refused = byTime(requests.filter(isBreach), ({ startedMs }) => startedMs);
    if (refused.length === 0) continue;
    doubted.add(clause);
    const [witness] = [...byPlace.values()].flatMap((alike) => {
      const again = comingAgain(alike, isBreach, { distance: betweenAny });
      return again === undefined ? [] : [again];
    });
    if (witness === undefined) continue;
    const calls = [...new Set(refused.map(callOf))];
    const among = requests.filter((each) => calls.includes(callOf(each)));
    findings.add({
      name: 'turned-away',
      clause,
      expected: 'an answer as such requests of this agent get before and after',
      actual: `status ${[...new Set(refused.map(({ status }) => status))].join(', ')} to ${refused.length} of ${among.length} valid requests (${calls.join(', ')})`,
      witness,
      times: refused.length,
      root: `refusals under ${clause}`,
    });
  }
  return doubted;
}

/**
 * Requests that have to be taken, whoever else is served: of an agent, not of a key that may do less than its agent, and where no key was
 * used before, which may be in conflict.
 */
function plainIn(operations: readonly Operation[]): readonly Request[] {
  const times = new Map<string, number>();
  const keyOf = (each: Request): string | undefined =>
    each.kind === 'send' ? `${each.agent} ${each.key}` : undefined;
  const asked = operations.filter((each): each is Request => each.kind === 'read' || each.kind === 'send');
  for (const each of asked) {
    const key = keyOf(each);
    if (key !== undefined) times.set(key, (times.get(key) ?? 0) + 1);
  }
  return asked.filter(
    (each) =>
      each.expected === 'accept' && isOneAgent(each.agent) && (times.get(keyOf(each) ?? '') ?? 1) === 1,
  );
}

/** Whether somebody was refused for who it is, or what it may see. */
function isTurnedAway(request: Request): boolean {
  return clauseOfRefusal(request) !== undefined;
}

/**
 * The clause that a refusal breaks of a request which has to be taken. A 401 is about the credential on every call, as is a 403 to the mentions,
 * whose list has a status of its own for limits; elsewhere no list says what a 403 or a 404 may stand for. What status the mentions have no
 * room for is for whoever looks at each answer.
 */
function clauseOfRefusal(request: Request): ClauseId | undefined {
  const { status } = request;
  const isMentions = callOf(request) === 'mentions';
  if (status === 401 || (status === 403 && isMentions)) return 'auth.bearer-accepted';
  return !isMentions && (status === 403 || status === 404)
    ? 'service.served-requests-stay-served'
    : undefined;
}

/** Who asks a call, where, and with which parameters: what is refused for one of them is refused for something else. */
function placeOf(request: Request): string {
  const { agent } = request;
  if (request.kind === 'send') return `send ${agent} ${request.channel}`;
  const { after, limit, stream, wait } = request;
  const begin = after === undefined || Number(after) === 0 ? after : 'later';
  return `${agent} ${stream} ${String(begin)} ${limit !== undefined} ${wait !== undefined}`;
}
