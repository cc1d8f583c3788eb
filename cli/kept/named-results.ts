import { existsSync } from 'node:fs';
import type { NamedRun } from '../../reporters/compare/comparison.ts';
import { secrets } from '../shared/output.ts';
import { readResults } from '../shared/read-results.ts';
import { withoutSecrets } from '../shared/reports.ts';

/** A result stream as the command line names it. */
interface NamedResults {
  readonly name: string;
  readonly file: string;
}

/** `FILE` or `NAME=FILE`; what is the path of a file is that, whatever it has in it. `nameOf` names a file that nobody named. */
export function namedResults(argument: string, nameOf: (file: string) => string): NamedResults {
  const [, name, file] = /^([^=]+)=(.+)$/s.exec(argument) ?? [];
  if (name === undefined || file === undefined || existsSync(argument))
    return { name: nameOf(argument), file: argument };
  return { name, file };
}

/**
 * The runs in kept streams under their names, without secrets.
 * @throws InvalidTarget when a file cannot be read, or is no result stream; it names the line
 */
export function namedRuns(results: readonly NamedResults[]): readonly NamedRun[] {
  return readResults(results.map(({ file }) => file)).map((run, index) => ({
    name: secrets.clean(results[index]?.name ?? ''),
    run: withoutSecrets(run, secrets),
  }));
}
