import { InvalidTarget } from '../../harness/errors.ts';
import { columnOfCheck } from '../../harness/results/column.ts';
import { checksToRepeat } from '../../reporters/again.ts';
import { countedIn, type RunSoFar } from '../../reporters/run-so-far.ts';
import { allChecks } from '../../suites/index.ts';

/**
 * The checks that show again what failed or warned in a run; what only watches others gives those in which it saw something.
 * @throws InvalidTarget where this version of the suite has none of them
 */
export function failedChecks(run: RunSoFar): readonly string[] {
  const broken = run.checks
    .filter((check) => ['failed', 'warned'].includes(columnOfCheck(check)))
    .map(({ check }) => check);
  const named = new Set([...broken, ...countedIn(run).flatMap(checksToRepeat)]);
  const known = allChecks.flatMap(({ id }) => (named.has(id) ? id : []));
  if (known.length === 0 && named.size > 0)
    throw new InvalidTarget(
      `this version of the suite has none of the checks that failed: ${[...named].join(', ')}`,
    );
  return known;
}
