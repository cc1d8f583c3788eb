import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { CheckEvent, ResultEvent } from '../../harness/results/events.ts';
import { conform, separateReference } from './conform.ts';
import type { SeparateReference } from './conform.ts';

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

/** `clause verdict` of every check, from a kept result stream. */
function verdictsIn(file: string): string[] {
  const events = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ResultEvent);
  const checks = events.filter((event): event is CheckEvent => event.type === 'check');
  return checks
    .flatMap(({ check, clauses }) => clauses.map(({ clause, verdict }) => `${check} ${clause} ${verdict}`))
    .toSorted();
}

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
  }, 60_000);
});
