import { describe, expect, it } from 'vitest';
import { rerunCommand } from '../../../cli/shared/rerun-command.ts';

describe('the command that runs one check again', () => {
  it.each<[string, readonly string[], string]>([
    [
      'keeps where and as whom',
      ['run', '--target', 'conform.yaml', '--strict'],
      '--target conform.yaml --strict',
    ],
    ['drops what narrowed the run', ['--only', 'send', 'auth', '--check=a.b', '--strict'], '--strict'],
    [
      'drops what is for a whole run, and what would write over its files',
      '--require @must.txt --out r.ndjson --snapshot o.yaml --write-baseline k.yaml --baseline b.yaml'.split(
        ' ',
      ),
      '--baseline b.yaml',
    ],
    [
      'gives a literal secret its variable',
      ['--author-token', 's3cret'],
      '--author-token env:CONFORM_AUTHOR_TOKEN',
    ],
    ['quotes what a shell would read', ['--header', 'x: y'], "--header 'x: y'"],
  ])('%s', (_, args, kept) => {
    expect(rerunCommand(args, ['send.x'])).toBe(`npm run --silent conform -- --check send.x ${kept}`);
  });

  it('names several checks where it takes several', () => {
    expect(rerunCommand(['--strict'], ['send.x', 'mentions.y'])).toBe(
      'npm run --silent conform -- --check send.x mentions.y --strict',
    );
  });
});
