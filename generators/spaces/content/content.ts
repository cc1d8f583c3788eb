/** A content with the marker that identifies it. */
interface MarkedContent {
  readonly marker: string;
  readonly text: string;
}

/**
 * A content of exactly `sizeBytes` bytes in UTF-8: the marker, then as many `character`s as fit, then `x` to fill up.
 * @throws RangeError when the marker alone is longer
 */
export function contentOfSize(marker: string, sizeBytes: number, character = 'x'): MarkedContent {
  const room = sizeBytes - Buffer.byteLength(marker);
  if (room < 0) throw new RangeError(`${sizeBytes} bytes are too few for the marker ${marker}`);
  const characterBytes = Buffer.byteLength(character);
  const count = Math.floor(room / characterBytes);
  return { marker, text: marker + character.repeat(count) + 'x'.repeat(room - count * characterBytes) };
}

/**
 * A content of exactly `sizeBytes` bytes in UTF-8 whose last character is `character`: the marker, `x` to fill up, then
 * the characters. Cut anywhere inside the last one, it is no longer well-formed.
 * @throws RangeError when the marker and one character are longer
 */
export function contentOfSizeEndingWith(marker: string, sizeBytes: number, character: string): MarkedContent {
  const characterBytes = Buffer.byteLength(character);
  const room = sizeBytes - Buffer.byteLength(marker);
  if (room < characterBytes)
    throw new RangeError(`${sizeBytes} bytes are too few for ${marker} and a character`);
  const count = Math.floor(room / characterBytes);
  return { marker, text: marker + 'x'.repeat(room - count * characterBytes) + character.repeat(count) };
}

/** Characters that lie before a piece which only a look at the whole content finds: more than buffers and blocks mostly hold. */
const farBehind = 70_000;

/** The same piece of text in four places, in contents that share one marker; `farBehind` has 70,000 characters before it. */
export function contentsWith(
  marker: string,
  piece: string,
): Readonly<Record<'atStart' | 'inside' | 'atEnd' | 'farBehind', MarkedContent>> {
  return {
    atStart: contentBeginningWith(marker, piece),
    inside: contentAround(marker, piece),
    atEnd: contentEndingIn(marker, piece),
    farBehind: contentEndingIn(marker, ` ${'x'.repeat(farBehind)}${piece} and more`),
  };
}

/** A content that ends in `tail`, whatever that is: a lone surrogate, U+0000, anything that is to be read back unaltered. */
function contentEndingIn(marker: string, tail: string): MarkedContent {
  return { marker, text: marker + tail };
}

/** A content with `middle` between the marker and more text. */
function contentAround(marker: string, middle: string): MarkedContent {
  return { marker, text: `${marker}${middle} and more` };
}

/** A content that begins with `head`. */
function contentBeginningWith(marker: string, head: string): MarkedContent {
  return { marker, text: head + marker };
}
