import { clauses, originalOf } from '../../spec/index.ts';
import { hasResult, verdictOf } from '../conclusion.ts';
import { findingLines } from '../story/story-text.ts';
import type { ReportSettings } from '../formats/format.ts';
import { code, fenced, inline as escaped } from '../formats/markdown-text.ts';
import { countOf } from '../quantities.ts';
import type { RunSoFar } from '../run-so-far.ts';
import { type Changes, changesBetween, type ClauseChange } from './changes.ts';

/** Clauses of a list that are named; the rest is counted. */
const mostNamed = 20;
/** Characters of the evidence: a platform takes some 65,000 of a comment. */
const mostEvidence = 20_000;

/**
 * A comment for a pull request, in Markdown: what a run has newly broken, with the evidence of the first, what it fixed, and what is broken
 * as before. The empty text where nothing changed and the later run came to a result.
 */
export function commentOn(before: RunSoFar, after: RunSoFar, settings: ReportSettings): string {
  const { text, partial } = verdictOf(after);
  const isDecided = hasResult(after);
  const all = changesBetween(before, after);
  // What a run did not come to, since it was cut short, the change has no part in.
  const changes = partial === undefined ? all : { ...all, open: [] };
  const { broken, fixed, stillBroken, open } = changes;
  if (broken.length + fixed.length + open.length === 0 && isDecided) return '';
  const parts = [
    `### ${titleOf(changes, partial === undefined ? (isDecided ? [] : ['no result']) : ['incomplete run'])}`,
    inline(text),
    ...section('Newly broken', broken, brokenInWords),
    ...evidenceOf(broken, after, settings),
    ...section('Fixed', fixed, ({ clause }) => code(clause)),
    ...section('Broken as before', stillBroken, stillInWords),
    ...section('Passed before, and came to no verdict now', open, ({ clause }) => code(clause)),
    `<sub>${inline(about(before, after))}</sub>`,
  ];
  return `${parts.join('\n\n')}\n`;
}

function titleOf({ broken, fixed, open }: Changes, also: readonly string[]): string {
  const counts = [
    ...(broken.length === 0 ? [] : [`${countOf(broken.length, 'clause')} newly broken`]),
    ...(fixed.length === 0 ? [] : [`${countOf(fixed.length, 'clause')} fixed`]),
    ...(open.length === 0 ? [] : [`${countOf(open.length, 'clause')} without a verdict`]),
    ...also,
  ];
  return `Contract: ${counts.join(', ')}`;
}

function section(
  title: string,
  changes: readonly ClauseChange[],
  inWords: (change: ClauseChange) => string,
): readonly string[] {
  if (changes.length === 0) return [];
  const lines = changes.slice(0, mostNamed).map((each) => `- ${inWords(each)}`);
  const left = changes.length - mostNamed;
  return [`**${title}**`, [...lines, ...(left > 0 ? [`- and ${left} more`] : [])].join('\n')];
}

function brokenInWords({ clause, before, after, finding }: ClauseChange): string {
  const level = after === 'warned' ? ' (warned: the contract implies it)' : '';
  const first = before === undefined || before === 'inconclusive' ? ', without a verdict before' : '';
  return `${code(clause)}${level}${first}${saidOf(clause, textOf(clause, finding))}`;
}

function stillInWords({ clause, after, finding }: ClauseChange): string {
  return `${code(clause)}${after === 'known' ? ', known' : ''}${saidOf(clause, after === 'known' ? finding?.known : undefined)}`;
}

/** The words of a clause: a finding has those of its first one, and the register those of the others. */
function textOf(clause: string, finding: ClauseChange['finding']): string | undefined {
  if (finding === undefined || finding.clause === clause) return finding?.text;
  return clauses.find(({ id }) => id === clause)?.text;
}

/** What is said of a clause in its line; one that restates another says which. */
function saidOf(clause: string, text: string | undefined): string {
  const original = originalOf(clause);
  if (original !== clause) return `: says the same as ${code(original)}`;
  return text === undefined ? '' : `: ${inline(text)}`;
}

/** The story of the first of them, open. */
function evidenceOf(
  broken: readonly ClauseChange[],
  after: RunSoFar,
  settings: ReportSettings,
): readonly string[] {
  const finding = broken[0]?.finding;
  if (finding === undefined) return [];
  const lines = findingLines(finding, after, settings);
  const kept: string[] = [];
  let length = 0;
  for (const line of lines) {
    length += line.length + 1;
    if (length > mostEvidence) break;
    kept.push(line);
  }
  const left = lines.length - kept.length;
  const shown = left === 0 ? kept : [...kept, `… ${countOf(left, 'line')} more in the report`];
  return [
    `<details open><summary>${inline(`${finding.id} ${finding.clause}`)}</summary>`,
    fenced(shown),
    '</details>',
  ];
}

function about(before: RunSoFar, after: RunSoFar): string {
  const { baseUrl = '', suiteVersion = '', startedAt = '' } = after.header ?? {};
  const isOther = before.header?.suiteVersion !== suiteVersion;
  const version = isOther ? `, by conform ${before.header?.suiteVersion ?? ''} then` : '';
  return `${baseUrl} at ${startedAt}, held against results of ${before.header?.startedAt ?? ''}${version}; conform ${suiteVersion}`;
}

/** Text in which nobody is called by name: a platform would tell them. */
function inline(text: string): string {
  return escaped(text).replaceAll('@', '@<!-- -->');
}
