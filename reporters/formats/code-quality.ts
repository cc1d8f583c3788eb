import { printable } from '../../harness/output/printable.ts';
import { conclude, staleInWords } from '../conclusion.ts';
import { brokenGates, gateInWords } from '../latency-gates.ts';
import { isStrictRun, countedIn, type RunSoFar } from '../run-so-far.ts';
import { findingTitle } from '../story/story-text.ts';
import { digestOf, fingerprintOf } from './fingerprint.ts';
import type { ReportFormat, ReportSettings } from './format.ts';

/** An issue as GitLab reads one; it has to be in a file that is there. */
interface Issue {
  readonly description: string;
  readonly check_name: string;
  readonly fingerprint: string;
  readonly severity: 'blocker' | 'critical' | 'minor';
}

/**
 * Code quality of GitLab, which wants a place in a file of each issue: the line of the target file that names the server. Without such a
 * file the list is empty.
 */
export const codeQuality: ReportFormat = {
  name: 'codequality',
  reader: "GitLab's merge requests: an issue for each finding, where the target file names the server",
  *write(runs, settings) {
    const issues = runs.flatMap((run) => placed(run, settings));
    const seen = new Map<string, number>();
    const distinct = issues.map((issue) => {
      // A platform takes one issue of a fingerprint.
      const times = (seen.get(issue.fingerprint) ?? 0) + 1;
      seen.set(issue.fingerprint, times);
      return times === 1 ? issue : { ...issue, fingerprint: digestOf([issue.fingerprint, `${times}`]) };
    });
    yield '[';
    for (const [index, issue] of distinct.entries())
      yield `${index === 0 ? '' : ','}\n${JSON.stringify(issue)}`;
    yield ']\n';
  },
};

function placed(run: RunSoFar, { targetPlace }: ReportSettings): readonly Issue[] {
  const place = targetPlace?.(run.header);
  if (place === undefined) return [];
  const location = { path: decodeURIComponent(place.uri), lines: { begin: place.line } };
  return issuesOf(run).map((issue) => ({ ...issue, location }));
}

/** What counts against a run: known failures do not. */
function issuesOf(run: RunSoFar): readonly Issue[] {
  const isStrict = isStrictRun(run);
  const found = countedIn(run).map((finding): Issue => ({
    description: findingTitle(finding),
    check_name: finding.clause,
    fingerprint: fingerprintOf(finding),
    severity: finding.verdict === 'failed' || isStrict ? 'critical' : 'minor',
  }));
  const slow = (run.footer === undefined ? [] : brokenGates(run.footer).slow).map((gate): Issue => ({
    description: `${gate.call}: ${gateInWords(gate)}`,
    check_name: `latency.${gate.call}`,
    fingerprint: digestOf(['latency', gate.call]),
    severity: 'critical',
  }));
  const stale = (run.footer?.staleBaseline ?? []).map((entry): Issue => ({
    description: printable(`${staleInWords(entry)} (${entry.place})`),
    check_name: 'baseline',
    fingerprint: digestOf(['baseline', entry.check ?? '', entry.clause ?? '', entry.problem]),
    severity: 'critical',
  }));
  const counted = [...found, ...slow, ...stale];
  const { verdict, text, partial } = conclude(run, isStrict);
  if (partial === undefined && verdict !== 'inconclusive') return counted;
  const unfinished: Issue = {
    description: printable(text),
    check_name: 'run.is-whole',
    fingerprint: digestOf(['run.is-whole']),
    severity: 'blocker',
  };
  return [...counted, unfinished];
}
