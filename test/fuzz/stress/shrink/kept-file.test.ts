import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { drawPlan } from '../../../../fuzz/stress/scene/draw-plan.ts';
import { readKept, writeKept, type KeptFailure } from '../../../../fuzz/stress/shrink/kept-file.ts';
import { KnownSecrets } from '../../../../harness/output/known-secrets.ts';
import { ownFolder } from '../../../fixtures/folder.ts';

const folder = ownFolder('conform-kept-');

const shape = { clients: 6, agents: 3, channels: 2, rounds: 6, hasLargest: true };

function keptWith(own: Partial<KeptFailure>): KeptFailure {
  return {
    stress: 1,
    name: 'late-commit',
    verdict: 'failed',
    clauses: ['channel-read.cursor-never-skips'],
    expected: 'this',
    actual: 'that',
    seed: 4,
    clients: 6,
    repeats: { times: 3, of: 20 },
    plan: { channels: 1, agents: 1, rounds: [], faults: [] },
    schedule: [],
    ...own,
  };
}

function fileOf(text: string): string {
  const file = join(folder, 'given.json');
  writeFileSync(file, text);
  return file;
}

describe('a kept failure', () => {
  it('reads back as it was written, whatever its plan', () => {
    for (let index = 0; index < 15; index += 1) {
      const plan = { ...drawPlan(shape, 9, index), faults: [{ round: 2, delay: 3 }] };
      const kept = keptWith({ plan });
      expect(readKept(writeKept(folder, kept, new KnownSecrets()))).toEqual(kept);
    }
  });

  it.each([
    ['', 'it is not JSON'],
    ['{"stress": 1', 'it is not JSON'],
    ['[]', 'is no failure that the command stress has kept: it must be object'],
    ['{}', "must have required property 'stress'"],
    [JSON.stringify({ ...keptWith({}), stress: 2 }), '`stress` must be equal to constant'],
    [JSON.stringify({ ...keptWith({}), clients: 0 }), '`clients` must be >= 1'],
    [
      JSON.stringify({ ...keptWith({}), plan: { channels: 1 } }),
      "`plan` must have required property 'agents'",
    ],
    [
      JSON.stringify({
        ...keptWith({}),
        plan: { channels: 1, agents: 1, rounds: [{ par: [{}] }], faults: [] },
      }),
      "`plan.rounds.0.par.0` must have required property 'client'",
    ],
  ])('that is %j is refused', (text, message) => {
    expect(() => readKept(fileOf(text))).toThrow(message);
  });

  it('that is not there is refused', () => {
    expect(() => readKept(join(folder, 'nothing.json'))).toThrow('does not exist');
  });
});
