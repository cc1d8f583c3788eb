import { InvalidTarget } from '../../harness/errors.ts';
import { eventsOf, InvalidStream } from '../../harness/results/stream.ts';
import { exitCodes } from '../../harness/verdict/exit-code.ts';
import { BoundedFindings } from '../../reporters/formats/bounded-findings.ts';
import { RunCollector } from '../../reporters/run-so-far.ts';
import type { RunSoFar } from '../../reporters/run-so-far.ts';
import { linesOfFile } from '../shared/lines-of-file.ts';
import { out, secrets } from '../shared/output.ts';
import { ownCommand } from '../shared/own-command.ts';
import { formatOf, writeReport } from '../shared/reports.ts';

/** Options of `conform report`, as commander parses them. */
export interface ReportCommandOptions {
  readonly format: string;
  readonly out?: string;
}

/** A line of a result stream has some ten thousand characters; a file with one of this many is another kind of file. */
const longestLine = 16_000_000;

/**
 * Writes one report on kept results; resolves to the exit code, 0 whatever the results say.
 * @throws InvalidTarget when a file cannot be read, or is no result stream; it names the line
 */
export function report(files: readonly string[], { format: name, out: file }: ReportCommandOptions): number {
  const format = formatOf(name);
  const bounded = new BoundedFindings();
  const runs = files.map((each) => runIn(each, bounded));
  const rerunCommand = (checks: readonly string[]): string => [ownCommand(), '--check', ...checks].join(' ');
  const pieces = format.write(runs, { rerunCommand });
  if (file === undefined) for (const piece of pieces) out.say(piece);
  else writeReport(file, pieces, secrets);
  return exitCodes.conforms;
}

function runIn(file: string, bounded: BoundedFindings): RunSoFar {
  const run = new RunCollector();
  try {
    for (const event of eventsOf(textsOf(file))) run.add(bounded.bounded(event));
  } catch (cause) {
    if (cause instanceof InvalidStream)
      throw new InvalidTarget(`${file}: no result stream (as --out writes it): ${cause.message}`, { cause });
    if (cause instanceof Error && 'code' in cause)
      throw new InvalidTarget(`${file}: cannot be read (${String(cause.code)})`, { cause });
    throw cause;
  }
  return run;
}

function* textsOf(file: string): Generator<string> {
  for (const { text } of linesOfFile(file, longestLine)) yield text;
}
