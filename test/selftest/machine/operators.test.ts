import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { mutated, openOperators, type SourceLanguage } from '../../../selftest/machine/operators.ts';
import { packageFile } from '../../../spec/index.ts';

const isInstalled = existsSync(packageFile('node_modules/web-tree-sitter'));

/** All that becomes of a source, one change each. */
async function changed(language: SourceLanguage, source: string): Promise<readonly string[]> {
  const mutantsOf = await openOperators(language);
  return mutantsOf('a file', source).map((mutant) => mutated(source, { id: '', ...mutant }));
}

describe.skipIf(!isInstalled)('the operators (installed by `npm run mutate:servers` alone)', () => {
  it('change conditions, comparisons and connectives of Python, with the rest as it is', async () => {
    expect(await changed('python', 'if é and a <= b:\n    f()\n')).toEqual([
      'if True:\n    f()\n',
      'if False:\n    f()\n',
      'if é or a <= b:\n    f()\n',
      'if é and a < b:\n    f()\n',
      'if é and a > b:\n    f()\n',
      'if é and a <= b:\n    pass\n',
    ]);
  });

  it('leave out arguments that have names, and swap those that have none', async () => {
    expect(await changed('python', 'x = f(a, b, c=1)')).toEqual([
      'pass',
      'x = f(b, a, c=1)',
      'x = f(a, b)',
      'x = f(a, b, c=2)',
      'x = f(a, b, c=0)',
    ]);
  });

  it('leave what a condition of Go reads, and its imports and tags', async () => {
    const around = (line: string): string =>
      `package p\nimport "fmt"\ntype t struct { A int \`json:"a"\` }\nfunc f() {\n${line}\n}\n`;
    expect(await changed('go', around('if !ok { defer g("s") }'))).toEqual(
      [
        'if (!ok) || true { defer g("s") }',
        'if (!ok) && false { defer g("s") }',
        'if ok { defer g("s") }',
        'if !ok {  }',
        'if !ok { defer g("") }',
      ].map(around),
    );
  });
});
