import type { CheckEvent } from '../harness/results/generated/events.ts';
import { withRestated } from './broken-ids.ts';
import type { RunSoFar } from './run-so-far.ts';
import { columnsByClause } from '../harness/verdict/tally.ts';
import { clauses } from '../spec/index.ts';

/** Checks that could not decide, by what they have in common. */
export interface InconclusiveGroup {
  /** `enable`: what in the target would decide them. `reason`: why this run could not, disturbances among them. */
  readonly kind: 'enable' | 'reason';
  readonly text: string;
  /** Clauses that no check decided, with those that say the same; each is in one group. */
  readonly clauses: readonly string[];
  readonly checks: readonly string[];
}

/** Groups of inconclusive clauses, those with the most clauses first; their numbers add up. */
export function inconclusiveGroups(checks: readonly CheckEvent[]): readonly InconclusiveGroup[] {
  const isInconclusive = inconclusiveClauses(checks);
  const groups = new Map<
    string,
    InconclusiveGroup & { readonly clauses: string[]; readonly checks: string[] }
  >();
  for (const { check, clauses } of checks) {
    for (const { clause, verdict, enable, reason, inapplicable } of clauses) {
      if (verdict !== 'inconclusive' || inapplicable !== undefined) continue;
      const kind = enable === undefined ? 'reason' : 'enable';
      const text = enable ?? reason ?? 'no reason was given';
      const group = groups.get(`${kind} ${text}`) ?? { kind, text, clauses: [], checks: [] };
      groups.set(`${kind} ${text}`, group);
      if (!group.checks.includes(check)) group.checks.push(check);
      if (isInconclusive.has(clause) && !group.clauses.includes(clause)) group.clauses.push(clause);
    }
  }
  // What a check did not come to has no place here where others decided it, and the check itself has a verdict.
  const open = new Set(checks.filter(({ verdict }) => verdict === 'inconclusive').map(({ check }) => check));
  const isTold = (group: InconclusiveGroup): boolean =>
    group.clauses.length > 0 || group.checks.some((check) => open.has(check));
  return apart([...groups.values()].filter(isTold));
}

/**
 * Groups that share no clause, so that their numbers add up: the largest takes its clauses, with those that say the same, then the one
 * that has most of what is left.
 */
function apart(groups: readonly InconclusiveGroup[]): readonly InconclusiveGroup[] {
  const left = groups.map((group) => ({ ...group, clauses: withRestated(group.clauses) }));
  const sorted: InconclusiveGroup[] = [];
  while (left.length > 0) {
    left.sort(
      (a, b) =>
        b.clauses.length - a.clauses.length ||
        b.checks.length - a.checks.length ||
        compareText(a.text, b.text),
    );
    const [largest] = left.splice(0, 1);
    if (largest === undefined) break;
    sorted.push(largest);
    const taken = new Set(largest.clauses);
    for (const group of left) group.clauses = group.clauses.filter((clause) => !taken.has(clause));
  }
  return sorted;
}

/** Clauses of the register that are inconclusive because no check of this run tried them. */
export function untriedClauses({ checks, footer }: RunSoFar): number {
  if (footer === undefined) return 0;
  const inconclusive = footer.clauses.must.inconclusive + footer.clauses.inferred.inconclusive;
  const tried = withRestated([...inconclusiveClauses(checks)]);
  return Math.max(0, inconclusive - tried.length);
}

/** Met by a check, decided by none. */
function inconclusiveClauses(checks: readonly CheckEvent[]): ReadonlySet<string> {
  const verdicts = checks
    .flatMap(({ clauses }) => clauses)
    .filter(({ inapplicable }) => inapplicable === undefined);
  const decided = new Set(
    verdicts.filter(({ verdict }) => verdict !== 'inconclusive').map(({ clause }) => clause),
  );
  return new Set(
    verdicts
      .filter(({ clause, level }) => level !== 'silent' && !decided.has(clause))
      .map(({ clause }) => clause),
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** What asks nothing of a server, for one reason. */
export interface InapplicableGroup {
  /** As `this server has no receipts (405)`. */
  readonly text: string;
  /** Clauses that nothing else decides, with those that say the same. */
  readonly clauses: readonly string[];
  /** Checks that could not be made there, those about other clauses too. */
  readonly checks: readonly string[];
}

/** What does not apply to a server, by what it does not have. */
export function inapplicableGroups(checks: readonly CheckEvent[]): readonly InapplicableGroup[] {
  const columns = columnsByClause(checks);
  const groups = new Map<string, { clauses: Set<string>; checks: Set<string> }>();
  for (const { check, clauses: said } of checks) {
    for (const { clause, level, inapplicable } of said) {
      if (inapplicable === undefined) continue;
      const group = groups.get(inapplicable) ?? { clauses: new Set(), checks: new Set() };
      groups.set(inapplicable, group);
      group.checks.add(check);
      if (level !== 'silent' && columns.get(clause) === 'notApplicable') group.clauses.add(clause);
    }
  }
  const order = clauses.map(({ id }): string => id);
  const inOrder = (ids: readonly string[]): readonly string[] =>
    ids.toSorted((one, other) => order.indexOf(one) - order.indexOf(other));
  return [...groups].map(([text, group]) => ({
    text,
    clauses: inOrder(withRestated([...group.clauses])),
    checks: [...group.checks],
  }));
}
