import { statSync } from 'node:fs';
import { getHeapStatistics } from 'node:v8';
import { HistoryError, HistoryReader } from '../../history/ndjson-reader.ts';
import type { History } from '../../history/operation.ts';
import { notAFile } from '../../harness/config/bounded-file.ts';
import { InvalidTarget } from '../../harness/errors.ts';
import { type FileLine, linesOfFile } from '../../harness/results/lines-of-file.ts';

/** Characters; a history has no line of anything near. */
const longestLine = 16_000_000;
/** Judging takes so many bytes of memory for each byte of the file, measured by `test/bench/parts/judges.ts` and rounded up. */
const memoryFactor = 3;

/**
 * The history in a file.
 * @throws InvalidTarget when the file cannot be read, is not a history, or is too large; it names the line
 */
export function readHistory(file: string): History {
  const reader = new HistoryReader();
  try {
    refuseTooLarge(file);
    for (const line of linesOfFile(file, longestLine)) addLine(reader, line);
    return reader.history();
  } catch (error) {
    if (error instanceof HistoryError) throw new InvalidTarget(`${file}, ${error.message}`);
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || error instanceof InvalidTarget) throw error;
    throw new InvalidTarget(`the history ${file} cannot be read (${code})`);
  }
}

function addLine(reader: HistoryReader, { text, breaksOff }: FileLine): void {
  try {
    reader.add(text);
  } catch (error) {
    if (!breaksOff || !(error instanceof HistoryError) || !error.message.endsWith('not a JSON object'))
      throw error;
    const hint =
      text.length > longestLine
        ? `longer than ${longestLine} characters; no history has such a line`
        : 'it breaks off, as when the program that wrote it was stopped; without this line the rest can be judged';
    throw new HistoryError(error.lineNumber, hint);
  }
}

function refuseTooLarge(file: string): void {
  const fault = notAFile(file);
  if (fault !== undefined) throw new InvalidTarget(`the history ${file} ${fault}`);
  const needed = statSync(file).size * memoryFactor;
  const limit = getHeapStatistics().heap_size_limit;
  if (needed <= limit) return;
  throw new InvalidTarget(
    `the history ${file} takes about ${inMegabytes(needed)} MB of memory to judge, and this process may use ${inMegabytes(limit)} MB; ` +
      `give it more: NODE_OPTIONS=--max-old-space-size=${inMegabytes(needed)}`,
  );
}

function inMegabytes(bytes: number): number {
  return Math.ceil(bytes / 1e6);
}
