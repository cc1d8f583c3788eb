import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { conform, separateReference } from '../cli/conform.ts';
import { ownFolder } from '../fixtures/folder.ts';
import { textOf } from '../house.ts';

/** The report that the README shows; where a line is `…`, others were left out. */
const shown = /```text\n([^]*?)```/.exec(textOf('README.md'))?.[1] ?? '';

it('the report in the README is what a server gets that takes a limit of 101', async () => {
  const reference = await separateReference(['--mutant', 'limit-ends-at-101']);
  onTestFinished(() => reference.close());
  const file = join(ownFolder('readme-', onTestFinished), 'conform.yaml');
  writeFileSync(file, reference.targetFile);
  const { code, stdout } = await conform(['--target', file, '--only', 'mentions']);
  let from = 0;
  for (const part of shown.split(/^ *…\n/m)) {
    const at = stdout.indexOf(part, from);
    expect(at, `${part}\nis not in what follows in\n${stdout}`).not.toBe(-1);
    from = at + part.length;
  }
  expect(shown).toContain(`(exit ${code})`);
});
