import type {
  FindingEvent,
  FooterEvent,
  SnapshotChange,
  StaleEntry,
} from '../../harness/results/generated/events.ts';
import { brokenIds } from '../broken-ids.ts';
import { whatNow } from '../conclusion.ts';
import { brokenGates, gateInWords } from '../latency-gates.ts';
import { countOf } from '../quantities.ts';
import type { RunSoFar } from '../run-so-far.ts';
import { blank, entry, prose, type Row, section, span, type Span } from './rows.ts';

/** What failed and was expected to: one line each, with the reason that the baseline gives. */
export function knownRows({ findings }: RunSoFar): Row[] {
  const known = findings.filter(({ known: reason, isScored }) => reason !== undefined && isScored !== false);
  const rows = known.map((finding) => oneRow(finding, finding.known ?? ''));
  return section(span('strong', 'KNOWN'), `${clausesOf(known)} that the baseline expects to fail`, rows);
}

/** What checks outside the requirement set found. */
export function notScoredRows({ findings, header }: RunSoFar): Row[] {
  const apart = findings.filter(({ isScored }) => isScored === false);
  const set = header?.profile.requirements ?? 'chosen';
  return section(
    span('strong', 'NOT SCORED'),
    `${clausesOf(apart)} broken, found by checks outside the ${set} requirements`,
    apart.map((finding) => oneRow(finding, finding.actual)),
  );
}

/** Entries of the baseline that no longer hold. */
export function staleRows({ staleBaseline = [] }: FooterEvent): Row[] {
  const count = countOf(staleBaseline.length, 'entry', 'entries');
  return section(
    span('failed', 'BASELINE'),
    `${count} of known failures no longer ${staleBaseline.length === 1 ? 'holds' : 'hold'}`,
    staleBaseline.map((stale) =>
      entry(`${stale.place}  `, span('strong', aboutWhat(stale)), ` ${whatNow(stale)}`),
    ),
  );
}

/** Clauses that `--require` names and that are inconclusive, with what would decide them. */
export function requiredRows({ requiredInconclusive = [] }: FooterEvent): Row[] {
  const count = countOf(requiredInconclusive.length, 'clause');
  return section(
    span('inconclusive', 'REQUIRED'),
    `${count} that had to be decided stayed inconclusive`,
    requiredInconclusive.map(({ clause, reason, enable }) =>
      entry(span('strong', clause), `  ${enable ?? reason}`),
    ),
  );
}

/** Calls with a limit of `--max-p95`, where one did not keep it; those that did are in the tally. */
export function latencyRows(footer: FooterEvent): Row[] {
  const { slow, unmeasured } = brokenGates(footer);
  const text = [
    ...(slow.length === 0 ? [] : [`${countOf(slow.length, 'call')} slower than --max-p95 allows`]),
    ...(unmeasured.length === 0
      ? []
      : [`${countOf(unmeasured.length, 'call')} without an answer to measure`]),
  ];
  const tone = slow.length > 0 ? 'failed' : 'inconclusive';
  return section(
    span(tone, 'LATENCY'),
    text.join('; '),
    [...slow, ...unmeasured].map((gate) => entry(span('strong', gate.call), `  ${gateInWords(gate)}`)),
  );
}

/** What the server does otherwise than when the snapshot was kept. */
export function snapshotRows({ snapshot }: FooterEvent): Row[] {
  if (snapshot === undefined) return [];
  const { changes, file, kept } = snapshot;
  if (changes.length === 0) {
    return [prose('', span('strong', 'UNCHANGED'), `  ${countOf(kept, 'observation')} as in ${file}`)];
  }
  const count = countOf(changes.length, 'observation');
  return [
    prose(
      '',
      span('strong', 'CHANGED'),
      `  ${count} since ${file} was written; informational only. Remove the file to take a new snapshot`,
    ),
    blank,
    ...changes.map(changeRow),
  ];
}

function oneRow(finding: FindingEvent, why: string): Row {
  const lead: Span[] = ['  ', span('faint', finding.id.padEnd(5))];
  const text = [
    span('strong', finding.clause),
    `  ${finding.verdict}  `,
    span('faint', `${finding.check}: ${why}`),
  ];
  return { lead, follow: ' '.repeat(7), text, fit: 'words' };
}

function changeRow({ check, name, was, is }: SnapshotChange): Row {
  const unseen = 'not observed';
  const values = [span('faint', ' was '), was ?? unseen, span('faint', ', is '), is ?? unseen];
  return entry(span('faint', `${check}  `), name, ':', ...values);
}

function aboutWhat({ check, clause }: StaleEntry): string {
  return [check, clause].filter((name) => name !== undefined).join(' about ');
}

function clausesOf(findings: readonly FindingEvent[]): string {
  return countOf(brokenIds(findings).length, 'clause');
}
