import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ResultEvent } from '../harness/results/events.ts';
import { writeEvent } from '../harness/results/stream.ts';

interface NdjsonReporter {
  event(event: ResultEvent): void;
  /** Closes the file early; the footer does it by itself. */
  end(): void;
}

/**
 * Writes the result stream to a file, replaced if it exists, with its folder; without progress, which is transient. Every other event is with the operating system when
 * `event` returns, so that a crash leaves all that was known before it.
 *
 * @throws the error of `node:fs` when the file cannot be written.
 */
export function ndjsonReporter(path: string): NdjsonReporter {
  mkdirSync(dirname(path), { recursive: true });
  let file: number | undefined = openSync(path, 'w');
  const end = (): void => {
    if (file !== undefined) closeSync(file);
    file = undefined;
  };
  return {
    event(event) {
      if (event.type === 'progress') return;
      if (file === undefined) throw new Error(`${path} is closed; a result stream ends with its footer`);
      writeFileSync(file, writeEvent(event));
      if (event.type === 'footer') end();
    },
    end,
  };
}
