import { type Column, tallyOf } from '../../harness/results/column.ts';
import type { Tally } from '../../harness/results/generated/events.ts';
import type { NamedRun } from '../compare/comparison.ts';
import { type ClauseRow, everyClause } from '../page/clauses.ts';
import type { State } from '../page/states.ts';
import type { RunSoFar } from '../run-so-far.ts';
import { SafeNames } from './safe-names.ts';

/** A server, and all that is kept of it. */
export interface Server {
  readonly name: string;
  /** What its files and elements are called. */
  readonly safeName: string;
  /** The oldest first; at least one. */
  readonly runs: readonly RunOfServer[];
  /** What counts. */
  readonly newest: RunOfServer;
}

/** A run, and what it says of each clause. */
export interface RunOfServer {
  readonly run: RunSoFar;
  readonly rows: ReadonlyMap<string, ClauseRow>;
}

/** The servers in the order in which they are named first; runs of one name are its history, in the order of their beginnings. */
export function serversOf(named: readonly NamedRun[]): readonly Server[] {
  const names = new SafeNames();
  return [...new Set(named.map(({ name }) => name))].flatMap((name) => {
    const own = named.filter((each) => each.name === name).map(({ run }) => run);
    const runs = own.toSorted((one, other) => (startOf(one) < startOf(other) ? -1 : 1)).map(runOfServer);
    const newest = runs.at(-1);
    return newest === undefined ? [] : [{ name, safeName: names.of(name, 'server'), runs, newest }];
  });
}

function runOfServer(run: RunSoFar): RunOfServer {
  return { run, rows: new Map(everyClause(run).map((row) => [row.id, row])) };
}

function startOf({ header }: RunSoFar): string {
  return header?.startedAt ?? '';
}

/** `2026-03-01 12:00`, in UTC. */
export function startInWords(run: RunSoFar): string {
  return startOf(run).slice(0, 16).replace('T', ' ');
}

/** What a run says of a clause; one that it does not tell of is inconclusive. */
export function stateIn({ rows }: RunOfServer, clause: string): State {
  return rows.get(clause)?.state ?? 'inconclusive';
}

/** How many of some clauses stand how; what no run decides is not counted. */
export function tallyOfStates(all: readonly State[]): Tally {
  return tallyOf(all.filter((state): state is Column => state !== 'silent' && state !== 'untestable'));
}

/** Since when a clause stands as it does in the newest run, without a run between that says otherwise. */
export function sinceInWords({ runs, newest }: Server, clause: string): string {
  const state = stateIn(newest, clause);
  const before = runs.findLastIndex((each) => stateIn(each, clause) !== state);
  const first = runs[before + 1];
  const start = first === undefined ? '' : startInWords(first.run);
  if (before >= 0) return `since ${start}`;
  return runs.length === 1 ? start : `since ${start} or earlier`;
}

/** Clauses that stand otherwise in the newest run than in the one before, by how they stand now. */
export function changesOf({ runs, newest }: Server): Readonly<Record<'broke' | 'fixed', readonly string[]>> {
  const before = runs.at(-2);
  const changed = (from: State, to: State): readonly string[] =>
    before === undefined
      ? []
      : [...newest.rows.keys()].filter(
          (clause) => stateIn(before, clause) === from && stateIn(newest, clause) === to,
        );
  return { broke: changed('passed', 'failed'), fixed: changed('failed', 'passed') };
}
