import { beforeAll, describe, expect, it } from 'vitest';
import { trafficClauses } from '../../../clients/catalogue.ts';
import { contractRules } from '../../../reference/index.ts';
import type { Scenario, Step } from '../../../scenarios/scenario.ts';
import { clientMutants } from '../../../selftest/clients/switches.ts';
import { textOf } from '../../house.ts';
import { named, nearFaults, ofEach, program, shownByTraffic } from './played.ts';

const decided = new Set<string>(trafficClauses);
const mutants = Object.entries(clientMutants).filter(([, { clause }]) => decided.has(clause));

/** Mentions one after another, each of which is a page of its own. */
const onePageEach: readonly Step[] = [
  { who: 'client', does: 'start' },
  ...['one', 'two', 'three', 'four', 'five'].flatMap((text): Step[] => [
    { who: 'colleague', mentions: [text] },
    { until: 'settled' },
  ]),
];

/** Cursors lie beyond the last item, and before the next. */
const cursorsBeyond: Scenario['rules'] = {
  nextEventSequence: (last) => last + 7n,
  nextAfter: (facts) => contractRules.nextAfter(facts) + (facts.entries.length > 0 ? 3n : 0n),
  highWatermark: ({ streamEnd }) => streamEnd + 3n,
};

/** In live traffic it takes several pages, or a key, where `conform client` needs neither. */
const playedWith: Readonly<Record<string, Scenario>> = {
  'cursor-of-the-last-item': { ...named('read.gaps'), rules: cursorsBeyond, steps: onePageEach },
  'cursor-of-the-channel': { ...named('read.mentions'), steps: onePageEach },
  'retry-after-ignored': named('send.limited'),
  'polls-without-a-pause': {
    ...named('read.after-a-while'),
    steps: [{ who: 'client', does: 'start' }, { pauseMs: 12_000 }],
  },
};

const hasNoPause = (name: string): boolean => name === 'polls-without-a-pause';

let shown: ReadonlyMap<string, readonly string[]>;

beforeAll(async () => {
  const casts = [
    ...mutants.map(([name, { scenario }]) => ({ name, played: [playedWith[name] ?? named(scenario)] })),
    { name: 'usual', played: nearFaults },
  ];
  const shownBy = ({ name, played }: (typeof casts)[number]): Promise<readonly string[]> =>
    shownByTraffic([process.execPath, program, name], played);
  // Beside others the machine may make a pause where the client makes none.
  const [alone, together] = [true, false].map((is) => casts.filter(({ name }) => is === hasNoPause(name)));
  shown = new Map([...(await ofEach(together ?? [], shownBy)), ...(await ofEach(alone ?? [], shownBy))]);
}, 600_000);

describe('the traffic of a client shows what it does wrong, under the clause, and nothing of the server', () => {
  it.each(mutants)('%s', (name, { clause }) => {
    expect(shown.get(name)).toContain(clause);
    expect(shown.get(name)?.filter((each) => !each.startsWith('client.'))).toEqual([]);
  });
});

it('every clause that traffic decides has such a mutant', () => {
  const killed = new Set<string>(mutants.map(([, { clause }]) => clause));
  expect(trafficClauses.filter((clause) => !killed.has(clause))).toEqual([]);
});

it('the page of live traffic lists them', () => {
  const page = textOf('docs/proxy.md');
  expect(trafficClauses.filter((clause) => !page.includes(`\`${clause}\``))).toEqual([]);
});

// Unusual ones are played by `variants-nightly`.
it('the traffic of a client that is right shows nothing of either side', () => {
  expect(shown.get('usual')).toEqual([]);
});
