import { beforeAll, describe, expect, it } from 'vitest';
import { trafficClauses } from '../../../history/clients/catalogue.ts';
import { contractRules } from '../../../reference/index.ts';
import type { Scenario, Step } from '../../../scenarios/scenario.ts';
import { clientMutants } from '../../../selftest/clients/switches.ts';
import type { ClientClauseId } from '../../../spec/index.ts';
import { type Cast, named, type Shown, shownByEach } from './played.ts';

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
const inTraffic: Readonly<Record<string, Scenario>> = {
  'cursor-of-the-last-item': { ...named('read.gaps'), rules: cursorsBeyond, steps: onePageEach },
  'cursor-of-the-channel': { ...named('read.mentions'), steps: onePageEach },
  'retry-after-ignored': named('send.limited'),
  'polls-without-a-pause': {
    ...named('read.after-a-while'),
    steps: [{ who: 'client', does: 'start' }, { pauseMs: 12_000 }],
  },
};

/** A mutant in a scenario, and what names its clause there. */
interface Row extends Cast {
  readonly clause: ClientClauseId;
  readonly by: readonly (keyof Shown)[];
}

const decided = new Set<string>(trafficClauses);

const rows = Object.entries(clientMutants).flatMap(([name, { clause, scenario }]): Row[] => {
  const played = [named(scenario)];
  if (!decided.has(clause)) return [{ name, played, clause, by: ['byPlay'] }];
  const other = inTraffic[name];
  if (other === undefined) return [{ name, played, clause, by: ['byPlay', 'byTraffic'] }];
  return [
    { name, played, clause, by: ['byPlay'] },
    { name, played: [other], clause, by: ['byTraffic'] },
  ];
});

/** Beside others the machine may make a pause where the client makes none. */
const isAlone = ({ name }: Cast): boolean => name === 'polls-without-a-pause';

/** Of every three mutants `npm test` plays one, and the night the others. */
export function describeMutants(isOwn: (index: number) => boolean): void {
  const own = rows.filter((_, index) => isOwn(index));
  let shown: ReadonlyMap<Cast, Shown>;

  beforeAll(async () => {
    const together = await shownByEach(own.filter((row) => !isAlone(row)));
    shown = new Map([...together, ...(await shownByEach(own.filter(isAlone)))]);
  }, 600_000);

  describe('a mutant of a client is named under its clause, and nothing of the server', () => {
    it.each(own)('$name $by', (row) => {
      const found = shown.get(row);
      for (const by of row.by) expect(found?.[by]).toContain(row.clause);
      expect(found?.byTraffic.filter((each) => !each.startsWith('client.'))).toEqual([]);
    });
  });
}
