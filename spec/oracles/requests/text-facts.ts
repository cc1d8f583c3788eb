/** What the rules about content look at, counted from the text itself. */
export interface TextFacts {
  /** In UTF-8, an unpaired surrogate as the three bytes that its replacement takes. */
  readonly sizeBytes: number;
  readonly hasLoneSurrogate: boolean;
  readonly hasNul: boolean;
  /** What is no character of a text: of control but for what lays a text out, of format, of private use, or none at all. */
  readonly hasOtherThanText: boolean;
  /** Nothing but letters and digits of ASCII, and spaces between them: nobody has a reason to refuse it for what it is. */
  readonly isPlain: boolean;
  /** Nothing but white space, of which there is some. */
  readonly isBlank: boolean;
}

/** Counts a text unit by unit: a second opinion on the limits, independent of what the schemas count with. */
export function textFactsOf(text: string): TextFacts {
  let sizeBytes = 0;
  let hasLoneSurrogate = false;
  let hasNul = false;
  let isPlain = true;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit !== 0x20 && !isLetterOrDigit(unit)) isPlain = false;
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
  const isBlank = sizeBytes > 0 && text.trim() === '';
  const hasOtherThanText = /[^\P{C}\t\n\r]/u.test(text);
  return { sizeBytes, hasLoneSurrogate, hasNul, hasOtherThanText, isPlain: isPlain && !isBlank, isBlank };
}

function isLetterOrDigit(unit: number): boolean {
  const isDigit = unit >= 0x30 && unit <= 0x39;
  const letter = unit | 0x20;
  return isDigit || (letter >= 0x61 && letter <= 0x7a);
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
