import { secretsOf } from '../../harness/config/target-digest.ts';
import { targetShape } from '../../harness/config/target-shape.ts';
import { InvalidTarget } from '../../harness/errors.ts';
import { standardOutputName, writeCleanFile } from '../../harness/output/clean-file.ts';
import { suiteVersion } from '../../harness/results/suite-version.ts';
import { bundleOf } from '../../reporters/bundle.ts';
import { againCommands } from '../shared/again-commands.ts';
import { err, out, secrets } from '../shared/output.ts';
import { probeOutputs } from '../shared/probe-outputs.ts';
import { readResults } from '../shared/read-results.ts';
import { formatOf, reportOn, withoutSecrets, writeReport, writtenCode } from '../shared/reports.ts';
import { targetOf } from '../shared/target-of.ts';
import { targetPlace } from '../shared/target-place.ts';

/** Options of `conform report`, as commander parses them. */
export interface ReportCommandOptions {
  readonly format: string;
  readonly out?: string;
  readonly bundle?: string;
  readonly target?: string;
}

/**
 * Writes one report on kept results; resolves to the exit code, 0 whatever the results say where it was written.
 * @throws InvalidTarget when a file cannot be read, or is no result stream; it names the line
 */
export function report(files: readonly string[], { format: name, out: given }: ReportCommandOptions): number {
  const format = formatOf(name);
  const file = given === standardOutputName ? undefined : given;
  probeOutputs({ files: { '--out': file }, inputs: files });
  const runs = readResults(files);
  const pieces = reportOn(runs, format, { ...againCommands, targetPlace, secrets });
  if (file === undefined) for (const piece of pieces) out.say(piece);
  else writeReport(file, pieces);
  return writtenCode();
}

/**
 * Writes the bundle on one kept stream; gives the exit code, 0 whatever the results say where it was written. Secrets of the target file,
 * if one is named, are taken out once more.
 * @throws InvalidTarget when a file cannot be read, or there are several streams
 */
export function writeBundle(files: readonly string[], file: string, targetFile?: string): number {
  if (files.length !== 1) throw new InvalidTarget('--bundle takes one result stream');
  const target = targetFile === undefined ? undefined : targetOf({ target: targetFile }, process.env).target;
  if (target !== undefined) secrets.learn(secretsOf(target));
  probeOutputs({ files: { '--bundle': file }, inputs: files });
  const [run] = readResults(files);
  if (run === undefined) throw new InvalidTarget('--bundle takes one result stream');
  const bundle = bundleOf(withoutSecrets(run, secrets), {
    versions: {
      suite: suiteVersion(),
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
    },
    target: target === undefined ? null : targetShape(target),
  });
  writeCleanFile(file, secrets.cleanInFormat(`${JSON.stringify(secrets.cleaned(bundle), undefined, 1)}\n`));
  if (target === undefined)
    err.say('without --target the bundle does not say what the run had to work with\n');
  return writtenCode();
}
