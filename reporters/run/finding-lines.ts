import type { CheckEvent, EvidenceExchange, FindingEvent } from '../../harness/results/generated/events.ts';
import { shownClauses } from '../broken-ids.ts';
import { countOf, seenInWords } from '../quantities.ts';
import { timelineText } from '../timeline-text.ts';
import { curlRow, exchangeLines } from './exchange-lines.ts';
import { atMost, blank, command, layOut, prose, row, span } from './rows.ts';
import type { Line, Row, Span, Tone } from './rows.ts';

/** What a finding is shown with, from elsewhere in the stream. */
export interface FindingContext {
  /** The check that found it, when it has ended. */
  readonly check: CheckEvent | undefined;
  readonly alsoSeenBy: readonly string[];
  readonly rerunCommand: string;
}

const margin = '    ';
const label = 10;
const maxFieldLines = 8;
const maxAlsoSeenBy = 6;

/** Exchanges shown at the beginning and at the end; the failure is mostly in the last one. */
const firstExchanges = 2;
const lastExchanges = 3;

/** All that a finding says: the clause, the difference, every exchange as HTTP text, and how to see it again. */
export function fullFinding(finding: FindingEvent, context: FindingContext, columns: number): Line[] {
  return [
    ...heading(finding, columns),
    ...fields(finding, context, columns),
    ...timelineLines(finding, columns),
    ...shownExchanges(finding.exchanges).flatMap((each) => [[], ...exchangeOrGap(each, columns)]),
    ...layOut([blank, ...rerunRows(context)], columns),
  ];
}

/** A finding with the command lines of its cause and its last exchange, but without the HTTP text. */
export function shortFinding(finding: FindingEvent, context: FindingContext, columns: number): Line[] {
  const last = finding.exchanges.at(-1);
  const again = finding.exchanges
    .filter((each) => each === last || each.id === finding.cause?.exchange)
    .map((each) => curlRow(each));
  return [
    ...heading(finding, columns),
    ...fields(finding, context, columns),
    ...layOut([...again, command(margin, context.rerunCommand)], columns),
  ];
}

/** One line, cut at the edge. */
export function oneLineFinding(finding: FindingEvent, columns: number): Line[] {
  const id = span(finding.verdict, finding.id.padEnd(5));
  return layOut(
    [row(id, `${clausesInShort(finding)}  `, span('faint', `${finding.check}: ${finding.actual}`))],
    columns,
  );
}

function heading(finding: FindingEvent, columns: number): Line[] {
  const title: Row = row(
    span(finding.verdict, `${finding.id} `.padEnd(margin.length)),
    span('strong', finding.clause),
    '  ',
    span('faint', finding.anomaly === undefined ? finding.level : `${finding.level}  ${finding.anomaly}`),
  );
  return [...layOut([title], columns), ...field('', finding.text, columns, margin.length)];
}

function fields(finding: FindingEvent, context: FindingContext, columns: number): Line[] {
  const alsoSeenBy = shortened(context.alsoSeenBy);
  return [
    ...field('contract', finding.source, columns),
    ...field('with', otherClauses(finding), columns),
    ...field('expected', finding.expected, columns),
    ...field('got', finding.actual, columns, undefined, finding.verdict),
    ...field('places', placesInWords(finding), columns),
    ...field('seen', seenInWords(finding), columns),
    ...field('check', finding.check, columns),
    ...field('', context.check?.title ?? '', columns, undefined, 'faint'),
    ...field('', context.check?.file ?? '', columns, undefined, 'faint'),
    ...causeFields(finding, columns),
    ...field('also in', alsoSeenBy, columns),
  ];
}

/** What clients and the operator did, where exchanges alone do not show it. */
function timelineLines({ timeline }: FindingEvent, columns: number): Line[] {
  if (timeline === undefined) return [];
  return layOut(
    [
      blank,
      ...timelineText(timeline).map((text): Row => ({ ...prose(margin, text), follow: margin.repeat(2) })),
    ],
    columns,
  );
}

function causeFields({ cause, metIn }: FindingEvent, columns: number): Line[] {
  const caused =
    cause === undefined
      ? []
      : field('caused by', `exchange ${cause.exchange}, a request of ${cause.check}`, columns);
  const isElsewhere = metIn !== undefined && metIn !== cause?.check;
  return [...caused, ...(isElsewhere ? field('seen in', metIn, columns) : [])];
}

function field(
  name: string,
  text: string,
  columns: number,
  indent = margin.length + label,
  tone: Tone = 'plain',
): Line[] {
  if (text === '') return [];
  const lead: Span[] = name === '' ? [' '.repeat(indent)] : [margin, span('faint', name.padEnd(label))];
  const follow = ' '.repeat(indent);
  const lines = layOut([{ lead, follow, text: [span(tone, text)], fit: 'words' }], columns);
  return [...atMost(maxFieldLines, lines, follow)];
}

/** The clauses that the same cause breaks beside the one in the heading, each with its level. */
function otherClauses(finding: FindingEvent): string {
  const [, ...others] = shownClauses(finding);
  return others.map(({ clause, level }) => `${clause} (${level})`).join(', ');
}

function clausesInShort(finding: FindingEvent): string {
  const others = shownClauses(finding).length - 1;
  return others === 0 ? finding.clause : `${finding.clause} and ${countOf(others, 'more clause')}`;
}

/** The one place of a finding stands in what it got. */
function placesInWords({ places = [] }: FindingEvent): string {
  if (places.length < 2) return '';
  const shown = [...new Set(places.map(({ call, path }) => (path === '' ? call : `${path} of ${call}`)))];
  return `${countOf(shown.length, 'place')}: ${shown.join(', ')}`;
}

function shortened(checks: readonly string[]): string {
  if (checks.length <= maxAlsoSeenBy) return checks.join(', ');
  const more = checks.length - maxAlsoSeenBy;
  return `${checks.slice(0, maxAlsoSeenBy).join(', ')} and ${more} more`;
}

/** A number stands for so many exchanges left out. */
function shownExchanges(exchanges: readonly EvidenceExchange[]): (EvidenceExchange | number)[] {
  const left = exchanges.length - firstExchanges - lastExchanges;
  if (left <= 1) return [...exchanges];
  return [...exchanges.slice(0, firstExchanges), left, ...exchanges.slice(-lastExchanges)];
}

function exchangeOrGap(each: EvidenceExchange | number, columns: number): Line[] {
  if (typeof each !== 'number') return exchangeLines(each, columns);
  const note = `… ${countOf(each, 'more exchange')} in between; the result stream has them`;
  return layOut([prose(margin, span('faint', note))], columns);
}

function rerunRows({ rerunCommand }: FindingContext): Row[] {
  return [row(margin, span('faint', 'to reproduce')), command(margin, rerunCommand)];
}
