import { brokenClauses } from '../../harness/results/broken-clauses.ts';
import type { Column } from '../../harness/results/column.ts';
import type { FindingEvent } from '../../harness/results/generated/events.ts';
import { originalOf } from '../../spec/index.ts';
import { clauseColumns, isBroken } from '../clause-columns.ts';
import { isCampaign, type RunSoFar } from '../run-so-far.ts';
import { isKept } from './comparison.ts';

/** A clause of which a change of the server may be the cause. */
export interface ClauseChange {
  readonly clause: string;
  /** `undefined` where a run says nothing of it. */
  readonly before: Column | undefined;
  readonly after: Column | undefined;
  /** What shows it broken: of the later run, or where that keeps it, of the earlier one. */
  readonly finding: FindingEvent | undefined;
}

/** What became of the clauses between two runs; those that stayed as good as they were are left out. */
export interface Changes {
  /** Broken now, failed ones first, and not before. */
  readonly broken: readonly ClauseChange[];
  /** Broken before, and kept now. */
  readonly fixed: readonly ClauseChange[];
  /** Broken before and now, whether a baseline knows of it or not. */
  readonly stillBroken: readonly ClauseChange[];
  /** Passed before, and came to no verdict now. */
  readonly open: readonly ClauseChange[];
}

/** Holds a run against an earlier one of the same checks. */
export function changesBetween(before: RunSoFar, after: RunSoFar): Changes {
  const [earlier, later] = [clauseColumns(before), clauseColumns(after)];
  const all = [...new Set([...earlier.keys(), ...later.keys()])].toSorted().map((clause): ClauseChange => ({
    clause,
    before: earlier.get(clause),
    after: later.get(clause),
    finding: findingOf(clause, after) ?? findingOf(clause, before),
  }));
  const broken = all.filter((each) => isBroken(each.after) && !isBroken(each.before));
  return {
    broken: broken.toSorted(
      (one, other) => Number(other.after === 'failed') - Number(one.after === 'failed'),
    ),
    fixed: all.filter((each) => isBroken(each.before) && isKept(each.after, after, before)),
    stillBroken: all.filter((each) => isBroken(each.before) && isBroken(each.after)),
    open: all.filter((each) => each.before === 'passed' && isOpen(each.after, after)),
  };
}

/** A campaign is about no clause that it does not find broken. */
function isOpen(column: Column | undefined, of: RunSoFar): boolean {
  return column === undefined ? !isCampaign(of) : column === 'inconclusive';
}

function findingOf(clause: string, { findings }: RunSoFar): FindingEvent | undefined {
  return findings.find((finding) =>
    brokenClauses(finding).some((each) => each.clause === originalOf(clause)),
  );
}
