import type { FindingEvent } from '../../harness/results/events.ts';
import { checksAgain } from '../again.ts';
import type { AgainCommands } from '../again.ts';
import { brokenIds, clausesInFindings } from '../broken-ids.ts';
import { conclude, ended, type Conclusion } from '../conclusion.ts';
import { countedIn } from '../counted.ts';
import { countOf, formatCount } from '../quantities.ts';
import type { RunSoFar } from '../run-so-far.ts';
import { knownRows, snapshotRows, notScoredRows, requiredRows, staleRows } from './apart-rows.ts';
import { fullFinding, oneLineFinding, shortFinding, type FindingContext } from './finding-lines.ts';
import { observationRows } from './observation-rows.ts';
import { blank, layOut, prose, row, span, type Line, type Row, type Span } from './rows.ts';
import { selectedRows } from './selected-rows.ts';
import { troubleLines } from './trouble-rows.ts';
import { tallyRows } from './tally-rows.ts';
import { inapplicableRows } from './inapplicable-rows.ts';
import { inconclusiveRows } from './inconclusive-rows.ts';

/** What the report depends on beside the run. */
interface ReportSettings {
  readonly columns: number;
  readonly rerunCommand: AgainCommands['rerunCommand'];
  /** What is warned then counts, and is shown, as what failed. */
  readonly isStrict: boolean;
  readonly isVerbose: boolean;
}

/** Findings of a kind that are shown with all they have; the rest takes one line each. */
const maxShown = 20;

/** Everything that is known of a run, what failed first, what it comes to last. */
export function finalReport(run: RunSoFar, settings: ReportSettings): Line[] {
  const { columns, isVerbose, isStrict } = settings;
  const conclusion = conclude(run, isStrict);
  const sections: Line[][] = [
    layOut(partialRows(conclusion, run), columns),
    findingsSection(run, 'failed', settings),
    findingsSection(run, 'warned', settings),
    ...apartRows(run).map((rows) => layOut(rows, columns)),
    run.footer === undefined ? [] : troubleLines(run.footer, columns),
    layOut(inapplicableRows(run), columns),
    layOut(inconclusiveRows(run), columns),
    layOut(selectedRows(run), columns),
    layOut(observationRows(run.observations, isVerbose), columns),
    layOut(run.footer === undefined ? [] : snapshotRows(run.footer), columns),
    layOut(
      run.footer === undefined || run.preflight?.isOk === false ? [] : tallyRows(run.footer, isVerbose),
      columns,
    ),
    layOut(
      [
        prose(
          '',
          span(conclusion.verdict === 'inconclusive' ? 'inconclusive' : conclusion.verdict, conclusion.text),
        ),
      ],
      columns,
    ),
  ];
  return sections.filter((lines) => lines.length > 0).flatMap((lines) => [[], ...lines]);
}

/** What does not count, and what counts beside the findings. */
function apartRows(run: RunSoFar): Row[][] {
  const { footer } = run;
  const deciding = footer === undefined ? [] : [staleRows(footer), requiredRows(footer)];
  return [knownRows(run), notScoredRows(run), ...deciding];
}

function partialRows({ partial }: Conclusion, run: RunSoFar): Row[] {
  if (partial === undefined) return [];
  return [prose('', span('failed', 'INCOMPLETE RUN'), `  ${ended(run)}; ${partial}`)];
}

function findingsSection(run: RunSoFar, verdict: FindingEvent['verdict'], settings: ReportSettings): Line[] {
  const findings = countedIn(run).filter((finding) => finding.verdict === verdict);
  if (findings.length === 0) return [];
  const { columns, isStrict } = settings;
  const show = verdict === 'failed' || isStrict ? fullFinding : shortFinding;
  const shown = findings
    .slice(0, maxShown)
    .flatMap((finding) => [[], ...show(finding, contextOf(finding, run, settings), columns)]);
  return [
    ...layOut([row(...sectionTitle(findings, verdict, run, settings))], columns),
    ...shown,
    ...furtherLines(findings.slice(maxShown), columns),
  ];
}

function sectionTitle(
  findings: readonly FindingEvent[],
  verdict: FindingEvent['verdict'],
  run: RunSoFar,
  { isStrict }: ReportSettings,
): Span[] {
  const title = span(verdict, verdict.toUpperCase());
  if (verdict === 'failed') return [title, `  ${clausesInFindings(findings, verdict)}`];
  const { length: all } = brokenIds(countedIn(run), verdict);
  const under = all - brokenIds(findings, verdict).length;
  const consequence = isStrict ? 'a strict run fails on this' : 'a strict run would fail on this';
  const above = under === 0 ? '' : `; ${formatCount(under)} of them under what failed`;
  return [
    title,
    `  ${countOf(all, 'clause')} that the contract implies rather than states; ${consequence}${above}`,
  ];
}

function furtherLines(findings: readonly FindingEvent[], columns: number): Line[] {
  if (findings.length === 0) return [];
  const title = row(
    span('strong', `and ${formatCount(findings.length)} more`),
    '  in full in the result stream',
  );
  return [
    ...layOut([blank, title], columns),
    ...findings.flatMap((finding) => oneLineFinding(finding, columns)),
  ];
}

function contextOf(finding: FindingEvent, run: RunSoFar, settings: ReportSettings): FindingContext {
  return {
    check: run.checks.find(({ check }) => check === finding.check),
    alsoSeenBy: run.footer?.alsoSeenBy[finding.id] ?? [],
    rerunCommand: settings.rerunCommand(checksAgain(finding), run.header),
  };
}
