import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readResults } from '../../../cli/shared/read-results.ts';
import { reportOn } from '../../../cli/shared/reports.ts';
import { KnownSecrets } from '../../../harness/output/known-secrets.ts';
import { bundleOf } from '../../../reporters/bundle.ts';
import { compareRuns } from '../../../reporters/compare/comparison.ts';
import { renderComparison } from '../../../reporters/compare/render.ts';
import { formatNames } from '../../../reporters/formats/format.ts';
import { reportFormats } from '../../../reporters/formats/index.ts';
import { faultsOfReport } from '../../reporters/formats/faults-of-report.ts';
import { markupFaults } from '../../reporters/formats/markup-faults.ts';
import type { Room } from '../frame/row.ts';
import { secretsIn } from '../frame/secret-forms.ts';

/** The option by which a command writes a report in every format. */
export const everyReport = `--report ${formatNames.map((name) => `${name}=report-${name}`).join(' ')}`;

const commands = {
  rerunCommand: (checks: readonly string[]) => `conform --check ${checks.join(' ')}`,
  replayCommand: (file: string) => `conform replay ${file}`,
};

/**
 * What is wrong with the reports that a command has written, and with those that `conform report` and `conform compare` make of its
 * stream: by the rules of their formats, and by the secrets in them.
 */
export function faultsOfReports(
  stream: string,
  { folder }: Room,
  secrets: readonly string[],
): readonly string[] {
  const runs = readResults([join(folder, stream)]);
  const written = formatNames.map((name) => [name, textOf(join(folder, `report-${name}`))] as const);
  const made = reportFormats.map((format) => {
    const pieces = reportOn(runs, format, { ...commands, secrets: new KnownSecrets() });
    return [format.name, [...pieces].join('')] as const;
  });
  const [run] = runs;
  const bundles = runs.map((each) => JSON.stringify(bundleOf(each, nobody)));
  const named = run === undefined ? [] : ['A', 'B'].map((name) => ({ name, run }));
  const page = renderComparison(compareRuns(named), 'html');
  const compared = [page, renderComparison(compareRuns(named), 'markdown')];
  return [
    ...[...written, ...made].flatMap(([name, text]) =>
      faultsOfReport[name](text).map((fault) => `${name}: ${fault}`),
    ),
    ...markupFaults(page).map((fault) => `comparison: ${fault}`),
    ...[...made.map(([, text]) => text), ...compared, ...bundles].flatMap((text) =>
      secretsIn(text, secrets).map((form) => `shows a secret in a report on its stream: ${form}`),
    ),
  ];
}

/** Who makes a bundle has no part in what is in it. */
const nobody = { versions: { suite: '', node: '', platform: '' }, target: null };

function textOf(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
