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

const findingMargin = '    ';
const labelWidth = 10;
const maxFieldLines = 8;
const maxAlsoSeenBy = 6;

/** Exchanges shown at the beginning and at the end; the failure is mostly in the last one. */
const firstExchanges = 2;
const lastExchanges = 3;

/** All that a finding says: the clause, the difference, every exchange as HTTP text, and how to see it again. */
export function fullFinding(finding: FindingEvent, context: FindingContext, columns: number): Line[] {
  return [
    ...heading(finding, columns),
    ...fieldLines(finding, context, columns),
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
    ...fieldLines(finding, context, columns),
    ...layOut([...again, command(findingMargin, context.rerunCommand)], columns),
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
    span(finding.verdict, `${finding.id} `.padEnd(findingMargin.length)),
    span('strong', finding.clause),
    '  ',
    span('faint', finding.anomaly === undefined ? finding.level : `${finding.level}  ${finding.anomaly}`),
  );
  return [...layOut([title], columns), ...fieldLine('', finding.text, columns, findingMargin.length)];
}

function fieldLines(finding: FindingEvent, context: FindingContext, columns: number): Line[] {
  const alsoSeenBy = shortenedChecks(context.alsoSeenBy);
  return [
    ...fieldLine('contract', finding.source, columns),
    ...fieldLine('with', otherClauses(finding), columns),
    ...fieldLine('expected', finding.expected, columns),
    ...fieldLine('got', finding.actual, columns, undefined, finding.verdict),
    ...fieldLine('places', placesInWords(finding), columns),
    ...fieldLine('seen', seenInWords(finding), columns),
    ...fieldLine('check', finding.check, columns),
    ...fieldLine('', context.check?.title ?? '', columns, undefined, 'faint'),
    ...fieldLine('', context.check?.file ?? '', columns, undefined, 'faint'),
    ...causeFields(finding, columns),
    ...fieldLine('also in', alsoSeenBy, columns),
  ];
}

/** What clients and the operator did, where exchanges alone do not show it. */
function timelineLines({ timeline }: FindingEvent, columns: number): Line[] {
  if (timeline === undefined) return [];
  return layOut(
    [
      blank,
      ...timelineText(timeline).map((text): Row => ({
        ...prose(findingMargin, text),
        follow: findingMargin.repeat(2),
      })),
    ],
    columns,
  );
}

function causeFields({ cause, metIn }: FindingEvent, columns: number): Line[] {
  const caused =
    cause === undefined
      ? []
      : fieldLine('caused by', `exchange ${cause.exchange}, a request of ${cause.check}`, columns);
  const isElsewhere = metIn !== undefined && metIn !== cause?.check;
  return [...caused, ...(isElsewhere ? fieldLine('seen in', metIn, columns) : [])];
}

function fieldLine(
  name: string,
  text: string,
  columns: number,
  indent = findingMargin.length + labelWidth,
  tone: Tone = 'plain',
): Line[] {
  if (text === '') return [];
  const lead: Span[] =
    name === '' ? [' '.repeat(indent)] : [findingMargin, span('faint', name.padEnd(labelWidth))];
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

function shortenedChecks(checks: readonly string[]): string {
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
  return layOut([prose(findingMargin, span('faint', note))], columns);
}

function rerunRows({ rerunCommand }: FindingContext): Row[] {
  return [row(findingMargin, span('faint', 'to reproduce')), command(findingMargin, rerunCommand)];
}
