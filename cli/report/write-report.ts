import { exitCodes } from '../../harness/verdict/exit-code.ts';
import { out, secrets } from '../shared/output.ts';
import { readResults } from '../shared/read-results.ts';
import { againCommands } from '../shared/again-commands.ts';
import { targetPlace } from '../shared/places/target-place.ts';
import { probeOutputs } from '../shared/probe-outputs.ts';
import { formatOf, reportOn, writeReport } from '../shared/reports.ts';

/** Options of `conform report`, as commander parses them. */
export interface ReportCommandOptions {
  readonly format: string;
  readonly out?: string;
  readonly bundle?: string;
  readonly target?: string;
}

/**
 * Writes one report on kept results; resolves to the exit code, 0 whatever the results say.
 * @throws InvalidTarget when a file cannot be read, or is no result stream; it names the line
 */
export function report(files: readonly string[], { format: name, out: file }: ReportCommandOptions): number {
  const format = formatOf(name);
  probeOutputs({ files: { '--out': file }, inputs: files });
  const runs = readResults(files);
  const pieces = reportOn(runs, format, { ...againCommands, targetPlace, secrets });
  if (file === undefined) for (const piece of pieces) out.say(piece);
  else writeReport(file, pieces);
  return exitCodes.conforms;
}
