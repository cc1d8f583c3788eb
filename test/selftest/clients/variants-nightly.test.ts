import { beforeAll, describe, expect, it } from 'vitest';
import { scenarios } from '../../../scenarios/catalogue/index.ts';
import { clientVariants } from '../../../selftest/clients/switches.ts';
import { ofEach, program, shownByTraffic } from './played.ts';

const names = Object.keys(clientVariants);
let broken: ReadonlyMap<string, readonly string[]>;

beforeAll(async () => {
  const casts = names.map((name) => ({ name }));
  broken = await ofEach(casts, ({ name }) =>
    shownByTraffic([process.execPath, program, name], scenarios, { isPlayed: true }),
  );
}, 1_200_000);

describe('a client that is unusual, and right, breaks nothing in any scenario, nor by its traffic', () => {
  it.each(names)('%s', (name) => {
    expect(broken.get(name)).toEqual([]);
  });
});
