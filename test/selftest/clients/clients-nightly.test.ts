import { beforeAll, describe, expect, it } from 'vitest';
import { scenarios } from '../../../scenarios/catalogue/index.ts';
import { clientVariants } from '../../../selftest/clients/switches.ts';
import { describeMutants } from './mutants.ts';
import { type Cast, nothing, type Shown, shownByEach } from './played.ts';

describeMutants((index) => index % 3 !== 0);

const casts = ['usual', ...Object.keys(clientVariants)].map((name) => ({ name, played: scenarios }));
let shown: ReadonlyMap<Cast, Shown>;

beforeAll(async () => {
  shown = await shownByEach(casts);
}, 1_200_000);

describe('a client that is right, however unusual, breaks nothing in any scenario, nor by its traffic', () => {
  it.each(casts)('$name', (cast) => {
    expect(shown.get(cast)).toEqual(nothing);
  });
});
