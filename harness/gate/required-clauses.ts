import { resolve } from 'node:path';
import {
  type Clause,
  clauses,
  type ClauseId,
  clientClauses,
  type JudgedClauseId,
  originalOf,
} from '../../spec/index.ts';
import { InvalidTarget } from '../errors.ts';
import type { CheckEvent } from '../results/generated/events.ts';
import { columnsByClause } from '../verdict/tally.ts';
import { readTextFile } from '../config/bounded-file.ts';
import { isPattern, namesMeant } from './names-meant.ts';

const maxListBytes = 1_048_576;

/**
 * The clauses that `--require` names: ids, patterns with `*`, the word `must` for all of that level, and `@file` with one of
 * those a line (`#` begins a comment). A pattern and the word leave out what no client can decide.
 * @throws InvalidTarget when a name is unknown, or is that of a clause that can never be decided
 */
export function requiredClauses<Id extends JudgedClauseId = ClauseId>(
  given: readonly string[],
  cwd: string,
  register: readonly Clause<Id>[] = clauses as readonly Clause<JudgedClauseId>[] as readonly Clause<Id>[],
): readonly Id[] {
  const names = given.flatMap((name) =>
    name.startsWith('@') ? namesInFile(name.slice(1), cwd) : [{ name }],
  );
  const meant = new Set(names.flatMap(({ name, place }) => atPlace(place, () => decidable(name, register))));
  return register.map(({ id }) => id).filter((id) => meant.has(id));
}

/** The clauses that a run decided, whatever they came to, sorted; one that restates another is left out. */
export function decidedClauses(events: readonly CheckEvent[]): readonly string[] {
  const decided = [...columnsByClause(events)].flatMap(([id, column]) =>
    ['passed', 'failed', 'warned', 'known'].includes(column) && originalOf(id) === id ? id : [],
  );
  return decided.toSorted();
}

/** A list for `--require @FILE` of the clauses that a run decided. */
export function requireText(decided: readonly string[]): string {
  return `# Clauses that a run decided, for --require @FILE: one that comes to no verdict ends a run with exit code 3.\n${decided
    .map((id) => `${id}\n`)
    .join('')}`;
}

interface NamedClause {
  readonly name: string;
  /** `file:line`; absent for the command line. */
  readonly place?: string;
}

function namesInFile(file: string, cwd: string): readonly NamedClause[] {
  const read = readTextFile(resolve(cwd, file), maxListBytes);
  if ('fault' in read) throw new InvalidTarget(`${file}: the list of required clauses ${read.fault}`);
  const named = read.text.split(/\r?\n/).map((line, index) => ({
    name: line.replace(/#.*/, '').trim(),
    place: `${file}:${index + 1}`,
  }));
  const given = named.filter(({ name }) => name !== '');
  if (given.length === 0)
    throw new InvalidTarget(
      `${file}: the list of required clauses names no clause, so that nothing would be required; write a line for each, or leave --require out`,
    );
  return given;
}

function decidable<Id extends JudgedClauseId>(name: string, register: readonly Clause<Id>[]): readonly Id[] {
  if (name === 'must') return mustsOf(register);
  refuseOthers(name, register);
  const meant = namesMeant(
    'clause',
    [name],
    register.map(({ id }) => id),
  );
  const open = register.filter(
    ({ id, level, untestable }) => meant.includes(id) && (level === 'silent' || untestable),
  );
  const [first] = open;
  if (first !== undefined && (!isPattern(name) || open.length === meant.length)) {
    throw new InvalidTarget(
      `${name} can never be decided: ${first.untestable ?? 'the contract leaves it open'}`,
    );
  }
  return meant.filter((id) => !open.some((clause) => clause.id === id));
}

/** A clause of clients, where servers are judged alone, or the other way round. */
function refuseOthers(name: string, register: readonly Clause<JudgedClauseId>[]): void {
  if (register.some(({ id }) => id === name)) return;
  for (const [whose, own] of [
    ['servers', clauses],
    ['clients', clientClauses],
  ] as const)
    if (own.some(({ id }) => id === name))
      throw new InvalidTarget(`${name} is a clause of ${whose}, which are not judged here`);
}

function mustsOf<Id extends JudgedClauseId>(register: readonly Clause<Id>[]): readonly Id[] {
  return register
    .filter(({ level, untestable }) => level === 'must' && untestable === undefined)
    .map(({ id }) => id);
}

function atPlace<T>(place: string | undefined, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (place === undefined || !(error instanceof InvalidTarget)) throw error;
    throw new InvalidTarget(`${place}: ${error.message}`, { cause: error });
  }
}
