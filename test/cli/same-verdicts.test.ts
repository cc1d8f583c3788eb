import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { conform, separateReference } from './conform.ts';
import type { SeparateReference } from './conform.ts';
import { verdictsIn } from './verdicts-in.ts';

interface PrintedTarget {
  readonly base_url: string;
  readonly channel: string;
  readonly second_channel: string;
  readonly workspace: string;
  readonly roles: Readonly<Record<string, string>>;
}

let folder: string;
let reference: SeparateReference;
let target: PrintedTarget;
let targetPath: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'conform-'));
  reference = await separateReference();
  target = parse(reference.targetFile) as PrintedTarget;
  targetPath = join(folder, 'conform.yaml');
  writeFileSync(targetPath, reference.targetFile);
});

afterAll(async () => {
  await reference.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('a run', () => {
  it('gives the same verdicts by target file, by flags and by environment, as for the embedded reference', async () => {
    const out = (name: string): string => join(folder, `${name}.ndjson`);
    const tokens = Object.entries(target.roles);
    const flags = tokens.flatMap(([role, token]) => [`--${role.replaceAll('_', '-')}-token`, token]);
    const env = Object.fromEntries(
      tokens.map(([role, token]) => [`CONFORM_${role.toUpperCase()}_TOKEN`, token]),
    );
    const where = [
      '--base-url',
      target.base_url,
      '--channel',
      target.channel,
      '--second-channel',
      target.second_channel,
      '--workspace',
      target.workspace,
    ];
    const embedded = await conform(['--out', out('embedded')]);
    const byFile = await conform(['--target', targetPath, '--out', out('file')]);
    // Commands of hooks are the one thing that only a file can hold.
    const hooks = join(folder, 'hooks.yaml');
    writeFileSync(hooks, reference.targetFile.slice(reference.targetFile.indexOf('hooks:')));
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
      const out = join(folder, `again-${verdicts.length}.ndjson`);
      await conform(['--target', targetPath, '--out', out]);
      verdicts.push(verdictsIn(out));
    }
    expect(new Set(verdicts.map((each) => each.join('\n'))).size).toBe(1);
    expect(verdicts[0]?.filter((line) => !line.endsWith(' passed'))).toEqual([]);
  });

  it('gives the same beside another run on one server, but for what needs the server to itself', async () => {
    const out = (name: string): string => join(folder, `${name}.ndjson`);
    await conform(['--target', targetPath, '--beside-others', '--out', out('alone')]);
    await Promise.all(
      ['left', 'right'].map((side) =>
        conform(['--target', targetPath, '--beside-others', '--out', out(side)]),
      ),
    );
    expect(verdictsIn(out('left'))).toEqual(verdictsIn(out('alone')));
    expect(verdictsIn(out('right'))).toEqual(verdictsIn(out('alone')));
  });
});
