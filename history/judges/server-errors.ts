import { clauseOfPassingError, insteadOfPassingError } from '../../spec/oracles/answers/server-errors.ts';
import type { ClauseId } from '../../spec/index.ts';
import type { Operation, Send } from '../operation.ts';
import { clausesOf } from '../anomalies/catalogue.ts';
import {
  betweenAny,
  betweenUnknown,
  callOf,
  comingAgain,
  type Distance,
  excuses,
  isServed,
  type Request,
  startOf,
} from '../anomalies/coming-again.ts';
import { judgeOf, type Findings } from '../anomalies/findings.ts';
import { byTime } from '../world/sorted.ts';
import { grouped, push } from '../../spec/groups.ts';

/**
 * A server error that comes again, though such requests are served in between: no bad moment. Of the mentions the contract
 * lists what an error may be; elsewhere it says nowhere that there is none.
 */
export const serverErrors = judgeOf(['server-error'], (findings, { history: { operations, facts } }) => {
  const isExcused = excuses(operations);
  const distance = facts.isPartial === true ? betweenUnknown : betweenAny;
  const asked = operations.filter((each) => each.kind === 'read' || each.kind === 'send');
  const errors = asked.filter((each) => isError(each) && isPlain(each) && !isExcused(each));
  // Mostly there are none, and to tell shapes apart takes longer than all the rest.
  const unproven = errors.length === 0 ? [] : judgeErrors(findings, { asked, errors, distance });
  countServed(findings, asked, unproven);
});

/** Errors that nothing excuses, beside all that was asked. */
interface Unexcused extends Pick<Asked, 'distance'> {
  readonly asked: readonly Request[];
  readonly errors: readonly Request[];
}

/** Finds the clauses that errors break; gives those that errors speak against, though none of them is shown to come again. */
function judgeErrors(findings: Findings, { asked, errors, distance }: Unexcused): readonly ClauseId[] {
  const served = servedByPart(asked.filter(isServed));
  const likeOf = new Map<Request, Request | undefined>(
    errors.map((each) => [each, servedLike(each, served)]),
  );
  const requests = asked.filter((each) => (isServed(each) ? isPlain(each) : likeOf.get(each) !== undefined));
  const shapes = [...grouped(requests, shapeOf).values()];
  return clausesOf('server-error').filter(
    (clause) => !judgeClause(findings, clause, { requests, shapes, likeOf, distance }),
  );
}

/** A longer content may meet a limit of bodies, which are open. */
const longestContent = 100_000;
/** Targets, or files, of one message. */
const mostOfEach = 20;
/** What a run may find of the same answers: that they come every time, or whenever several requests come at once. */
const proofs = [
  'clause service.valid-requests-are-served',
  'clause service.requests-at-once-are-served',
  'clause channel-read.success-is-2xx',
];

interface Asked {
  readonly requests: readonly Request[];
  /** The same, those of one shape together. */
  readonly shapes: readonly (readonly Request[])[];
  /** For each error a request with all that it has, which was served. */
  readonly likeOf: ReadonlyMap<Request, Request | undefined>;
  /** Between an error and the one that comes again. */
  readonly distance: Distance;
}

/** Whether it is known what errors say of a clause: that it is broken, or nothing. */
function judgeClause(
  findings: Findings,
  clause: ClauseId,
  { requests, shapes, likeOf, distance }: Asked,
): boolean {
  const isBreach = (each: Request): boolean =>
    !isTurnedAway(each) && clauseOfPassingError(callOf(each), each.status) === clause;
  const again = shapes.filter((alike) => alike.some(isServed)).flatMap((alike) => alike.filter(isBreach));
  const others = new Map<string, Request[]>();
  for (const each of byTime(again, startOf)) push(others, callOf(each), each);
  const witnesses = shapes
    .map((alike) => comingAgain(alike, isBreach, { others, distance }))
    .filter((each) => each !== undefined);
  const [witness] = witnesses.toSorted(([one], [other]) => one.startedMs - other.startedMs);
  if (witness === undefined) return again.length === 0;
  const errors = requests.filter(isBreach).toSorted((one, other) => one.startedMs - other.startedMs);
  const calls = [...new Set(errors.map(callOf))];
  const asked = requests.filter((each) => calls.includes(callOf(each)));
  const sinceMs = requests.reduce((least, { startedMs }) => Math.min(least, startedMs), Infinity);
  const timeOf = (error: Request | undefined): string =>
    (((error?.startedMs ?? sinceMs) - sinceMs) / 1_000).toFixed(1);
  findings.add({
    name: 'server-error',
    clause,
    expected: insteadOfPassingError(clause),
    actual: `status ${statusesOf(errors)} to ${errors.length} of ${asked.length} requests (${calls.join(', ')}), the first ${timeOf(errors[0])} s and the last ${timeOf(errors.at(-1))} s after the first request`,
    witness: [...witness, ...witness.map((each) => likeOf.get(each))],
    times: errors.length,
    root: `server errors under ${clause}`,
    dependsOn: proofs,
  });
  return true;
}

/** Told when to come again, by a server that has too much to do; for the mentions the contract has another status for that. */
function isTurnedAway(request: Request): boolean {
  return callOf(request) !== 'mentions' && request.status === 503 && request.retryAfter !== undefined;
}

/** Counts what an error in the place of a request that was served would have broken. Of what an error speaks against nobody knows that it is kept. */
function countServed(findings: Findings, asked: readonly Request[], unproven: readonly ClauseId[]): void {
  const times = new Map<string, number>();
  for (const each of asked)
    if (isServed(each) && isPlain(each)) times.set(callOf(each), (times.get(callOf(each)) ?? 0) + 1);
  for (const clause of clausesOf('server-error')) {
    if (unproven.includes(clause)) continue;
    const calls = [...times].filter(([call]) => clauseOfPassingError(call, 500) === clause);
    findings.count(
      clause,
      calls.reduce((sum, [, count]) => sum + count, 0),
    );
  }
}

/** Valid in every way that the contract speaks of. */
function isPlain(request: Request): boolean {
  if (request.kind === 'read') return request.isBaseline;
  if (request.stores !== 'all') return false;
  const { key, content, targets, files } = request;
  return (
    key !== undefined &&
    content?.marker !== undefined &&
    content.bytes <= longestContent &&
    targets.length <= mostOfEach &&
    files.length <= mostOfEach
  );
}

/** Sends that were served, with all that each carried, by who sent them and each thing that they carried. */
type ServedByPart = ReadonlyMap<string, readonly Carrying[]>;
type Carrying = readonly [send: Send, parts: readonly string[]];

function servedByPart(served: readonly Request[]): ServedByPart {
  const byPart = new Map<string, Carrying[]>();
  for (const each of served) {
    if (each.kind === 'read') continue;
    const parts = partsOf(each);
    for (const part of parts) push(byPart, `${each.agent} ${part}`, [each, parts]);
  }
  return byPart;
}

/** Of sends one that carried at least as much and was accepted: what else a send may carry is not shown. */
function servedLike(request: Request, served: ServedByPart): Request | undefined {
  if (request.kind === 'read') return request;
  const parts = partsOf(request);
  if (parts.length === 0) return request;
  // Any of them carried each: the fewest that carried one are looked at.
  const [fewest = []] = parts
    .map((part) => served.get(`${request.agent} ${part}`) ?? [])
    .toSorted((one, other) => one.length - other.length);
  return fewest.find(([, own]) => parts.every((part) => own.includes(part)))?.[0];
}

/** What a send carries beside its text. */
function partsOf({ contentType, targets, files, session, host }: Send): readonly string[] {
  const named = Object.entries({ contentType, session, host });
  const parts = named.flatMap(([name, value]) => (value === undefined ? [] : `${name} ${value}`));
  return [...targets, ...files, ...parts];
}

/** An answer of a gateway in the server's place has no status in a history. */
function isError({ status }: Pick<Operation, 'status'>): boolean {
  return status !== undefined && status >= 500;
}

/**
 * Requests of one shape are served alike: of one agent, and of one channel in one form. Of the mentions the list of errors is one
 * for all who ask.
 */
function shapeOf(request: Request): string {
  if (request.kind === 'send') return `send ${request.agent} ${request.channel}`;
  const { agent, stream, call, after, limit, wait } = request;
  if (call === 'mentions') return call;
  return `read ${agent} ${stream} ${after === undefined ? 'newest' : 'after'} ${limit} ${wait}`;
}

function statusesOf(errors: readonly Request[]): string {
  return [...new Set(errors.map(({ status }) => status))].join(', ');
}
