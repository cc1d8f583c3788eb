import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { targetOfReference } from '../../../embedded/reference-hooks.ts';
import { startReference } from '../../../reference/index.ts';
import { argued } from '../../../selftest/machine/argued-survivors.ts';
import { arguedMutants, type Argument } from '../../../selftest/machine/arguments.ts';
import {
  instrumenterVersion,
  type MachineMutant,
  withoutAssertions,
} from '../../../selftest/machine/build.ts';
import { judgeTarget } from '../../../selftest/machine/judge-mutant.ts';
import {
  figuresOf,
  type LoggedMutant,
  machinePageOf,
  resultsOf,
  sharesOf,
} from '../../../selftest/machine/page.ts';
import { mutants as handMade } from '../../../selftest/mutants/index.ts';
import { packageFile } from '../../../spec/index.ts';
import { allChecks } from '../../../suites/index.ts';

const file = 'reference/rules/paging.ts';

function mutant(id: string, original: string, replacement = 'false'): MachineMutant {
  const place = { file, line: Number(id), column: 1, within: 'f' };
  return { id, ...place, operator: 'ConditionalExpression', original, replacement };
}

const mutants = [mutant('1', 'a > b'), mutant('2', 'c'), mutant('3', 'a >\n  b'), mutant('4', 'c', 'd')];
const table: readonly Argument[] = [
  { is: 'equivalent', why: 'nobody can tell', of: [`${file} f: a > b → false (2)`] },
  { is: 'hole', dimension: 'counts', why: 'nobody looks', of: [`${file} f: c`, `${file} f: gone`] },
];
const log = new Map(
  (['failed', 'hangs or dies', 'survived', 'survived'] as const).map((outcome, index) => {
    const id = String(index + 1);
    return [id, { id, build: 'b', outcome, durationMs: 1 }] as const;
  }),
);
const results = resultsOf(mutants, log, table);
const facts = { of: 'a server', mutants, reached: [], noPrograms: 0, day: '' };

describe('the arguments', () => {
  it('find their mutants by the change, of several alike by its number, or by the code that is changed', () => {
    const found = arguedMutants(mutants, table).map(({ argument }) => argument?.is);
    expect(found).toEqual([undefined, 'hole', 'equivalent', 'hole']);
  });

  it('are each about something else, and about code that is there', () => {
    const names = argued.flatMap(({ of }) => of);
    expect(new Set(names).size).toBe(names.length);
    const stray = names.filter((name) => {
      const [, where = '', within = '', code = ''] =
        /^(\S+)(?: (\w*)(?:: (.*?)(?: → .*)?)?)?$/.exec(name) ?? [];
      const source = readFileSync(packageFile(where), 'utf8').replaceAll(/\s+/g, ' ');
      return !source.includes(` ${within}`) || !source.includes(code.replace(/…$/, ''));
    });
    expect(stray).toEqual([]);
  });
});

describe('the figures', () => {
  it('count each mutant once, and hold what nobody can notice against no run', () => {
    expect(Object.values(figuresOf(results))).toEqual([4, 1, 1, 0, 2, 1, 0, 0, 1]);
    expect(sharesOf(results)).toEqual({ failed: '66.7 %', noticed: '66.7 %', withCampaign: '66.7 %' });
  });

  it('count what a campaign fails', () => {
    const [survivor] = [...log.values()].slice(-1);
    const campaign = { outcome: 'failed', clause: 'page.exact', seconds: 60 } as const;
    const found = resultsOf(
      mutants,
      new Map<string, LoggedMutant>(log).set('4', { ...survivor!, campaign }),
      table,
    );
    expect(sharesOf(found).withCampaign).toBe('100.0 %');
    expect(machinePageOf(facts, found)).toContain('; a campaign shows `page.exact`');
  });

  it('name each survivor with its place, its change and its argument', () => {
    const page = machinePageOf(facts, results);
    expect(page).toContain(`- \`${file}:3:1\` ConditionalExpression: \`a > b\` → \`false\`: nobody can tell`);
    expect(page).toContain('### hole: 1');
  });

  it('tell of a survivor how much it kept from being decided, beside the one that kept least', () => {
    const counted = new Map<string, LoggedMutant>(log)
      .set('3', { ...log.get('3')!, inconclusive: 2 })
      .set('4', { ...log.get('4')!, inconclusive: 99 });
    const page = machinePageOf(facts, resultsOf(mutants, counted, table));
    expect(page).toMatch(/`c` → `d`.*; it leaves 97 more clauses inconclusive$/m);
    expect(page.match(/more clauses inconclusive/g)).toHaveLength(1);
  });

  it('leave out what does not compile', () => {
    const refused = new Map<string, LoggedMutant>(log).set('1', {
      ...log.get('2')!,
      outcome: 'does not compile',
    });
    expect(resultsOf(mutants, refused, table)).toHaveLength(3);
  });

  it.each(['', '-go', '-python'])('of the page docs/machine-mutants%s.md add up', (which) => {
    const page = readFileSync(packageFile(`docs/machine-mutants${which}.md`), 'utf8');
    const rows = [...page.matchAll(/^\| (\S.*?) +\| ([\d |]+)\|$/gm)].map(([, name, cells = '']) => ({
      name,
      cells: cells.split('|').map(Number),
    }));
    const tables = rows.filter(({ cells }) => cells.length > 1);
    expect(tables.length).toBeGreaterThan(2);
    for (const { cells } of tables) {
      const [run = 0, failed = 0, apart = 0, warned = 0, survived = 0, ...kinds] = cells;
      expect(failed + apart + warned + survived).toBe(run);
      expect(kinds.slice(0, 4).reduce((sum, count) => sum + count, 0)).toBe(survived);
    }
  });
});

it('blanks assertions of types, and leaves everything in its place', () => {
  const source = "const a = { b: 1 as Id } as\n  const satisfies T;\nf(a as 'ü', b);";
  expect(withoutAssertions('a.ts', source)).toBe(
    'const a = { b: 1       }   \n                   ;\nf(a       , b);',
  );
});

it('installs the version that its builds are told apart by', () => {
  const { scripts } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  expect(scripts['mutate:servers']).toContain(`@stryker-mutator/instrumenter@${instrumenterVersion} `);
  expect(scripts['mutate']).toContain(`@${instrumenterVersion} `);
});

it.each([
  ['failed', 'limit-ends-at-101'],
  ['refused', 'overview-is-403'],
] as const)('a run that is stopped by what it finds: %s', async (outcome, id) => {
  const broken = handMade.find((each) => each.id === id);
  await using reference = await startReference(broken?.options() ?? {});
  const checks = allChecks.filter(({ clauses }) => clauses.includes('mentions.limit.max'));
  const judged = await judgeTarget(targetOfReference(reference), checks);
  expect(judged).toMatchObject({ outcome });
});
