import { clauseOf } from '../../spec/index.ts';
import type { Finding } from '../../stress/run/judged.ts';
import { operationLine } from '../history/operation-line.ts';
import { letterOf } from './letter-of.ts';
import { timelineLines } from './timeline-lines.ts';

/** A finding in lines: what is broken, the few operations that show it as Let and Then, and their timeline. */
export function findingLines({
  name,
  verdict,
  lead,
  anomalies,
  times,
}: Omit<Finding, 'around'>): readonly string[] {
  const { witness, expected, actual } = lead;
  const sinceMs = Math.min(...witness.map(({ startedMs }) => startedMs));
  return [
    `${verdict}: ${name}${times > 1 ? ` (${times} times; the first:)` : ''}`,
    ...clauseLines(anomalies),
    ...witness.map((operation, index) => {
      const start = index === 0 ? 'Let ' : '    ';
      return `  ${start}${letterOf(index)} = ${operationLine(operation, sinceMs)}`;
    }),
    `  Then expected  ${expected}`,
    `       got       ${actual}`,
    ...timelineLines(witness).map((line) => `  ${line}`),
  ];
}

function clauseLines(anomalies: Finding['anomalies']): readonly string[] {
  const clauses = [...new Set(anomalies.map(({ clause }) => clause))];
  return clauses.map((clause) => `  ${clause}  ${clauseOf(clause).level}  ${clauseOf(clause).text}`);
}
