import { clauses, originalOf } from '../../spec/index.ts';
import { InvalidTarget } from '../errors.ts';
import { allClausesOf, areaOf, type Check, runsAlone } from '../check/check.ts';
import { isPattern, namesMeant } from './names-meant.ts';
import { runWideAreas, runWideChecks } from '../judging/run-wide-checks.ts';

/** What a run is narrowed to, by names and patterns; a check is taken when it meets every list that is not empty. */
export interface Selection {
  readonly checks: readonly string[];
  readonly clauses: readonly string[];
  readonly areas: readonly string[];
  /** Leaves out checks that need the server to themselves; default false. */
  readonly isBesideOthers?: boolean;
}

type IsTaken = (check: Check) => boolean;

/**
 * The checks that a selection names. A clause takes the checks that decide it, also one that it restates. What only
 * watches the form of answers takes all checks, since any answer may show it; but a pattern does so only when it matches
 * nothing else.
 * @throws InvalidTarget when a name is unknown, a pattern matches nothing, or nothing is left to run
 */
export function selectChecks(checks: readonly Check[], selection: Selection): readonly Check[] {
  const filters = [
    takenById(checks, selection.checks),
    takenByClause(checks, selection.clauses),
    takenByArea(checks, selection.areas),
  ];
  if (selection.isBesideOthers === true) filters.push((check) => !runsAlone(check));
  const selected = checks.filter((check) => filters.every((isTaken) => isTaken(check)));
  if (selected.length === 0)
    throw new InvalidTarget('no check matches --check, --clause, --only and --beside-others together');
  return selected;
}

function takenById(checks: readonly Check[], given: readonly string[]): IsTaken {
  const known = [...checks, ...runWideChecks].map(({ id }) => id);
  const meant = namesMeant('check', given, known);
  return takenByName(checks, given, {
    isTaken: ({ id }) => meant.includes(id),
    watches: (name) => namesMeant('check', [name], known).some(isRunWide),
  });
}

function takenByClause(checks: readonly Check[], given: readonly string[]): IsTaken {
  const known = clauses.map(({ id }) => id);
  const wanted = new Set(namesMeant('clause', given, known).map(originalOf));
  return takenByName(checks, given, {
    isTaken: (check) => allClausesOf(check).some((clause) => wanted.has(clause)),
    watches: (name) => namesMeant('clause', [name], known).some((clause) => isWatched(clause, checks)),
  });
}

/** @throws InvalidTarget where clauses begin with a name and no check does */
function refuseClauseArea(name: string, known: readonly string[]): void {
  if (known.includes(name) || !clauses.some(({ id }) => id.startsWith(`${name}.`))) return;
  throw new InvalidTarget(
    `there is no area ${JSON.stringify(name)} of checks; --clause '${name}.*' takes the checks of its clauses`,
  );
}

function takenByArea(checks: readonly Check[], given: readonly string[]): IsTaken {
  const known = [...new Set(checks.map(areaOf)), ...runWideAreas];
  given.forEach((name) => refuseClauseArea(name, known));
  const meant = namesMeant('area', given, known);
  return takenByName(checks, given, {
    isTaken: (check) => meant.includes(areaOf(check)),
    watches: (name) => namesMeant('area', [name], known).some((area) => runWideAreas.has(area)),
  });
}

function takenByName(
  checks: readonly Check[],
  given: readonly string[],
  { isTaken, watches }: { isTaken: IsTaken; watches: (name: string) => boolean },
): IsTaken {
  const isAll =
    given.length === 0 ||
    given.filter((name) => !isPattern(name)).some(watches) ||
    (given.some(watches) && !checks.some(isTaken));
  return isAll ? () => true : isTaken;
}

/** What the wire shows any answer may show; what judges of the history say is left to the checks that are about the clause, if any is. */
function isWatched(clause: string, checks: readonly Check[]): boolean {
  const original = originalOf(clause);
  const isLeft = checks.some((check) => allClausesOf(check).some((each) => each === original));
  return runWideChecks.some(
    ({ area, clauses: own }) => own.some((each) => each === original) && (area === 'wire' || !isLeft),
  );
}

function isRunWide(id: string): boolean {
  return runWideChecks.some((check) => check.id === id);
}
