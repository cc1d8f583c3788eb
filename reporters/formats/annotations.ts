import { printable } from '../../harness/output/printable.ts';
import { conclude } from '../conclusion.ts';
import { isStrictRun, countedIn, type RunSoFar } from '../run-so-far.ts';
import { findingLines, findingTitle } from '../story/story-text.ts';
import type { ReportFormat, ReportSettings } from './format.ts';

/** A platform shows ten of each kind for a step; the rest is in the other formats. */
const mostAnnotations = 50;

/** Commands to GitHub's runner, a line each: an error or a warning for each finding, and what a run that does not pass came to. */
export const annotations: ReportFormat = {
  name: 'github',
  reader: "GitHub's runner: an annotation for each finding, and one for a run that does not pass",
  *write(runs, settings) {
    for (const run of runs) yield* commandsOf(run, settings);
  },
};

function* commandsOf(run: RunSoFar, settings: ReportSettings): Iterable<string> {
  const isStrict = isStrictRun(run);
  const counted = countedIn(run);
  for (const finding of counted.slice(0, mostAnnotations)) {
    const kind = finding.verdict === 'failed' || isStrict ? 'error' : 'warning';
    const message = [findingTitle(finding), ...findingLines(finding, run, settings)].join('\n');
    yield `::${kind} title=${property(`${finding.id} ${finding.clause}`)}::${data(message)}\n`;
  }
  const left = counted.length - mostAnnotations;
  if (left > 0) yield `::warning title=findings::${left} more\n`;
  const { verdict, text, partial } = conclude(run, isStrict);
  const hasResult = partial === undefined && (verdict === 'passed' || verdict === 'warned');
  if (!hasResult) yield `::error title=conform::${data(printable(text))}\n`;
}

/** What the runner would read as an end, or as its own escape. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(printable(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
