import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { HistoryError, HistoryReader } from '../../history/ndjson.ts';
import { judgeHistory } from '../../history/judges/index.ts';
import { rootsOf } from '../../history/judges/roots.ts';
import type { Anomaly, Judged } from '../../history/judges/judge.ts';
import type { History } from '../../history/operation.ts';
import { InvalidTarget } from '../../harness/errors.ts';
import { exitCodes } from '../../harness/verdict/exit-code.ts';
import { judgementReport } from '../../reporters/history/judgement-report.ts';
import { clauseOf } from '../../spec/index.ts';

/**
 * Judges the history in a file, prints what was found, and returns the exit code.
 * @throws InvalidTarget when the file cannot be read, or is not a history; it names the line
 */
export async function judgeFile(
  file: string,
  { json = false }: { readonly json?: boolean },
): Promise<number> {
  const history = await readHistory(file);
  const judged = judgeHistory(history);
  process.stdout.write(json ? jsonOf(judged) : judgementReport(history, judged));
  return exitCodeOf(judged);
}

async function readHistory(file: string): Promise<History> {
  const reader = new HistoryReader();
  try {
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity }))
      reader.add(line);
    return reader.history();
  } catch (error) {
    if (error instanceof HistoryError) throw new InvalidTarget(`${file}, ${error.message}`);
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new InvalidTarget(`the history ${file} cannot be read (${code})`);
  }
}

function jsonOf({ anomalies }: Judged): string {
  return rootsOf(anomalies)
    .map(({ lead: { witness, ...lead }, all }) => {
      const clauses = [...new Set(all.map(({ clause }) => clause))];
      const operations = witness.map(({ index }) => index);
      const finding = { ...lead, level: clauseOf(lead.clause).level, clauses, operations };
      return `${JSON.stringify(finding)}\n`;
    })
    .join('');
}

function isStated({ clause }: Anomaly): boolean {
  return clauseOf(clause).level === 'must';
}

function exitCodeOf({ anomalies, opportunities }: Judged): number {
  if (rootsOf(anomalies).some(({ all }) => all.some(isStated))) return exitCodes.broken;
  return opportunities.size === 0 ? exitCodes.inconclusive : exitCodes.conforms;
}
