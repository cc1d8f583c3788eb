import { judgeHistory } from '../../history/judges/index.ts';
import { rootsOf } from '../../history/anomalies/roots.ts';
import type { Judged } from '../../history/judges/judge.ts';
import { exitCodeOfJudged } from '../../harness/judging/exit-of-judged.ts';
import { judgementReport } from '../../reporters/history/judgement-report.ts';
import { clauseOf } from '../../spec/index.ts';
import { readHistory } from '../shared/read-history.ts';
import { out } from '../shared/output.ts';
import { shownJson } from '../../harness/output/printable.ts';
import type { Shown } from '../../harness/output/printable.ts';

/** How findings are printed. */
export interface JudgeOptions {
  readonly json?: boolean;
}

/** What judging a file came to, in values that go from thread to thread. */
export interface JudgedFile {
  /** Lines of JSON; `undefined` for a report. */
  readonly lines: readonly Shown[] | undefined;
  readonly report: string;
  readonly exitCode: number;
}

/**
 * Judges the history in a file, and prints nothing.
 * @throws InvalidTarget when the file cannot be read, or is not a history; it names the line
 */
export function judgedFile(file: string, { json = false }: JudgeOptions): JudgedFile {
  const history = readHistory(file);
  const judged = judgeHistory(history);
  return {
    lines: json ? jsonLinesOf(judged) : undefined,
    report: json ? '' : judgementReport(history, judged),
    exitCode: exitCodeOfJudged(judged),
  };
}

/** Prints what judging a file came to; returns the exit code. */
export function printJudged({ lines, report, exitCode }: JudgedFile): number {
  if (lines === undefined) out.say(report);
  else for (const line of lines) out.write(line);
  return exitCode;
}

function jsonLinesOf({ anomalies }: Judged): readonly Shown[] {
  return rootsOf(anomalies).map(({ lead: { witness, ...lead }, all }) => {
    const clauses = [...new Set(all.map(({ clause }) => clause))];
    const operations = witness.map(({ index }) => index);
    const finding = { ...lead, level: clauseOf(lead.clause).level, clauses, operations };
    return shownJson(finding);
  });
}
