import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { conform } from './conform.ts';
import { UsedReference } from './use-reference.ts';
import { verdictsIn } from './verdicts-in.ts';

const used = new UsedReference();

describe('a run', () => {
  it('gives the same verdicts by target file, by flags and by environment, as for the embedded reference', async () => {
    const out = (name: string): string => join(used.folder, `${name}.ndjson`);
    const tokens = Object.entries(used.target.roles);
    const flags = tokens.flatMap(([role, token]) => [`--${role.replaceAll('_', '-')}-token`, token]);
    const env = Object.fromEntries(
      tokens.map(([role, token]) => [`CONFORM_${role.toUpperCase()}_TOKEN`, token]),
    );
    const { base_url, channel, second_channel, workspace } = used.target;
    const named = Object.entries({ base_url, channel, second_channel, workspace });
    const where = named.flatMap(([name, value]) => [`--${name.replaceAll('_', '-')}`, value]);
    const embedded = await conform(['--out', out('embedded')]);
    const byFile = await conform(['--target', used.targetPath, '--out', out('file')]);
    // Commands of hooks are the one thing that only a file can hold.
    const hooks = join(used.folder, 'hooks.yaml');
    writeFileSync(hooks, used.targetFile.slice(used.targetFile.indexOf('hooks:')));
    const byFlags = await conform(['--target', hooks, ...where, ...flags, '--out', out('flags')]);
    const byEnv = await conform(['--target', hooks, ...where, '--out', out('env')], { env });
    expect([embedded, byFile, byFlags, byEnv].map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(byFlags.stderr).toMatch(/--author-token.*process list/);
    const expected = verdictsIn(out('embedded'));
    expect(verdictsIn(out('file'))).toEqual(expected);
    expect(verdictsIn(out('flags'))).toEqual(expected);
    expect(verdictsIn(out('env'))).toEqual(expected);
  });

  it('gives them again and again, ten times in a row on one server', async () => {
    const verdicts: string[][] = [];
    while (verdicts.length < 10) {
      const out = join(used.folder, `again-${verdicts.length}.ndjson`);
      await conform(['--target', used.targetPath, '--out', out]);
      verdicts.push(verdictsIn(out));
    }
    expect(new Set(verdicts.map((each) => each.join('\n'))).size).toBe(1);
    expect(verdicts[0]?.filter((line) => !line.endsWith(' passed'))).toEqual([]);
  });

  it('gives the same beside another run on one server, but for what needs the server to itself', async () => {
    const out = (name: string): string => join(used.folder, `${name}.ndjson`);
    await conform(['--target', used.targetPath, '--beside-others', '--out', out('alone')]);
    await Promise.all(
      ['left', 'right'].map((side) =>
        conform(['--target', used.targetPath, '--beside-others', '--out', out(side)]),
      ),
    );
    expect(verdictsIn(out('left'))).toEqual(verdictsIn(out('alone')));
    expect(verdictsIn(out('right'))).toEqual(verdictsIn(out('alone')));
  });
});
