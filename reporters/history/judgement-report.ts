import { isStated, rootsOf } from '../../history/anomalies/roots.ts';
import type { Root } from '../../history/anomalies/roots.ts';
import type { Judged } from '../../history/judges/judge.ts';
import { lossIn } from '../../history/sure-part.ts';
import type { History } from '../../history/operation.ts';
import { clauseOf, contractPlace } from '../../spec/index.ts';
import { printable } from '../../harness/output/printable.ts';
import { countOf } from '../quantities.ts';
import { operationLine } from './operation-line.ts';

/** Further roots of one clause that are only counted. */
const mostOfOneClause = 5;

/** What judging a history came to, in lines for people: each root with the operations that show it, the cause first. */
export function judgementReport(history: History, judged: Judged): string {
  const { operations, facts } = history;
  const kinds = (['send', 'read', 'report', 'change'] as const)
    .map((kind) => countOf(operations.filter((each) => each.kind === kind).length, kind))
    .join(', ');
  const tested = [...judged.opportunities].filter(([, count]) => count > 0);
  const all = rootsOf(judged.anomalies);
  const roots = [...all.filter(({ lead }) => isStated(lead)), ...all.filter(({ lead }) => !isStated(lead))];
  const sinceMs = operations[0]?.startedMs ?? 0;
  const lines = [
    `history of run ${facts.runId}: ${countOf(operations.length, 'operation')} (${kinds})`,
    ...lossLines(history, sinceMs),
    `${countOf(tested.length, 'clause')} put to the test, ${countOf(sumOf(tested), 'time')} in all`,
    ...shownOf(roots).flatMap((root, index) => ['', ...rootLines(root, index + 1, sinceMs)]),
    ...hiddenOf(roots),
    '',
    conclusionOf(judged, tested.length),
  ];
  return `${lines.join('\n')}\n`;
}

function lossLines(history: History, sinceMs: number): string[] {
  const loss = lossIn(history);
  if (loss === undefined) return [];
  const ms = Math.max(0, loss.startedMs - sinceMs).toFixed(1);
  return [`judged up to ${ms} ms: later nobody found the server, its credentials and its messages all there`];
}

function rootLines({ lead, all }: Root, number: number, sinceMs: number): string[] {
  const { level, text, source } = clauseOf(lead.clause);
  const others = [...new Set(all.map(({ clause }) => clause))].filter((clause) => clause !== lead.clause);
  return [
    `F${number}  ${lead.clause}  ${level}  (${lead.name})`,
    `    ${text}`,
    `    contract  ${contractPlace(source)}`,
    ...(others.length > 0 ? [`    with      ${others.join(', ')}`] : []),
    `    expected  ${printable(lead.expected)}`,
    `    got       ${printable(lead.actual)}`,
    ...lead.witness.map((operation) => `    ${operationLine(operation, sinceMs)}`),
  ];
}

function shownOf(roots: readonly Root[]): readonly Root[] {
  const counts = new Map<string, number>();
  return roots.filter(({ lead }) => {
    const count = (counts.get(lead.clause) ?? 0) + 1;
    counts.set(lead.clause, count);
    return count <= mostOfOneClause;
  });
}

function hiddenOf(roots: readonly Root[]): string[] {
  const hidden = roots.length - shownOf(roots).length;
  return hidden === 0 ? [] : ['', `and ${countOf(hidden, 'more finding')} of these clauses`];
}

function sumOf(tested: readonly (readonly [string, number])[]): number {
  return tested.reduce((sum, [, count]) => sum + count, 0);
}

function conclusionOf({ anomalies }: Judged, tested: number): string {
  const broken = new Set(rootsOf(anomalies).flatMap(({ all }) => all.map(({ clause }) => clause)));
  const must = [...broken].filter((clause) => clauseOf(clause).level === 'must').length;
  if (must > 0) return `broken: ${countOf(must, 'must clause')}`;
  if (broken.size > 0) return `nothing stated is broken; ${countOf(broken.size, 'inferred clause')} warned`;
  return tested === 0 ? 'nothing could be judged' : 'nothing is broken';
}
