import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ownFolder } from '../../fixtures/folder.ts';
import { conform, separateReference, type SeparateReference } from '../conform.ts';
import type { PrintedTarget } from '../use-reference.ts';

const folder = ownFolder('conform-served-');
const same = '--seed 7 --clock 2026-01-02T03:04:05+01:00 --frozen --seed-messages 3'.split(' ');
const served = {
  first: same,
  second: [...same, '--cut', '30', '--limited', '30', '--retry-after', '0', '--latency', '30'],
  mutant: ['--mutant', 'limit-ends-at-101'],
  variant: ['--variant', 'texts-are-escaped,channels-start-at-2-to-the-60'],
};
type Name = keyof typeof served;
const open = {} as Record<Name, SeparateReference>;

beforeAll(async () => {
  const starts = Object.entries(served).map(async ([name, args]) => {
    open[name as Name] = await separateReference(args);
    writeFileSync(join(folder, `${name}.yaml`), open[name as Name].targetFile);
  });
  await Promise.all(starts);
});

afterAll(async () => {
  await Promise.all(Object.values(open).map((each) => each.close()));
});

function targetOf(name: Name): PrintedTarget {
  return parse(open[name].targetFile) as PrintedTarget;
}

async function messagesOf(name: Name): Promise<Response> {
  const { base_url, channel, roles } = targetOf(name);
  const headers = { authorization: `Bearer ${roles['reader']}` };
  return fetch(`${base_url}/v0/channels/${channel}/messages?after=0`, { headers });
}

describe('conform reference', () => {
  it('has the same world, tokens, messages and times for the same seed and clock, whatever happens on the way', async () => {
    const { base_url: _, hooks: __, ...world } = targetOf('first');
    expect(targetOf('second')).toMatchObject(world);
    const text = await (await messagesOf('first')).text();
    expect(text).toContain('"created_at":"2026-01-02T02:04:05.000Z"');
    const [ends, texts] = [new Set<unknown>(), new Set<string>()];
    const startedMs = performance.now();
    for (let count = 0; count < 20; count += 1) {
      const answer = await messagesOf('second').catch(() => undefined);
      const whole = await answer?.text().catch(() => undefined);
      ends.add(whole === undefined ? 'cut' : answer?.status);
      if (answer?.status === 200 && whole !== undefined) texts.add(whole);
    }
    expect(performance.now() - startedMs).toBeGreaterThan(20 * 30 - 5);
    expect(ends).toEqual(new Set(['cut', 429, 200]));
    expect([...texts]).toEqual([text]);
  });

  it('breaks the clause of a mutant, and none as a variant', async () => {
    const run = (name: Name): ReturnType<typeof conform> =>
      conform([
        '--target',
        join(folder, `${name}.yaml`),
        '--check',
        'mentions.limit-of-101-is-refused',
        '--quiet',
      ]);
    const [mutant, variant] = await Promise.all([run('mutant'), run('variant')]);
    expect({ mutant: mutant.code, variant: variant.code }).toEqual({ mutant: 1, variant: 0 });
  });

  it('lists the names of mutants and variants, and ends', async () => {
    const { stdout, code } = await conform(['reference', '--list']);
    expect(stdout).toContain('\n--mutant limit-ends-at-101  ');
    expect(stdout).toContain('\n--variant texts-are-escaped  ');
    expect(code).toBe(0);
  });
});
