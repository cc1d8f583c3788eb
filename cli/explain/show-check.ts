import { selectChecks } from '../../harness/gate/select-checks.ts';
import { wireChecks } from '../../harness/wire/wire-checks.ts';
import { whatEnables } from '../../harness/config/capabilities.ts';
import { clauseOf } from '../../spec/index.ts';
import type { ClauseId } from '../../spec/index.ts';
import { allChecks } from '../../suites/index.ts';

/** What `conform show` prints about a check. */
export function showCheck(id: string): string {
  const wire = wireChecks.find((check) => check.id === id);
  return wire === undefined ? describeCheck(id) : describeWire(wire);
}

function describeCheck(id: string): string {
  const [check] = selectChecks(allChecks, { checks: [id], clauses: [], areas: [] });
  if (check === undefined) return '';
  const needs = check.needs.map((need) => `  ${need}: ${whatEnables(need)}`);
  return page(check.id, check.title, check.clauses, [
    'needs',
    ...(needs.length > 0 ? needs : ['  nothing but a server']),
    '',
    'run it alone',
    `  npm run conform -- --check ${check.id}`,
  ]);
}

function describeWire({ id, title, clauses }: (typeof wireChecks)[number]): string {
  return page(id, title, clauses, [
    'It watches the answers that all other checks receive; any run includes it.',
  ]);
}

function page(id: string, title: string, clauses: readonly ClauseId[], rest: readonly string[]): string {
  const decided = clauses.map(
    (clause) => `  ${clause} [${clauseOf(clause).level}]: ${clauseOf(clause).text}`,
  );
  return `${[id, `  ${title}`, '', 'decides', ...decided, '', ...rest].join('\n')}\n`;
}
