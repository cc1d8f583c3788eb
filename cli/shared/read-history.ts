import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { HistoryError, HistoryReader } from '../../history/ndjson.ts';
import type { History } from '../../history/operation.ts';
import { InvalidTarget } from '../../harness/errors.ts';

/**
 * The history in a file.
 * @throws InvalidTarget when the file cannot be read, or is not a history; it names the line
 */
export async function readHistory(file: string): Promise<History> {
  const reader = new HistoryReader();
  try {
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity }))
      reader.add(line);
    return reader.history();
  } catch (error) {
    if (error instanceof HistoryError) throw new InvalidTarget(`${file}, ${error.message}`);
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new InvalidTarget(`the history ${file} cannot be read (${code})`);
  }
}
