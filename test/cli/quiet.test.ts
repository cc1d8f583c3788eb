import { describe, expect, it } from 'vitest';
import { ownFolder } from '../fixtures/folder.ts';
import { conform } from './conform.ts';

const folder = ownFolder('quiet-');

describe.concurrent('--quiet', () => {
  it.each([
    [
      'a run',
      'run --reference --check mentions.limit-of-101-is-refused',
      /^conforms in what was selected: .*\(exit 0\)\n$/,
    ],
    [
      'a run without a server',
      'run --base-url http://127.0.0.1:1 --author-token env:PATH --channel 5b6d5e0c-2f0e-4f6c-9a35-1d3c8f6f2a10',
      /^preflight error: [^\n]*\nnothing could be concluded: preflight failed \(exit 3\)\n$/,
    ],
    [
      'a campaign',
      'fuzz --reference --cases 60 --only mentions --history h.ndjson',
      /^nothing failed in \d+ cases \(exit 0\)\n$/,
    ],
    [
      'concurrent clients',
      'stress --reference --time 300ms --clients 4',
      /^conforms in what was judged: .*\(exit 0\)\n$/,
    ],
    [
      'concurrent clients without a server',
      'stress --time 300ms --base-url http://127.0.0.1:9',
      /^nothing could be concluded: http:\/\/127\.0\.0\.1:9 cannot be reached[^\n]*\(exit 3\)\n$/,
    ],
  ])('leaves one line of %s, and its exit code', async (_name, line, expected) => {
    const { code, stdout, stderr } = await conform([...line.split(' '), '--quiet'], { cwd: folder });
    expect(stdout).toMatch(expected);
    expect({ code, stderr }).toEqual({ code: Number(/exit (\d)/.exec(stdout)?.[1]), stderr: '' });
  });

  it('says beside it that nobody named a server', async () => {
    const args = ['--check', 'mentions.limit-of-101-is-refused', '--quiet'];
    const { stdout, stderr } = await conform(args, { cwd: folder });
    expect(stdout).toMatch(/^conforms in what was selected: [^\n]*\n$/);
    expect(stderr).toMatch(/^warning: no server given[^\n]*the embedded reference\n$/);
  });
});
