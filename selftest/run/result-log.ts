import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** The results of a log that a long proof wrote one by one, so that it goes on where it was interrupted. */
export function resultsIn<Result>(file: string | undefined): Result[] {
  if (file === undefined || !existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Result);
}

/** Adds a result to such a log, if there is one. */
export function keepResult(file: string | undefined, result: unknown): void {
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(result)}\n`);
}
