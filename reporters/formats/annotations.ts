import { printable } from '../printable.ts';
import type { RunSoFar } from '../run-so-far.ts';
import { isCounted } from '../counted.ts';
import { findingLines, findingTitle } from './finding-text.ts';
import type { ReportFormat } from './format.ts';

/** A platform shows ten of each kind for a step; the rest is in the other formats. */
const mostAnnotations = 50;

/** Commands to GitHub's runner, a line each: an error or a warning for each finding. */
export const annotations: ReportFormat = {
  name: 'github',
  reader: "GitHub's runner: an annotation for each finding",
  *write(run: RunSoFar, settings) {
    const isStrict = run.header?.profile.strict === true;
    const counted = run.findings.filter(isCounted);
    for (const finding of counted.slice(0, mostAnnotations)) {
      const kind = finding.verdict === 'failed' || isStrict ? 'error' : 'warning';
      const message = [findingTitle(finding), ...findingLines(finding, settings)].join('\n');
      yield `::${kind} title=${property(`${finding.id} ${finding.clause}`)}::${data(message)}\n`;
    }
    const left = counted.length - mostAnnotations;
    if (left > 0) yield `::warning title=findings::${left} more\n`;
  },
};

/** What the runner would read as an end, or as its own escape. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(printable(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
