import type { Check } from '../../harness/check/check.ts';

/**
 * The checks of one area, each with the file that it is written in: `files` has the checks of a file under its name,
 * `content-size` for `suites/send/content-size.ts`.
 */
export function checksOf(area: string, files: Readonly<Record<string, readonly Check[]>>): readonly Check[] {
  return Object.entries(files).flatMap(([file, checks]) =>
    checks.map((check) => ({ ...check, file: `suites/${area}/${file}.ts` })),
  );
}
