import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { packageFile } from '../../../spec/index.ts';
import { ownFolder } from '../../fixtures/folder.ts';

const folder = ownFolder('count-tests-');
const root = dirname(packageFile('package.json'));

/** What CI says of test files that took so many ms each, in lines, and how it ends. */
function counted(files: readonly { readonly ms: number; readonly statuses: readonly string[] }[]) {
  const testResults = files.map(({ ms, statuses }, index) => ({
    name: join(root, `test/${index}.test.ts`),
    startTime: 1_000,
    endTime: 1_000 + ms,
    status: statuses.includes('failed') ? 'failed' : 'passed',
    assertionResults: statuses.map((status) => ({ status })),
  }));
  const report = join(folder, 'report.json');
  writeFileSync(report, JSON.stringify({ testResults }));
  const { status, stdout } = spawnSync(process.execPath, ['.ci/count-tests.js', report], {
    cwd: root,
    encoding: 'utf8',
  });
  return { status, lines: stdout.trimEnd().split('\n') };
}

it('names the ten test files that took longest, and counts tests in the last line', () => {
  const files = Array.from({ length: 12 }, (_, index) => ({ ms: index * 1_250, statuses: ['passed'] }));
  const { status, lines } = counted([...files, { ms: 60_000, statuses: ['passed', 'pending', 'todo'] }]);
  expect(lines).toHaveLength(11);
  expect(lines.slice(0, 2)).toEqual(['  60.0 s  test/12.test.ts', '  13.8 s  test/11.test.ts']);
  expect(lines.at(-1)).toBe('13 passed, 0 failed, 2 skipped');
  expect(status).toBe(0);
});

it.each([
  ['a test failed', ['passed', 'failed'], '1 passed, 1 failed, 0 skipped'],
  ['none ran', ['pending'], '0 passed, 0 failed, 1 skipped'],
])('fails where %s', (_, statuses, last) => {
  const { status, lines } = counted([{ ms: 1, statuses }]);
  expect(lines.at(-1)).toBe(last);
  expect(status).toBe(1);
});
