import type { FooterEvent } from '../../harness/results/events.ts';
import { countOf } from '../quantities.ts';
import { exchangeLines } from './exchange-lines.ts';
import { blank, layOut, prose, row, span, type Line } from './rows.ts';

/** What trouble did to a run that is not a whole one: what happened and when, what was met most often, its exchange. */
export function troubleLines({ trouble }: FooterEvent, columns: number): Line[] {
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
