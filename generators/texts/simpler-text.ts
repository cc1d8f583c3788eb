import { bytesOf, countsOf, isSurrogate, normalText, type Run, type Text } from './text.ts';

/** One plain unit for each width, and the plainest halves of a pair. */
const plainUnits = ['a', 'é', '€', '😀'];
const plainSurrogates = ['\ud800', '\udc00'];

/** Simpler texts, boldest first: with runs left out, with shorter runs, with plainer characters. */
export function* simplerTexts(text: Text): Generator<Text> {
  for (const [index, run] of text.entries()) {
    if (text.length > 2) yield [run];
    yield normalText(text.toSpliced(index, 1));
  }
  for (const [index, run] of text.entries()) {
    for (const runs of simplerRunsOf(run)) yield normalText(text.toSpliced(index, 1, ...runs));
  }
}

/** Fewer bytes, then fewer runs, then plainer characters. */
export function rankOfText(text: Text): readonly number[] {
  const units = text.reduce((sum, { unit }) => sum + rankOfUnit(unit), 0);
  return [countsOf(text).sizeBytes, text.length, units];
}

function* simplerRunsOf({ unit, count }: Run): Generator<readonly Run[]> {
  for (const plain of isSurrogate(unit) ? plainSurrogates : plainUnits) {
    if (rankOfUnit(plain) >= rankOfUnit(unit)) continue;
    yield [{ unit: plain, count }];
    // The same size, for what only size can show.
    const sizeBytes = bytesOf(unit) * count;
    const fitting = Math.floor(sizeBytes / bytesOf(plain));
    yield [
      { unit: plain, count: fitting },
      { unit: 'a', count: sizeBytes - fitting * bytesOf(plain) },
    ];
  }
  for (const fewer of lowerNumbers(count, 1)) yield [{ unit, count: fewer }];
  // One byte less than a whole character less: the least that is over a limit.
  for (let bytes = 1; bytes < bytesOf(unit); bytes += 1)
    yield [
      { unit, count: count - 1 },
      { unit: 'a', count: bytes },
    ];
}

/** Whole numbers from `least` up to just below `number`, each halving the distance. */
export function* lowerNumbers(number: number, least: number): Generator<number> {
  for (let distance = number - least; distance >= 1; distance = Math.floor(distance / 2))
    yield number - distance;
}

function rankOfUnit(unit: string): number {
  return unit === 'a' ? 0 : 1 + (unit.codePointAt(0) ?? 0);
}
