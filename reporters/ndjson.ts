import { openCleanFile, standardOutput, standardOutputName } from '../harness/output/clean-file.ts';
import type { KnownSecrets } from '../harness/output/known-secrets.ts';
import type { ResultEvent } from '../harness/results/generated/events.ts';
import { writeEvent } from '../harness/results/stream.ts';

interface NdjsonReporter {
  event(event: ResultEvent): void;
  /** Closes the file early; the footer does it by itself. */
  end(): void;
}

/**
 * Writes the result stream to a file, replaced if it exists, with its folder, or with `-` to standard output; without progress, which is
 * transient. Every other event is in the file when `event` returns, so that a crash leaves all that was known before it.
 *
 * @throws the error of `node:fs` when the file cannot be written.
 */
export function ndjsonReporter(path: string, secrets: KnownSecrets): NdjsonReporter {
  const file = path === standardOutputName ? standardOutput : openCleanFile(path);
  return {
    event(event) {
      if (event.type === 'progress') return;
      file.write(secrets.clean(writeEvent(event)));
      if (event.type === 'footer') file.end();
    },
    end: file.end,
  };
}
