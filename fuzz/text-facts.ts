/** What the rules about content look at, counted from the text itself. */
export interface TextFacts {
  /** In UTF-8, an unpaired surrogate as the three bytes that its replacement takes. */
  readonly sizeBytes: number;
  readonly hasLoneSurrogate: boolean;
  readonly hasNul: boolean;
  /** Nothing but printable ASCII, and not spaces alone. */
  readonly isPlain: boolean;
}

/** Counts a text unit by unit: a second opinion on the limits, independent of what the schemas count with. */
export function textFactsOf(text: string): TextFacts {
  let sizeBytes = 0;
  let hasLoneSurrogate = false;
  let hasNul = false;
  let isPrintable = true;
  let isBlank = true;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x20 || unit > 0x7e) isPrintable = false;
    if (unit !== 0x20) isBlank = false;
    if (unit < 0x80) {
      sizeBytes += 1;
      if (unit === 0) hasNul = true;
    } else if (unit < 0x800) sizeBytes += 2;
    else if (unit < 0xd800 || unit > 0xdfff) sizeBytes += 3;
    else if (unit < 0xdc00 && isLow(text.charCodeAt(index + 1))) {
      sizeBytes += 4;
      index += 1;
    } else {
      sizeBytes += 3;
      hasLoneSurrogate = true;
    }
  }
  return { sizeBytes, hasLoneSurrogate, hasNul, isPlain: isPrintable && !isBlank };
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
