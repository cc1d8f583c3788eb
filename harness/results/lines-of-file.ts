import { closeSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

const chunkBytes = 1 << 20;

/** One line, and whether it is the last one and has no end. */
export interface FileLine {
  readonly text: string;
  readonly breaksOff: boolean;
}

/**
 * The lines of a file, one after another, however long the file is, without a byte order mark; a line longer than `most` characters is
 * cut there.
 */
export function* linesOfFile(file: string, most: number): Generator<FileLine> {
  const descriptor = openSync(file, 'r');
  try {
    const decoder = new StringDecoder('utf8');
    const buffer = Buffer.allocUnsafe(chunkBytes);
    let [rest, isBegun] = ['', false];
    for (let read = readSync(descriptor, buffer); read > 0; read = readSync(descriptor, buffer)) {
      const text = decoder.write(buffer.subarray(0, read));
      const lines = (rest + (isBegun ? text : text.replace(/^\uFEFF/, ''))).split('\n');
      isBegun ||= text !== '';
      rest = lines.pop() ?? '';
      for (const text of lines) yield { text, breaksOff: false };
      if (rest.length > most) break;
    }
    if (rest !== '') yield { text: rest, breaksOff: true };
  } finally {
    closeSync(descriptor);
  }
}
