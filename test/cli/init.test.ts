import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { targetTemplate } from '../../cli/init.ts';
import { readTarget } from '../../harness/config/reading/read-target.ts';
import { roleNames } from '../../harness/config/roles.ts';
import { hookNames } from '../../harness/config/target.ts';
import { packageFile } from '../../spec/index.ts';
import { ownFolder } from '../fixtures/folder.ts';
import { conform } from './conform.ts';

const folder = ownFolder('conform-');

const env = Object.fromEntries(
  roleNames.map((role) => [`${role.replaceAll('-', '_').toUpperCase()}_TOKEN`, `t-${role}`]),
);

function read(text: string) {
  writeFileSync(join(folder, 'read.yaml'), text);
  return readTarget({ file: 'read.yaml', flags: {}, env: { ...env, GATEWAY_KEY: 'k' }, cwd: folder });
}

interface Fields {
  readonly properties?: Readonly<Record<string, Fields>>;
}

/** Names of all fields of the schema that hold no fields of their own. */
function leavesOf(schema: Fields): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    field.properties === undefined ? [name] : leavesOf(field),
  );
}

describe('the target file of `conform init`', () => {
  it('is one, with the least that says something', () => {
    const { target } = read(targetTemplate());
    expect(Object.keys(target.roles)).toEqual(['author']);
    expect(target.channelId).toBeDefined();
    expect(target.hooks).toEqual({});
  });

  it('holds every field that there is, explained', () => {
    const schema = JSON.parse(
      readFileSync(packageFile('harness/config/target.schema.json'), 'utf8'),
    ) as object;
    const lines = targetTemplate().split('\n');
    const lineOf = (leaf: string): number =>
      lines.findIndex((line) => new RegExp(`^ *(?:# )?${leaf}: \\S`).test(line));
    const isExplained = (leaf: string): boolean => /^ *# [\w`].*\.$/.test(lines[lineOf(leaf) - 1] ?? '');
    const leaves = leavesOf(schema);
    expect(leaves.length).toBeGreaterThan(40);
    expect(leaves.filter((leaf) => lineOf(leaf) < 0)).toEqual([]);
    expect(leaves.filter((leaf) => !isExplained(leaf) && !leaf.startsWith('provider_'))).toEqual([]);
  });

  it('is one still when every line is taken in', () => {
    const all = targetTemplate()
      .replace(/^( *)# ([a-z_]+: )/gm, '$1$2')
      // Files that are not there.
      .replace(/^ *(?:ca|cert|key): .*\n/gm, '');
    const { target } = read(all);
    expect(Object.keys(target.roles)).toHaveLength(roleNames.length);
    expect(Object.keys(target.hooks)).toEqual([...hookNames]);
    expect(target.limits.ratePerSecond).toBeDefined();
    expect(target.connection.headers).toEqual({ 'x-gateway-key': 'k' });
  });

  it('has lines that fit a screen', () => {
    for (const line of targetTemplate().split('\n')) expect(line.length).toBeLessThanOrEqual(110);
  });
});

describe('`conform init`', () => {
  // As in the root of a checkout, wherever this is run.
  const env = { CONFORM_COMMAND: 'npx conform' };

  it('writes conform.yaml and says what comes next', async () => {
    const cwd = mkdtempSync(join(folder, 'new-'));
    const { code, stdout } = await conform(['init'], { cwd, env });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}npx conform doctor$/m);
    expect(readFileSync(join(cwd, 'conform.yaml'), 'utf8')).toBe(targetTemplate());
  });

  it('prints the file for -', async () => {
    const { code, stdout } = await conform(['init', '-'], { cwd: folder, env });
    expect([code, stdout]).toEqual([0, targetTemplate()]);
  });
});
