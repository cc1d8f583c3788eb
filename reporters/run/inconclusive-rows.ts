import { countOf, formatCount } from '../quantities.ts';
import { isSelected, type RunSoFar } from '../run-so-far.ts';
import { inconclusiveGroups, untriedClauses, type InconclusiveGroup } from '../inconclusive.ts';
import { blank, prose, row, span, type Row } from './rows.ts';

const maxGroups = 25;
const maxNamedChecks = 3;
const numberWidth = 9;

/** What stayed inconclusive: first by what would enable it, then what this run could not tell and why. */
export function inconclusiveRows(run: RunSoFar): Row[] {
  const groups = inconclusiveGroups(run.checks);
  const enable = groups.filter(({ kind }) => kind === 'enable');
  const other = groups.filter(({ kind }) => kind === 'reason');
  const untried = untriedRows(run);
  if (groups.length === 0 && untried.length === 0) return [];
  return [
    title(run),
    ...(enable.length === 0 ? [] : [blank, headRow('testable with'), ...inconclusiveTable(enable)]),
    ...(other.length === 0 ? [] : [blank, headRow('inconclusive because'), ...inconclusiveTable(other)]),
    ...(untried.length === 0 ? [] : [blank, ...untried]),
  ];
}

function inconclusiveTable(groups: readonly InconclusiveGroup[]): Row[] {
  const shown = groups.slice(0, maxGroups).flatMap(groupRows);
  const left = groups.length - maxGroups;
  return left > 0 ? [...shown, row(span('faint', `${' '.repeat(2 * numberWidth)}  … ${left} more`))] : shown;
}

function groupRows({ kind, text, clauses, checks }: InconclusiveGroup): Row[] {
  const line = numbered(clauses.length, checks.length, text);
  if (kind === 'enable') return [line];
  const more = checks.length > maxNamedChecks ? ` and ${checks.length - maxNamedChecks} more` : '';
  const names = `${checks.slice(0, maxNamedChecks).join(', ')}${more}`;
  return [line, { ...numbered('', '', ''), text: [span('faint', names)] }];
}

function untriedRows(run: RunSoFar): Row[] {
  const count = untriedClauses(run);
  // Without any check the conclusion says it all.
  if (count === 0 || run.checks.length === 0) return [];
  const who = isSelected(run) ? 'selected check' : 'check that ran';
  return [prose('  ', `${countOf(count, 'clause')} not touched by any ${who}`)];
}

function title({ footer }: RunSoFar): Row {
  const counts = [
    ['must clause', footer?.clauses.must.inconclusive ?? 0] as const,
    ['inferred clause', footer?.clauses.inferred.inconclusive ?? 0] as const,
  ].flatMap(([noun, count]) => (count === 0 ? [] : [countOf(count, noun)]));
  return row(span('inconclusive', 'INCONCLUSIVE'), `  ${counts.join(' and ')}`);
}

function headRow(text: string): Row {
  return row(span('faint', `${'clauses'.padStart(numberWidth)}${'checks'.padStart(numberWidth)}  ${text}`));
}

function numbered(clauses: number | '', checks: number | '', text: string): Row {
  const numbers = [clauses, checks].map((each) =>
    (each === '' ? '' : formatCount(each)).padStart(numberWidth),
  );
  const lead = `${numbers.join('')}  `;
  return { lead: [lead], follow: ' '.repeat(lead.length), text: [text], fit: 'words' };
}
