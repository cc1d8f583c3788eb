import { runWideAreas } from '../../harness/judging/run-wide-checks.ts';
import type { CheckEvent } from '../../harness/results/generated/events.ts';
import { countOf } from '../quantities.ts';
import type { RunSoFar } from '../run-so-far.ts';
import { blank, row, span, type Row, type Tone } from './rows.ts';

/** Selected checks that are still listed one by one; of more than these the tally says enough. */
const maxListedChecks = 20;

const verdictWidth = 14;

const tones: Readonly<Record<CheckEvent['verdict'], Tone>> = {
  passed: 'passed',
  failed: 'failed',
  warned: 'warned',
  inconclusive: 'inconclusive',
};

/** What each selected check came to, where a selection is narrow enough to ask. */
export function selectedRows(run: RunSoFar): Row[] {
  const checks = shownSelection(run);
  if (checks.length === 0 || checks.length > maxListedChecks) return [];
  return [
    row(span('strong', 'SELECTED'), `  ${countOf(checks.length, 'check')}`),
    blank,
    ...checks.map(selectedRow),
  ];
}

/** Checks over a whole run are beside any selection: they are meant where they are named. */
function shownSelection({ header, checks }: RunSoFar): readonly CheckEvent[] {
  const selection = header?.profile.selection ?? [];
  if (selection.length === 0) return [];
  const named = checks.filter(({ check }) => selection.includes(check));
  return named.length === selection.length ? named : checks.filter(({ area }) => !runWideAreas.has(area));
}

function selectedRow({ check, verdict, title, isScored, clauses }: CheckEvent): Row {
  const notScored = isScored === false ? ', not scored' : '';
  const why = verdict === 'inconclusive' ? whyOpen(clauses) : title;
  return {
    lead: ['  ', span(tones[verdict], verdict.padEnd(verdictWidth))],
    follow: ' '.repeat(2 + verdictWidth),
    text: [span('strong', check), notScored, '  ', span('faint', why)],
    fit: 'words',
  };
}

function whyOpen(clauses: CheckEvent['clauses']): string {
  const open = clauses.find(({ verdict }) => verdict === 'inconclusive');
  return open?.inapplicable ?? open?.enable ?? open?.reason ?? 'no reason was given';
}
