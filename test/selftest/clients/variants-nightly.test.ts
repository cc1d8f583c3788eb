import { beforeAll, describe, expect, it } from 'vitest';
import { clientVariants } from '../../../selftest/clients/switches.ts';
import { brokenByEach } from './played.ts';

const names = Object.keys(clientVariants);
let broken: ReadonlyMap<string, readonly string[]>;

beforeAll(async () => {
  broken = await brokenByEach(names.map((name) => ({ name, scenarios: [] })));
}, 1_200_000);

describe('a client that is unusual, and right, breaks nothing in any scenario', () => {
  it.each(names)('%s', (name) => {
    expect(broken.get(name)).toEqual([]);
  });
});
