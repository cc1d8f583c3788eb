import { beforeAll, expect, it } from 'vitest';
import { trafficClauses } from '../../../history/clients/catalogue.ts';
import { clientMutants, clientVariants } from '../../../selftest/clients/switches.ts';
import { clientClauses } from '../../../spec/index.ts';
import { textOf } from '../../house.ts';
import { describeMutants } from './mutants.ts';
import { type Cast, named, nothing, type Shown, shownByEach } from './played.ts';

describeMutants((index) => index % 3 === 0);

/** Where a client that is right comes close to what is a fault; unusual ones are played by `nightly`, and all of the scenarios. */
const nearFaults = [
  'read.gaps',
  'read.limited',
  'read.after-a-while',
  'read.restarted',
  'send.answers-lost',
  'send.limited',
  'echo.mentions',
].map((id) => ({ name: 'usual', played: [named(id)] }));

let shown: ReadonlyMap<Cast, Shown>;

beforeAll(async () => {
  shown = await shownByEach(nearFaults);
}, 300_000);

it.each(nearFaults)('a client without a switch breaks nothing in $played.0.id', (cast) => {
  expect(shown.get(cast)).toEqual(nothing);
});

it('every clause of clients that is judged has a mutant', () => {
  const killed = new Set(Object.values(clientMutants).map(({ clause }): string => clause));
  const judged = clientClauses.filter(({ level }) => level !== 'silent');
  expect([...judged.map(({ id }) => id), ...trafficClauses].filter((id) => !killed.has(id))).toEqual([]);
});

it('the page of live traffic lists the clauses that it decides', () => {
  const page = textOf('docs/proxy.md');
  expect(trafficClauses.filter((clause) => !page.includes(`\`${clause}\``))).toEqual([]);
});

it('the page of the self-test lists them, and the variants', () => {
  const page = textOf('selftest/clients/README.md').replaceAll(/ {2,}/g, ' ');
  const rows = [
    ...Object.entries(clientMutants).map(([name, { what, clause, scenario }]) => [
      `\`${name}\``,
      what,
      `\`${clause}\``,
      `\`${scenario}\``,
    ]),
    ...Object.entries(clientVariants).map(([name, { what }]) => [`\`${name}\``, what]),
  ];
  const lines = rows.map((cells) => `| ${cells.join(' | ')} |`);
  expect(lines.filter((line) => !page.includes(`\n${line}\n`))).toEqual([]);
});
