import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { packageFile } from '../../spec/package-file.ts';

it('tidies at the exit what was not tidied before, the last first, whatever one of them throws', () => {
  const file = pathToFileURL(packageFile('dist/harness/at-exit.js')).href;
  const script = `
    const { atExit } = await import(${JSON.stringify(file)});
    const say = (text) => () => process.stdout.write(text);
    atExit(say('one ')); atExit(say('tidied before '))(); const letGo = atExit(say('let go '));
    atExit(() => { throw new Error(); }); atExit(say('last ')); letGo();
    process.exit(0);`;
  expect(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })).toBe(
    'last one ',
  );
});
