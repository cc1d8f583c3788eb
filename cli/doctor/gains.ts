import type { Check } from '../../harness/check/check.ts';
import { runWideChecks } from '../../harness/judging/run-wide-checks.ts';
import { type NeedName, needNames } from '../../harness/config/capabilities.ts';
import type { Target } from '../../harness/config/target.ts';
import { roleNames } from '../../harness/config/roles.ts';
import { type Clause, clauses } from '../../spec/index.ts';

/** Clauses that a run could decide with what a target has, out of those that a client can decide at all. */
export interface Coverage {
  readonly must: number;
  readonly inferred: number;
  readonly ofMust: number;
  readonly ofInferred: number;
}

/** What a target would gain by `need`: alone, or where that is nothing, once the fewest others are there. */
export interface Gain {
  readonly need: NeedName;
  /** What has to be there before; what that adds by itself is not counted. */
  readonly together: readonly NeedName[];
  readonly must: number;
  readonly inferred: number;
}

type Has = (need: NeedName) => boolean;

/** The checks that a target lets run: a read-only one those that write nothing, and what answers show of the others is chance. */
export function checksAllowedBy(
  checks: readonly Check[],
  { limits }: Pick<Target, 'limits'>,
): readonly Check[] {
  return limits.isReadOnly ? checks.filter(({ isReadOnly }) => isReadOnly) : checks;
}

/** What of a target is testable, in words; of a read-only one at most. */
export function testableInWords(
  { must, ofMust, inferred, ofInferred }: Coverage,
  { limits }: Pick<Target, 'limits'>,
): string {
  const most = limits.isReadOnly ? 'at most ' : '';
  return `${most}${must} of ${ofMust} must clauses and ${inferred} of ${ofInferred} inferred clauses`;
}

/** What checks could decide where `has` says what a target offers; the rest of the register is the denominator. */
export function coverageGained(checks: readonly Check[], has: Has): Coverage {
  const decided = decidableWith(checks, has);
  const ofLevel = (level: string): number => decided.filter((clause) => clause.level === level).length;
  const all = (level: string): number => testable.filter((clause) => clause.level === level).length;
  return {
    must: ofLevel('must'),
    inferred: ofLevel('inferred'),
    ofMust: all('must'),
    ofInferred: all('inferred'),
  };
}

/** For each need that a target lacks, how many more clauses it would let checks decide: those that help alone before others, the best first. */
export function gainsOf(checks: readonly Check[], has: Has): readonly Gain[] {
  // Asked once for each: coverage is counted a few hundred times, and asks of every check.
  const there = new Set(needNames.filter(has));
  const isThere: Has = (need) => there.has(need);
  const coverageWith = (added: readonly NeedName[]): Coverage => {
    const offers: Has = (need) => added.includes(need) || isThere(need);
    // A message of the author names the workspace.
    const isLearned =
      added.some((need) => need === 'author' || need === 'channel') && offers('author') && offers('channel');
    return coverageGained(checks, (need) => offers(need) || (need === 'workspace' && isLearned));
  };
  const gainOf = (need: NeedName, together: readonly NeedName[]): Gain => {
    const [before, then] = [coverageWith(together), coverageWith([...together, need])];
    return { need, together, must: then.must - before.must, inferred: then.inferred - before.inferred };
  };
  const leastGainOf = (need: NeedName): Gain => {
    const alone = gainOf(need, []);
    if (isSome(alone)) return alone;
    for (const together of companiesOf(need, checks, isThere)) {
      const gain = gainOf(need, together);
      if (isSome(gain)) return gain;
    }
    return alone;
  };
  return needNames
    .filter((need) => !isThere(need))
    .map(leastGainOf)
    .toSorted(
      (a, b) =>
        Number(a.together.length > 0) - Number(b.together.length > 0) ||
        b.must - a.must ||
        b.inferred - a.inferred ||
        a.together.length - b.together.length,
    );
}

function isSome({ must, inferred }: Gain): boolean {
  return must + inferred > 0;
}

const testable: readonly Clause[] = clauses.filter(
  ({ level, untestable }) => level !== 'silent' && untestable === undefined,
);

function decidableWith(checks: readonly Check[], has: Has): readonly Clause[] {
  const declared = new Set<string>(
    checks.filter(({ needs }) => needs.every(has)).flatMap((check) => check.clauses),
  );
  // The wire is watched in other checks; somebody has to be let in for an answer to prove anything.
  const watched = new Set<string>(roleNames.some(has) ? runWideChecks.flatMap((check) => check.clauses) : []);
  return testable.filter((clause) => {
    const id = clause.restates ?? clause.id;
    return declared.has(id) || (watched.has(id) && clause.needs.every((need) => has(need as NeedName)));
  });
}

/** The other things lacking in the checks that need `need`, each set of them once, the fewest first. */
function companiesOf(need: NeedName, checks: readonly Check[], has: Has): readonly (readonly NeedName[])[] {
  const companies = checks
    .filter(({ needs }) => needs.includes(need))
    .map(({ needs }) => needs.filter((each) => each !== need && !has(each)))
    .filter((others) => others.length > 0);
  const once = new Map(companies.map((others) => [others.join(' '), others]));
  return [...once.values()].toSorted((a, b) => a.length - b.length);
}
