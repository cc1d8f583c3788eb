import { beforeAll, describe, expect, it } from 'vitest';
import { clientMutants, clientVariants } from '../../../selftest/clients/switches.ts';
import { clientClauses } from '../../../spec/index.ts';
import { textOf } from '../../house.ts';
import { brokenByEach } from './played.ts';

const mutants = Object.entries(clientMutants);
let broken: ReadonlyMap<string, readonly string[]>;

beforeAll(async () => {
  const played = [...new Set(mutants.map(([, { scenario }]) => scenario))];
  broken = await brokenByEach([
    ...mutants.map(([name, { scenario }]) => ({ name, scenarios: [scenario] })),
    { name: 'usual', scenarios: played },
  ]);
}, 300_000);

describe('each mutant of a client is killed under its clause', () => {
  it.each(mutants)('%s', (name, { clause }) => {
    expect(broken.get(name)).toContain(clause);
  });
});

it('every clause of clients that is judged has a mutant', () => {
  const killed = new Set(Object.values(clientMutants).map(({ clause }): string => clause));
  const judged = clientClauses.filter(({ level }) => level !== 'silent');
  expect(judged.map(({ id }) => id).filter((id) => !killed.has(id))).toEqual([]);
});

it('the page of the self-test lists them, and the variants', () => {
  const page = textOf('selftest/clients/README.md').replaceAll(/ {2,}/g, ' ');
  const rows = [
    ...mutants.map(([name, { what, clause, scenario }]) => [
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

it('a client without a switch breaks nothing in any of these scenarios', () => {
  expect(broken.get('usual')).toEqual([]);
});
