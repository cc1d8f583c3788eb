/** A character, or half of one, so many times. */
export interface Run {
  /** One code point or one unpaired surrogate. */
  readonly unit: string;
  /** 1 or more. */
  readonly count: number;
}

/** A text by its runs: half a million characters are as short as one, to keep and to shrink. */
export type Text = readonly Run[];

/** What is counted in a text without writing it out. */
interface TextCounts {
  /** In UTF-8; an unpaired surrogate counts the three bytes of its replacement. */
  readonly sizeBytes: number;
  /** Unpaired surrogates. */
  readonly loneSurrogates: number;
  /** Characters U+0000. */
  readonly nuls: number;
}

/** The text written out. */
export function textOf(text: Text): string {
  return text.map(({ unit, count }) => unit.repeat(count)).join('');
}

/** The text of a string, which is walked through once: not for the largest. */
export function runsOf(string: string): Text {
  return normalText(Array.from(string, (unit) => ({ unit, count: 1 })));
}

/** The facts of a text. Where a run of high surrogates meets one of low ones, the two at the seam are a pair. */
export function countsOf(text: Text): TextCounts {
  let [sizeBytes, loneSurrogates, nuls] = [0, 0, 0];
  let isHighBefore = false;
  for (const { unit, count } of text) {
    sizeBytes += bytesOf(unit) * count;
    if (unit === '\0') nuls += count;
    if (isSurrogate(unit)) loneSurrogates += count;
    if (isHighBefore && isLowSurrogate(unit)) {
      // Two replacements of three bytes each become one character of four.
      sizeBytes -= 2;
      loneSurrogates -= 2;
    }
    isHighBefore = isHigh(unit);
  }
  return { sizeBytes, loneSurrogates, nuls };
}

/** The same text in the fewest runs. */
export function normalText(text: Text): Text {
  const runs: Run[] = [];
  for (const run of text) {
    const last = runs.at(-1);
    if (run.count < 1) continue;
    if (last?.unit === run.unit) runs[runs.length - 1] = { ...run, count: last.count + run.count };
    else runs.push(run);
  }
  return runs;
}

/**
 * The text in exactly `sizeBytes` bytes: cut at its end, and filled up with `a` where the cut lies inside a character or
 * the text is too short. For well-formed texts.
 */
export function resized(text: Text, sizeBytes: number): Text {
  const kept: Run[] = [];
  let left = sizeBytes;
  for (const { unit, count } of text) {
    const fitting = Math.min(count, Math.floor(left / bytesOf(unit)));
    kept.push({ unit, count: fitting });
    left -= fitting * bytesOf(unit);
    if (fitting < count) break;
  }
  return normalText([...kept, { unit: 'a', count: left }]);
}

/** Bytes of one unit in UTF-8. */
export function bytesOf(unit: string): number {
  const codePoint = unit.codePointAt(0) ?? 0;
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}

export function isSurrogate(unit: string): boolean {
  return isHigh(unit) || isLowSurrogate(unit);
}

function isHigh(unit: string): boolean {
  return unit.length === 1 && unit >= '\ud800' && unit <= '\udbff';
}

function isLowSurrogate(unit: string): boolean {
  return unit.length === 1 && unit >= '\udc00' && unit <= '\udfff';
}
