import { exitCodes } from '../../harness/verdict/exit-code.ts';
import { asWord } from '../../harness/output/in-shell.ts';
import { out, secrets } from '../shared/output.ts';
import { readResults } from '../shared/read-results.ts';
import { ownCommand } from '../shared/own-command.ts';
import { probeOutputs } from '../shared/probe-outputs.ts';
import { formatOf, writeReport } from '../shared/reports.ts';

/** Options of `conform report`, as commander parses them. */
export interface ReportCommandOptions {
  readonly format: string;
  readonly out?: string;
}

/**
 * Writes one report on kept results; resolves to the exit code, 0 whatever the results say.
 * @throws InvalidTarget when a file cannot be read, or is no result stream; it names the line
 */
export function report(files: readonly string[], { format: name, out: file }: ReportCommandOptions): number {
  const format = formatOf(name);
  probeOutputs({ files: { '--out': file }, inputs: files });
  const runs = readResults(files);
  const rerunCommand = (checks: readonly string[]): string =>
    [ownCommand(), '--check', ...checks.map(asWord)].join(' ');
  const pieces = format.write(runs, { rerunCommand });
  if (file === undefined) for (const piece of pieces) out.say(piece);
  else writeReport(file, pieces, secrets);
  return exitCodes.conforms;
}
