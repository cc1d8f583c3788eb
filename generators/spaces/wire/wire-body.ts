import type { Run } from '../../texts/text.ts';

/** The body of a send below JSON: its bytes in runs, and what is said of them in the header. */
export interface WireBody {
  /** `Content-Type`; `null` for a request without one. */
  readonly contentType: string | null;
  /** `Content-Encoding`; `null` for none. */
  readonly contentEncoding: string | null;
  /** Units of one byte each (U+0000 to U+00FF) or more; `{content}` in a unit stands for the letters of a plain content. */
  readonly bytes: readonly Run[];
}

/**
 * The bytes as they are sent.
 * @param content letters and digits that make up a content, or its marker
 */
export function wireBytesOf({ bytes }: WireBody, content: string): Buffer {
  return Buffer.concat(
    bytes.map(({ unit, count }) =>
      Buffer.from(unit.replaceAll('{content}', content).repeat(count), 'latin1'),
    ),
  );
}

/** Bytes of a text in UTF-8, as a unit. */
export function utf8(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
