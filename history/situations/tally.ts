import type { ClauseId } from '../../spec/index.ts';
import type { History, Read, Send } from '../operation.ts';
import { declarations } from './declared.ts';
import type { Declaration } from './declared.ts';
import { dimensions, isPossible } from './dimensions.ts';
import type { DimensionName, Values } from './dimensions.ts';
import { Situations } from './values.ts';

/** Of how many situations, pairs of values along what it declares, a history put a clause to the test. */
export interface ClauseTally {
  readonly clause: ClauseId;
  readonly along: readonly DimensionName[];
  readonly pairs: number;
  readonly seen: number;
  /** Those that never arose, as `limit 99, reader peer`. */
  readonly missing: readonly string[];
}

let declared: readonly ClauseTally[] | undefined;

/** The pairs that each clause declares, without a history to count in. */
export function declaredPairs(): readonly ClauseTally[] {
  declared ??= listPairs();
  return declared;
}

function listPairs(): readonly ClauseTally[] {
  return entries().map(([clause, declaration]) => {
    const missing = pairsOf(declaration);
    return { clause, along: declaration.along, pairs: missing.length, seen: 0, missing };
  });
}

/** How many of its declared situations arose for each clause: accepted reads, and the messages on them that the run sent. */
export function tallyOf(history: History): readonly ClauseTally[] {
  const seen = new Map(entries().map(([clause]) => [clause, new Set<string>()]));
  const counted = new Set<string>();
  for (const { subject, call, values } of situationsIn(history)) {
    // Most messages are on many pages, in the same situation.
    const key = `${subject} ${call} ${JSON.stringify(values)}`;
    if (counted.has(key)) continue;
    counted.add(key);
    for (const [clause, declaration] of entries()) {
      if (declaration.subject !== subject || (declaration.call ?? call) !== call) continue;
      const found = seen.get(clause);
      for (const pair of pairsIn(values, declaration)) found?.add(pair);
    }
  }
  return declaredPairs().map((each) => {
    const found = seen.get(each.clause) ?? new Set();
    const missing = each.missing.filter((pair) => !found.has(pair));
    return { ...each, seen: each.pairs - missing.length, missing };
  });
}

/** Those of some clauses that no declared situation of theirs ever arose for; clauses that declare none are left out. */
export function unreachedIn(history: History, clauses: Iterable<ClauseId>): ReadonlySet<ClauseId> {
  const declaring = new Map(
    [...clauses].flatMap((clause) => {
      const declaration = declarations[clause];
      return declaration === undefined ? [] : [[clause, declaration] as const];
    }),
  );
  if (declaring.size === 0) return new Set();
  for (const { subject, call, values } of situationsIn(history)) {
    for (const [clause, declaration] of declaring) {
      if (declaration.subject !== subject || (declaration.call ?? call) !== call) continue;
      if (hasPair(values, declaration)) declaring.delete(clause);
    }
    // Where all can be reached that is soon so.
    if (declaring.size === 0) break;
  }
  return new Set(declaring.keys());
}

interface Situation {
  readonly subject: Declaration['subject'];
  readonly call: Read['call'];
  readonly values: Values;
}

function* situationsIn(history: History): Generator<Situation> {
  const known = new Situations(history);
  const sends = new Map<string, Send>();
  for (const each of history.operations) {
    const marker = each.kind === 'send' && each.outcome === 'accepted' ? keyOf(each.content) : undefined;
    if (marker !== undefined) sends.set(marker, each as Send);
  }
  const valuesOfSends = new Map([...sends.values()].map((send) => [send, known.ofSend(send)]));
  // Whether something is listed that should not be is put to the test by every send.
  for (const values of valuesOfSends.values()) yield { subject: 'presence', call: 'mentions', values };
  for (const read of history.operations) {
    if (read.kind !== 'read' || read.outcome !== 'accepted' || !read.isBaseline) continue;
    const { call } = read;
    const ofRead = known.ofRead(read);
    yield { subject: 'page', call, values: ofRead };
    // A cursor that was issued lies in the middle of its stream as any other does.
    if (ofRead.cursor === 'issued') yield { subject: 'page', call, values: { ...ofRead, cursor: 'middle' } };
    for (const { message } of read.items) {
      const send = sends.get(keyOf(message.content) ?? '');
      if (send === undefined) continue;
      const values = { ...ofRead, ...valuesOfSends.get(send), ...known.after(send, message, read) };
      yield { subject: 'message', call, values };
      yield { subject: 'presence', call, values };
    }
  }
}

/** A text without a marker is told by itself. */
function keyOf(content: Send['content']): string | undefined {
  return content?.marker ?? content?.digest;
}

function entries(): readonly (readonly [ClauseId, Declaration])[] {
  return Object.entries(declarations) as [ClauseId, Declaration][];
}

function pairsOf(declaration: Declaration): readonly string[] {
  return couplesOf(declaration).flatMap(([one, other]) =>
    valuesOf(one).flatMap((first) =>
      valuesOf(other)
        .filter((second) => isMeant({ [one]: first, [other]: second }, declaration))
        .map((second) => nameOf(one, first, other, second)),
    ),
  );
}

/** Whether a pair of values is one that a rule can be broken in. */
function isMeant(pair: Values, { call, targets, without }: Declaration): boolean {
  return (
    (pair.target === undefined || without?.includes(pair.target) !== true) &&
    (pair.target === undefined || targets?.includes(pair.target) !== false) &&
    isPossible({ ...(call && { call }), ...pair })
  );
}

function hasPair(values: Values, declaration: Declaration): boolean {
  return couplesOf(declaration).some(([one, other]) => {
    const [first, second] = [values[one], values[other]];
    if (first === undefined || second === undefined) return false;
    return isMeant({ [one]: first, [other]: second }, declaration);
  });
}

function pairsIn(values: Values, declaration: Declaration): readonly string[] {
  return couplesOf(declaration).flatMap(([one, other]) => {
    const [first, second] = [values[one], values[other]];
    return first === undefined || second === undefined ? [] : [nameOf(one, first, other, second)];
  });
}

/** Any two dimensions; where a rule speaks of some targets alone, the target with each. */
function couplesOf({ targets, along }: Declaration): [DimensionName, DimensionName][] {
  return targets === undefined ? couples(along) : along.map((name) => ['target', name]);
}

function couples(along: readonly DimensionName[]): [DimensionName, DimensionName][] {
  return along.flatMap((one, index) =>
    along.slice(index + 1).map((other): [DimensionName, DimensionName] => [one, other]),
  );
}

function valuesOf(name: DimensionName): readonly string[] {
  return dimensions[name];
}

function nameOf(one: string, first: string, other: string, second: string): string {
  return `${one} ${first}, ${other} ${second}`;
}
