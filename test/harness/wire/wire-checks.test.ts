import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { wireChecks, wireDecisions } from '../../../harness/wire/wire-checks.ts';
import { packageFile } from '../../../spec/package-file.ts';

describe('a clause that is judged in every answer', () => {
  it.each(wireChecks.flatMap(({ clauses }) => clauses))('is decided where it is said to be: %s', (clause) => {
    const decisions = wireDecisions(clause);
    expect(decisions).not.toEqual([]);
    const isIn = (file: string): boolean => readFileSync(packageFile(file), 'utf8').includes(`'${clause}'`);
    const missing = decisions.filter(({ file }) =>
      file.endsWith('.ts') ? !isIn(file) : !existsSync(packageFile(file)),
    );
    expect(missing).toEqual([]);
  });
});
