import { readFileSync } from 'node:fs';
import type { CheckEvent, ResultEvent } from '../../harness/results/generated/events.ts';

/** The checks of a kept result stream. */
export function checksIn(file: string): CheckEvent[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ResultEvent)
    .filter((event) => event.type === 'check');
}

/** `check clause verdict` of every clause of every check of a kept result stream, sorted. */
export function verdictsIn(file: string): string[] {
  return checksIn(file)
    .flatMap(({ check, clauses }) => clauses.map(({ clause, verdict }) => `${check} ${clause} ${verdict}`))
    .toSorted();
}
