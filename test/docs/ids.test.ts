import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runWideChecks } from '../../harness/judging/run-wide-checks.ts';
import { mutants } from '../../selftest/mutants/index.ts';
import { variants } from '../../selftest/variants/index.ts';
import { scenarios } from '../../scenarios/catalogue/index.ts';
import { clauses, clientClauses } from '../../spec/index.ts';
import { allChecks } from '../../suites/index.ts';
import { pages, root } from './pages.ts';

const known = new Set(
  [...clauses, ...clientClauses, ...allChecks, ...runWideChecks, ...scenarios].map(({ id }) => id as string),
);
const checks = new Set([...allChecks, ...runWideChecks].map(({ id }) => id as string));
const areas = new Set([...known].map((id) => id.split('.')[0]));
const faults = { mutant: mutants.map(({ id }) => id), variant: variants.map(({ id }) => id) };

/** What looks like the id of a clause or a check: an area, and words that only ids are made of. Files and fields look otherwise. */
function idsIn(text: string): readonly string[] {
  const ids = text.match(/(?<![\w./-])[a-z][a-z-]*(?:\.[a-z0-9*][a-z0-9*-]*)+(?![\w./(])/g) ?? [];
  return ids.filter(
    (id) =>
      areas.has(id.split('.')[0] ?? '') && !/\.(?:ts|js|py|go|md|html|json|ndjson|ya?ml|db|txt)$/.test(id),
  );
}

function isKnown(id: string): boolean {
  // What options take may also be the beginning of ids.
  if (!id.includes('*')) return known.has(id) || [...known].some((each) => each.startsWith(`${id}.`));
  const pattern = new RegExp(`^${id.replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
  return [...known].some((each) => pattern.test(each));
}

/** The code of a page, in blocks and in lines: prose has no ids, and programs have fields that look like some. */
function codeOf(page: string): string {
  const text = readFileSync(join(root, page), 'utf8').replaceAll(/^ *```(?:ts|js|python)\n[^]*?^ *```/gm, '');
  return [...text.matchAll(/^ *```[^]*?^ *```|`[^`\n]+`/gm)].map(([code]) => code).join('\n');
}

describe('the ids in the docs', () => {
  it('are found', () => {
    expect(pages.flatMap((page) => idsIn(codeOf(page))).length).toBeGreaterThan(50);
    expect(idsIn('--check send.no-such-check')).toEqual(['send.no-such-check']);
    expect(isKnown('send.no-such-check')).toBe(false);
  });

  it.each(pages)('of clauses and checks, in %s, are in the register', (page) => {
    expect(idsIn(codeOf(page)).filter((id) => !isKnown(id))).toEqual([]);
  });

  it.each(pages)('of checks that are to be run, in %s, are no clauses', (page) => {
    const named = Array.from(codeOf(page).matchAll(/--(?:check|trace) ([a-z][\w.-]*)/g), ([, id = '']) => id);
    expect(named.filter((id) => id.includes('.') && !checks.has(id))).toEqual([]);
  });

  it.each(pages)('of mutants and variants, in %s, are served', (page) => {
    const named = [...codeOf(page).matchAll(/--(mutant|variant)[ =]([a-z0-9][\w,-]*)/g)];
    const gone = named.flatMap(([, kind, names = '']) =>
      names.split(',').filter((name) => !faults[kind as keyof typeof faults].includes(name)),
    );
    expect(gone).toEqual([]);
  });
});
