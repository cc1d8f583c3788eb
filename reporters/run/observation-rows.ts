import type { ObservationEvent } from '../../harness/results/events.ts';
import { widthOf } from '../../harness/output/printable.ts';
import { countOf } from '../quantities.ts';
import { blank, row, span, type Row } from './rows.ts';

/** Longer names push their value to the right, or into the next line. */
const maxNameWidth = 48;

/** What the server does where the contract is silent: how much was seen, and on demand what. */
export function observationRows(observations: readonly ObservationEvent[], isVerbose: boolean): Row[] {
  if (observations.length === 0) return [];
  const count = countOf(observations.length, 'observation');
  const title = row(
    span('strong', 'OBSERVED'),
    `  ${count} where the contract is silent; informational only`,
  );
  if (!isVerbose) return [title];
  const width = Math.min(maxNameWidth, Math.max(...observations.map(({ name }) => widthOf(name))));
  return [title, blank, ...observations.map((each) => observationRow(each, width))];
}

function observationRow({ name, value }: ObservationEvent, width: number): Row {
  const gap = ' '.repeat(Math.max(0, width - widthOf(name)) + 2);
  return {
    lead: ['  '],
    follow: ' '.repeat(width + 4),
    text: [span('faint', name), gap, value],
    fit: 'words',
  };
}
