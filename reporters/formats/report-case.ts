import { runWideAreas } from '../../harness/judging/run-wide-checks.ts';
import { brokenClauses } from '../../harness/results/broken-clauses.ts';
import { columnNames, columnOfCheck } from '../../harness/results/column.ts';
import type { CheckEvent, FindingEvent } from '../../harness/results/generated/events.ts';
import { exitCodes } from '../../harness/verdict/exit-code.ts';
import { conclude, staleInWords, whyTroubled } from '../conclusion.ts';
import { gateInWords } from '../latency-gates.ts';
import { formatDuration } from '../quantities.ts';
import { isCampaign, isStrictRun, type RunSoFar } from '../run-so-far.ts';
import { push } from '../../spec/groups.ts';

/** What a case of a test report came to. `error`: no verdict on the server, but the run did not work out. */
export type ReportOutcome = 'passed' | 'failed' | 'warned' | 'skipped' | 'error';

/** A check as test reports have it; of a campaign, a family of cases. */
export interface ReportCase {
  /** The run that it is of. */
  readonly run: RunSoFar;
  /** The area of the check; `fuzz`, `baseline`, `latency` and `run` for what no check is. */
  readonly suite: string;
  readonly name: string;
  readonly title: string;
  /** Where the check is written, from the root of the suite's repository. */
  readonly file: string | undefined;
  readonly durationMs: number;
  readonly outcome: ReportOutcome;
  /** Why it was skipped, or did not work out. */
  readonly reason: string | undefined;
  readonly clauses: readonly string[];
  readonly findings: readonly FindingEvent[];
}

/** What a run, or a campaign, is as a list of cases; the last one is the run itself, so that a part of one is never green. */
export function reportCases(run: RunSoFar): readonly ReportCase[] {
  const isStrict = isStrictRun(run);
  const findings = findingsByCheck(run.findings);
  const cases = isCampaign(run)
    ? familyCases(run, findings, isStrict)
    : run.checks.map((check) => checkCase(check, findings.get(check.check) ?? [], isStrict));
  const ended = new Set(cases.map(({ name }) => name));
  // A run that was stopped may have found what no check has told yet.
  const unended = [...findings].filter(([check]) => !ended.has(check));
  const all = [
    ...cases,
    ...unended.map(([check, found]) => foundCase(check, found, isStrict)),
    ...baselineCases(run),
    ...latencyCases(run),
    runCase(run, isStrict),
  ];
  return all.map((each) => ({ run, ...each }));
}

/** A case before it is known whose it is. */
type OwnCase = Omit<ReportCase, 'run'>;

/** Every check by which a finding is told, with its findings. */
function findingsByCheck(findings: readonly FindingEvent[]): ReadonlyMap<string, readonly FindingEvent[]> {
  const byCheck = new Map<string, FindingEvent[]>();
  for (const finding of findings)
    for (const check of new Set([finding.check, ...brokenClauses(finding).map((each) => each.check)]))
      push(byCheck, check, finding);
  return byCheck;
}

function checkCase(event: CheckEvent, findings: readonly FindingEvent[], isStrict: boolean): OwnCase {
  const { check, title, file, durationMs, clauses } = event;
  const column = columnOfCheck(event);
  const broken = isStrict && column === 'warned' ? 'failed' : column;
  const reasons = clauses.flatMap(({ reason, known, inapplicable }) => inapplicable ?? known ?? reason ?? []);
  const outcome = outcomes[broken];
  return {
    suite: areaOfCheck(event),
    name: check,
    title,
    file,
    durationMs,
    outcome,
    reason: outcome === 'skipped' ? skipReason(column, reasons) : toldElsewhere(event, findings),
    clauses: clauses.map(({ clause }) => clause),
    findings,
  };
}

/** Of a check that met what another shows better: which clauses it saw broken. */
function toldElsewhere({ clauses }: CheckEvent, findings: readonly FindingEvent[]): string | undefined {
  const broken = clauses.filter((each) => each.verdict === 'failed' || each.verdict === 'warned');
  if (findings.length > 0 || broken.length === 0) return undefined;
  const names = broken.map(({ clause }) => clause).join(', ');
  return `it saw broken what a finding of another check shows: ${names}`;
}

const outcomes: Readonly<Record<ReturnType<typeof columnOfCheck>, ReportOutcome>> = {
  passed: 'passed',
  failed: 'failed',
  warned: 'warned',
  inconclusive: 'skipped',
  known: 'skipped',
  notScored: 'skipped',
  notApplicable: 'skipped',
};

function skipReason(column: ReturnType<typeof columnOfCheck>, reasons: readonly string[]): string {
  const lead = column === 'known' ? 'known failure' : columnNames[column];
  const distinct = [...new Set(reasons)];
  return distinct.length === 0 ? lead : `${lead}: ${distinct.join('; ')}`;
}

function familyCases(
  { footer, findings }: RunSoFar,
  byFamily: ReadonlyMap<string, readonly FindingEvent[]>,
  isStrict: boolean,
): readonly OwnCase[] {
  const { campaign } = footer ?? {};
  const known = new Set(findings.flatMap(({ id }) => (campaign?.seen[id]?.known === undefined ? [] : id)));
  return Object.entries(campaign?.byFamily ?? {}).map(([family, cases]) => {
    const found = (byFamily.get(family) ?? []).filter(({ id }) => !known.has(id));
    return { ...foundCase(family, found, isStrict), title: `${cases} cases of ${family}` };
  });
}

function foundCase(name: string, findings: readonly FindingEvent[], isStrict: boolean): OwnCase {
  const counted = findings.filter(({ known, isScored }) => known === undefined && isScored !== false);
  const isFailed = counted.some(({ verdict }) => verdict === 'failed' || isStrict);
  const isCase = findings.some((finding) => finding.case !== undefined) || findings.length === 0;
  return {
    suite: isCase ? 'fuzz' : (name.split('.')[0] ?? name),
    name,
    title: name,
    file: undefined,
    durationMs: 0,
    outcome: isFailed ? 'failed' : counted.length > 0 ? 'warned' : 'passed',
    reason: undefined,
    clauses: [...new Set(findings.flatMap(brokenClauses).map(({ clause }) => clause))],
    findings,
  };
}

function baselineCases({ footer }: RunSoFar): readonly OwnCase[] {
  return (footer?.staleBaseline ?? []).map((entry) => ({
    suite: 'baseline',
    name: entry.place,
    title: staleInWords(entry),
    file: undefined,
    durationMs: 0,
    outcome: 'failed',
    reason: staleInWords(entry),
    clauses: entry.clause === undefined ? [] : [entry.clause],
    findings: [],
  }));
}

function latencyCases({ footer }: RunSoFar): readonly OwnCase[] {
  return (footer?.latencyGates ?? []).map((gate) => ({
    suite: 'latency',
    name: `latency.${gate.call}`,
    title: `95 of 100 answers to ${gate.call} take ${formatDuration(gate.maxP95Ms)} at most`,
    file: undefined,
    durationMs: 0,
    outcome: gate.verdict === 'inconclusive' ? 'skipped' : gate.verdict,
    reason: gate.verdict === 'passed' ? undefined : gateInWords(gate),
    clauses: [],
    findings: [],
  }));
}

function runCase(run: RunSoFar, isStrict: boolean): OwnCase {
  const { text, partial } = conclude(run, isStrict);
  const { footer } = run;
  const troubled = whyTroubled(footer);
  const hasResult =
    partial === undefined &&
    troubled === undefined &&
    (footer?.exitCode === exitCodes.conforms || footer?.exitCode === exitCodes.broken);
  // What failed is there, and nothing else went wrong.
  const cut = footer?.end === 'bailed' ? 'skipped' : 'error';
  return {
    suite: 'run',
    name: 'run.is-whole',
    title: 'the run went to its end and came to a result',
    file: undefined,
    durationMs: footer?.durationMs ?? 0,
    outcome: hasResult ? 'passed' : cut,
    reason: hasResult ? undefined : text.includes(troubled ?? '') ? text : troubled,
    clauses: [],
    findings: [],
  };
}

/** The area of the contract that a check speaks of: one that only watches what others receive counts among those of its clauses. */
export function areaOfCheck({ check, area }: Pick<CheckEvent, 'check' | 'area'>): string {
  const [watcher = '', about] = check.split('.');
  return runWideAreas.has(watcher) && about !== undefined ? about : area;
}
