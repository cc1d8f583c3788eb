import type { FindingEvent } from '../../harness/results/generated/events.ts';
import { shownClauses } from '../broken-ids.ts';
import { countOf } from '../quantities.ts';
import type { Fact, Step, Story } from '../story/story.ts';
import { curlRow, stepLines } from './exchange-lines.ts';
import { atMost, blank, command, layOut, prose, row, span } from './rows.ts';
import type { Line, Row, Span, Tone } from './rows.ts';

const findingMargin = '    ';
const labelWidth = 10;
const maxFieldLines = 8;

/** All that a finding says: the clause, the difference, every request as HTTP text, and how to see it again. */
export function fullFinding(story: Story, columns: number): Line[] {
  return [
    ...heading(story, columns),
    ...timelineLines(story, columns),
    ...story.steps.flatMap((each) => [[], ...stepOrGap(each, columns)]),
    ...layOut(
      [blank, row(findingMargin, span('faint', 'to reproduce')), command(findingMargin, story.again)],
      columns,
    ),
  ];
}

/** A finding with its cause and its deciding request in a line each and as command lines, but without the HTTP text. */
export function shortFinding(story: Story, columns: number): Line[] {
  const again = story.steps
    .filter((each) => typeof each !== 'number')
    .filter(({ exchange, isDeciding }) => isDeciding || exchange.id === story.finding.cause?.exchange)
    .flatMap(({ number, summary, exchange }) => [
      prose(findingMargin, span('faint', `request ${number}  ${summary}`)),
      curlRow(exchange),
    ]);
  return [...heading(story, columns), ...layOut([...again, command(findingMargin, story.again)], columns)];
}

/** One line, cut at the edge. */
export function oneLineFinding(finding: FindingEvent, columns: number): Line[] {
  const id = span(finding.verdict, finding.id.padEnd(5));
  return layOut(
    [row(id, `${clausesInShort(finding)}  `, span('faint', `${finding.check}: ${finding.actual}`))],
    columns,
  );
}

function heading({ finding, clauses, why, facts }: Story, columns: number): Line[] {
  const { id, clause, level, verdict, anomaly, text, source } = finding;
  const title: Row = row(
    span(verdict, `${id} `.padEnd(findingMargin.length)),
    span('strong', clause),
    '  ',
    span('faint', anomaly === undefined ? level : `${level}  ${anomaly}`),
  );
  const others = clauses.slice(1).map((each) => `${each.clause} (${each.about})`);
  return [
    ...layOut([title], columns),
    ...fieldLine('', text, columns, findingMargin.length),
    ...fieldLine('contract', source, columns),
    ...fieldLine('with', others.join(', '), columns),
    ...fieldLine('why', why, columns, undefined, verdict),
    ...facts.flatMap((fact) => factLines(fact, columns)),
  ];
}

function factLines({ name, text, notes }: Fact, columns: number): Line[] {
  return [
    ...fieldLine(name, text, columns),
    ...notes.flatMap((note) => fieldLine('', note, columns, undefined, 'faint')),
  ];
}

function timelineLines({ timeline }: Story, columns: number): Line[] {
  if (timeline.length === 0) return [];
  const rows = timeline.map((text): Row => ({
    ...prose(findingMargin, text),
    follow: findingMargin.repeat(2),
  }));
  return layOut([blank, ...rows], columns);
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

function clausesInShort(finding: FindingEvent): string {
  const others = shownClauses(finding).length - 1;
  return others === 0 ? finding.clause : `${finding.clause} and ${countOf(others, 'more clause')}`;
}

function stepOrGap(each: Step | number, columns: number): Line[] {
  if (typeof each !== 'number') return stepLines(each, columns);
  const note = `… ${countOf(each, 'more request')} in between; the result stream has them`;
  return layOut([prose(findingMargin, span('faint', note))], columns);
}
