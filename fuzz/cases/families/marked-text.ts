import { countsOf, textOf } from '../../../generators/index.ts';
import type { Run, Text } from '../../../generators/index.ts';
import { markerLength, markerPlace } from '../case-request.ts';
import { maxContentBytes } from '../../../spec/index.ts';

/** Where a content carries the marker that it is told by. */
export const markings = ['none', 'start', 'end', 'inside'] as const;
type Marking = (typeof markings)[number];

const marker: Run = { unit: markerPlace, count: 1 };

/**
 * The text with the marker in it. What is close to the limit of contents, or beyond it, keeps its size: there the marker takes
 * the place of characters. A text that has no room for it comes back as it is.
 */
export function markedText(text: Text, marking: Marking): Text {
  if (marking === 'none' || text.length === 0) return text;
  const { sizeBytes } = countsOf(text);
  if (sizeBytes + markerLength > maxContentBytes) return inPlaceOf(text);
  if (marking === 'start') return [marker, ...text];
  if (marking === 'end') return [...text, marker];
  const [first, ...rest] = text;
  if (first === undefined) return text;
  const before = Math.ceil(first.count / 2);
  return [
    { ...first, count: before },
    marker,
    ...(first.count > before ? [{ ...first, count: first.count - before }] : []),
    ...rest,
  ];
}

/** The marker instead of some characters of the longest run. */
function inPlaceOf(text: Text): Text {
  const longest = text.reduce((best, run, index) => (run.count > (text[best]?.count ?? 0) ? index : best), 0);
  const run = text[longest];
  if (run === undefined) return text;
  const unitBytes = Buffer.byteLength(run.unit);
  const taken = Math.ceil(markerLength / unitBytes);
  if (taken > run.count) return text;
  const filler = { unit: 'a', count: taken * unitBytes - markerLength };
  return [
    ...text.slice(0, longest),
    marker,
    ...(filler.count > 0 ? [filler] : []),
    { ...run, count: run.count - taken },
    ...text.slice(longest + 1),
  ].filter(({ count }) => count > 0);
}

/** The text written out, with the place of the marker in it. */
export function markedString(text: Text, marking: Marking): string {
  return textOf(markedText(text, marking));
}
