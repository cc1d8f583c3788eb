import type { Operation } from '../../history/operation.ts';
import { letterOf } from './letter-of.ts';

/** Characters that the time takes. */
const width = 60;

/** Operations by time, one row for each client: a few lines for a terminal. */
export function timelineLines(operations: readonly Operation[]): readonly string[] {
  if (operations.length === 0) return [];
  const startMs = Math.min(...operations.map(({ startedMs }) => startedMs));
  const endMs = Math.max(...operations.map(({ endedMs }) => endedMs));
  const place = (ms: number): number =>
    Math.min(width - 1, Math.floor(((ms - startMs) / Math.max(endMs - startMs, 0.001)) * width));
  const rows = new Map<string, string[]>();
  for (const [index, { client, startedMs, endedMs }] of operations.entries()) {
    const row = rows.get(client) ?? Array.from({ length: width }, () => '·');
    rows.set(client, row);
    for (let at = place(startedMs); at <= place(endedMs); at += 1) row[at] = '─';
    row[place(startedMs)] = letterOf(index);
  }
  const nameWidth = Math.max(...[...rows.keys()].map((name) => name.length));
  return [...rows].map(([name, row]) => `${name.padEnd(nameWidth)} ${row.join('')}`);
}
