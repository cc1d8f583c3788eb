import { randomInt } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type CleanFile, openCleanFile, orLost } from '../../harness/output/clean-file.ts';
import { writtenTo } from '../../harness/record/history-lines.ts';
import type { KnownSecrets } from '../../harness/output/known-secrets.ts';
import type { HistoryFacts, Operation } from '../../history/operation.ts';

const named = /^traffic-\d{8}T\d{6}(?:-\d{6}){1,2}\.ndjson$/;

/**
 * A folder of histories, a file a chapter: each line is with the operating system before the next, so that a kill leaves whole ones. The
 * oldest files go once all together are larger than they may be.
 */
export class KeptHistories {
  readonly #folder: string;
  readonly #mostBytes: number;
  readonly #secrets: KnownSecrets;
  readonly #since = new Date().toISOString().replaceAll(/[-:]|\.\d+Z/g, '');
  /** Others may keep theirs in the same folder since the same second. */
  readonly #own = sixDigits(randomInt(1_000_000));
  #file: CleanFile | undefined;
  #number = 0;

  constructor(
    folder: string,
    { mostBytes, secrets }: { readonly mostBytes: number; readonly secrets: KnownSecrets },
  ) {
    this.#folder = folder;
    this.#mostBytes = mostBytes;
    this.#secrets = secrets;
  }

  /** Begins a file, with the first operation that is handed to what is returned. */
  begin(facts: HistoryFacts): (operation: Operation) => void {
    let write: ((operation: Operation) => void) | undefined;
    return (operation) => {
      write ??= this.#open(facts);
      write(operation);
    };
  }

  /** Closes the last file. */
  end(): void {
    this.#file?.end();
    this.#tidy();
  }

  #open(facts: HistoryFacts): (operation: Operation) => void {
    this.#file?.end();
    this.#tidy();
    this.#number += 1;
    const path = join(this.#folder, `traffic-${this.#since}-${this.#own}-${sixDigits(this.#number)}.ndjson`);
    let file: CleanFile | undefined;
    // A disk that is full, or has gone, costs files and nothing else.
    orLost(path, () => (file = openCleanFile(path)));
    this.#file = file;
    return writtenTo((lines) => file?.write(lines), facts, this.#secrets) ?? (() => undefined);
  }

  /** Removes the oldest where all take too much, and those for which there was no room. */
  #tidy(): void {
    orLost(this.#folder, () => {
      const files = readdirSync(this.#folder)
        .filter((name) => named.test(name))
        .toSorted()
        .flatMap((name) => {
          const path = join(this.#folder, name);
          const bytes = statSync(path, { throwIfNoEntry: false })?.size;
          return bytes === undefined ? [] : [{ path, bytes }];
        });
      let all = files.reduce((sum, { bytes }) => sum + bytes, 0);
      for (const { path, bytes } of files) {
        if (all <= this.#mostBytes && bytes > 0) continue;
        rmSync(path, { force: true });
        all -= bytes;
      }
    });
  }
}

function sixDigits(number: number): string {
  return String(number).padStart(6, '0');
}
