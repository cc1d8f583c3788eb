import { widthOf } from '../../harness/output/printable.ts';
import type {
  FindingEvent,
  FooterEvent,
  ObservationEvent,
  CheckEvent,
} from '../../harness/results/generated/events.ts';
import type { AgainCommands } from '../story/again.ts';
import { storyOf } from '../story/story.ts';
import { brokenIds, clausesInFindings } from '../broken-ids.ts';
import { conclude, type Conclusion, ended } from '../conclusion.ts';
import { uncredited } from '../../harness/verdict/outcome.ts';
import { inapplicableGroups, inconclusiveGroups } from '../inconclusive.ts';
import { profileInWords } from '../profile.ts';
import { countOf, formatCount } from '../quantities.ts';
import { countedIn, isOfClient, type RunSoFar } from '../run-so-far.ts';
import {
  knownRows,
  latencyRows,
  notScoredRows,
  requiredRows,
  snapshotRows,
  staleRows,
} from './apart-rows.ts';
import { exchangeLines, traceLines, type Trace } from './exchange-lines.ts';
import { fullFinding, oneLineFinding, shortFinding } from './finding-lines.ts';
import { inconclusiveRows } from './inconclusive-rows.ts';
import { blank, command, entry, layOut, prose, row, section, span } from './rows.ts';
import type { Line, Row, Span, Tone } from './rows.ts';
import { tallyRows } from './tally-rows.ts';
import { columnNames, columnOfCheck, type Column } from '../../harness/results/column.ts';
import { selectionOf } from '../../harness/run/judged-stream.ts';
import { runWideAreas } from '../../harness/judging/run-wide-checks.ts';

/** What the report depends on beside the run. */
interface FinalReportSettings extends AgainCommands {
  readonly columns: number;
  /** What is warned then counts, and is shown, as what failed. */
  readonly isStrict: boolean;
  readonly isVerbose: boolean;
  /** What was traced, asked for when the run is over. */
  readonly traces?: () => readonly Trace[];
}

/** Findings of a kind that are shown with all they have; the rest takes one line each. */
const maxShown = 20;

/** Everything that is known of a run, what failed first, what it comes to last. */
export function finalReport(run: RunSoFar, settings: FinalReportSettings): Line[] {
  const { columns, isVerbose, isStrict, traces = () => [] } = settings;
  const conclusion = conclude(run, isStrict);
  const { partial } = conclusion;
  const sections: Line[][] = [
    layOut(partialRows(conclusion, run), columns),
    findingsSection(run, 'failed', settings),
    findingsSection(run, 'warned', settings),
    ...apartRows(run).map((rows) => layOut(rows, columns)),
    run.footer === undefined ? [] : troubleLines(run.footer, columns),
    layOut(profileRows(run), columns),
    layOut(inapplicableRows(run), columns),
    layOut(inconclusiveRows(run), columns),
    layOut(selectedRows(run), columns),
    layOut(observationRows(run.observations, isVerbose), columns),
    layOut(run.footer === undefined ? [] : snapshotRows(run.footer), columns),
    ...traces().map((trace) => traceLines(trace, columns)),
    layOut(
      run.footer === undefined || run.preflight?.isOk === false
        ? []
        : tallyRows(run.footer, { isVerbose, isOfClient: isOfClient(run) }),
      columns,
    ),
    layOut(partial === undefined ? nextRows(run, settings) : [], columns),
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
  const deciding = footer === undefined ? [] : [staleRows(footer), requiredRows(footer), latencyRows(footer)];
  return [knownRows(run), notScoredRows(run), ...deciding];
}

function partialRows({ partial }: Conclusion, run: RunSoFar): Row[] {
  if (partial === undefined) return [];
  const why = [ended(run), partial].filter((part) => part !== undefined).join('; ');
  return [prose('', span('failed', 'INCOMPLETE RUN'), `  ${why}`)];
}

function findingsSection(
  run: RunSoFar,
  verdict: FindingEvent['verdict'],
  settings: FinalReportSettings,
): Line[] {
  const findings = countedIn(run).filter((finding) => finding.verdict === verdict);
  if (findings.length === 0) return [];
  const { columns, isStrict } = settings;
  const show = verdict === 'failed' || isStrict ? fullFinding : shortFinding;
  const shown = findings
    .slice(0, maxShown)
    .flatMap((finding) => [[], ...show(storyOf(finding, run, settings), columns)]);
  return [
    ...layOut([prose('', ...sectionTitle(findings, verdict, run, settings))], columns),
    ...shown,
    ...furtherLines(findings.slice(maxShown), columns),
  ];
}

function sectionTitle(
  findings: readonly FindingEvent[],
  verdict: FindingEvent['verdict'],
  run: RunSoFar,
  { isStrict }: FinalReportSettings,
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

/** The one step that helps most: the first failure again, or else what makes most of what stayed open testable. */
function nextRows(run: RunSoFar, settings: FinalReportSettings): Row[] {
  const next = (text: string): Row => prose('', span('strong', 'NEXT'), `  ${text}`);
  const first = countedIn(run).find(({ verdict }) => verdict === 'failed' || settings.isStrict);
  if (first !== undefined)
    return [
      next(`mend what ${first.id} shows, and see it again:`),
      command('  ', storyOf(first, run, settings).again),
    ];
  // What kept a run from its result is not mended by a line of the target.
  if (run.footer?.reason !== undefined) return [];
  const groups = inconclusiveGroups(run.checks);
  const gain = groups.find(({ kind, clauses }) => kind === 'enable' && clauses.length > 0);
  const uncreditedGroup = groups
    .filter(({ text }) => text.startsWith(uncredited))
    .toSorted((one, other) => other.checks.length - one.checks.length)[0];
  if (uncreditedGroup !== undefined && uncreditedGroup.checks.length > (gain?.checks.length ?? 0)) {
    const { checks, text } = uncreditedGroup;
    const why = text.slice(uncredited.length).replace(/^: /, '');
    return [
      next(
        `${countOf(checks.length, 'check needs', 'checks need')} this first: a message that is sent and shown; ${why}`,
      ),
    ];
  }
  return gain === undefined
    ? []
    : [next(`${countOf(gain.clauses.length, 'clause needs', 'clauses need')} this first: ${gain.text}`)];
}

/** What the server has, in one line. */
function profileRows(run: RunSoFar): Row[] {
  const words = profileInWords(run);
  return words === '' ? [] : [prose('', span('strong', 'PROFILE'), `  ${words}`)];
}

/** What this server does not have, once for each such part, with the clauses that then ask nothing of it. */
function inapplicableRows({ checks }: RunSoFar): Row[] {
  const groups = inapplicableGroups(checks);
  const clauses = new Set(groups.flatMap((group) => group.clauses));
  const rows = groups.map((group) => {
    const names = group.clauses.length > 0 ? group.clauses : group.checks;
    return entry(`${group.text}: `, span('faint', names.join(', ')));
  });
  return section(span('strong', 'DOES NOT APPLY'), countOf(clauses.size, 'clause'), rows);
}

/** What trouble did to a run that is not a whole one: what happened and when, what was met most often, its exchange. */
function troubleLines({ trouble }: FooterEvent, columns: number): Line[] {
  if (trouble?.text === undefined) return [];
  const { text, mostly } = trouble;
  const rows = [row(span('failed', 'TROUBLE')), prose('  ', text)];
  if (mostly === undefined) return layOut(rows, columns);
  const most = `met most often, in ${countOf(mostly.clauses, 'clause')}: ${mostly.text}`;
  return [
    ...layOut([...rows, blank, prose('  ', most)], columns),
    ...(mostly.exchange === undefined ? [] : [[], ...exchangeLines(mostly.exchange, columns)]),
  ];
}

/** Longer names push their value to the right, or into the next line. */
const maxNameWidth = 48;

/** What the server does where the contract is silent: how much was seen, and on demand what. */
function observationRows(observations: readonly ObservationEvent[], isVerbose: boolean): Row[] {
  if (observations.length === 0) return [];
  const count = countOf(observations.length, 'observation');
  const title = row(
    span('strong', 'OBSERVED'),
    `  ${count} where the contract is silent; informational only`,
  );
  if (!isVerbose) return [title];
  const width = Math.min(maxNameWidth, Math.max(...observations.map(({ name }) => widthOf(name))));
  const told = new Map<string, { readonly name: string; readonly value: string; times: number }>();
  for (const { name, value } of observations) {
    const known = told.get(`${name}\n${value}`);
    if (known === undefined) told.set(`${name}\n${value}`, { name, value, times: 1 });
    else known.times += 1;
  }
  const rows = [...told.values()].map(({ name, value, times }) =>
    observationRow(name, times > 1 ? `${value} (${times} times)` : value, width),
  );
  return [title, blank, ...rows];
}

function observationRow(name: string, value: string, width: number): Row {
  const gap = ' '.repeat(Math.max(0, width - widthOf(name)) + 2);
  return {
    lead: ['  '],
    follow: ' '.repeat(width + 4),
    text: [span('faint', name), gap, value],
    fit: 'words',
  };
}

/** Selected checks that are still listed one by one; of more than these the tally says enough. */
const maxListedChecks = 20;

const verdictWidth = 16;

const tones: Readonly<Record<Column, Tone>> = {
  passed: 'passed',
  failed: 'failed',
  warned: 'warned',
  inconclusive: 'inconclusive',
  known: 'faint',
  notScored: 'faint',
  notApplicable: 'faint',
};

/** What each selected check came to, where a selection is narrow enough to ask. */
function selectedRows(run: RunSoFar): Row[] {
  const checks = shownSelection(run);
  if (checks.length > maxListedChecks) return [];
  return section(span('strong', 'SELECTED'), countOf(checks.length, 'check'), checks.map(selectedRow));
}

/** Checks over a whole run are beside any selection: they are meant where they are named. */
function shownSelection({ header, checks }: RunSoFar): readonly CheckEvent[] {
  const selection = header === undefined ? [] : selectionOf(header);
  if (selection.length === 0) return [];
  const named = checks.filter(({ check }) => selection.includes(check));
  return named.length === selection.length ? named : checks.filter(({ area }) => !runWideAreas.has(area));
}

/** A check as the tally counts it. */
function selectedRow(event: CheckEvent): Row {
  const { check, verdict, title, clauses } = event;
  const column = columnOfCheck(event);
  const why = verdict === 'inconclusive' ? whyOpen(clauses) : title;
  return {
    lead: ['  ', span(tones[column], columnNames[column].padEnd(verdictWidth))],
    follow: ' '.repeat(2 + verdictWidth),
    text: [span('strong', check), '  ', span('faint', why)],
    fit: 'words',
  };
}

function whyOpen(clauses: CheckEvent['clauses']): string {
  const open = clauses.find(({ verdict }) => verdict === 'inconclusive');
  return open?.inapplicable ?? open?.enable ?? open?.reason ?? 'no reason was given';
}
