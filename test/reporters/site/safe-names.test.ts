import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SafeNames } from '../../../reporters/site/safe-names.ts';
import { clauses } from '../../../spec/index.ts';
import { hostile } from '../hostile-text.ts';

describe('a safe name', () => {
  it('is the text itself where that can be a name, as each id of a clause can', () => {
    const names = new SafeNames();
    for (const { id } of clauses) expect(names.of(id, 'clause')).toBe(id);
  });

  it.each([
    ['go 1.2', 'go-1.2'],
    ['../../etc/passwd', 'etc-passwd'],
    ['..', 'server'],
    ['.hidden', 'hidden'],
    ['-rf', 'rf'],
    ['C:\\x', 'C-x'],
    ['сервер', 'server'],
    ['', 'server'],
    ['aux', 'server-aux'],
    ['con.txt', 'server-con.txt'],
    ['x'.repeat(300), 'x'.repeat(60)],
  ])('of %j is %j', (text, name) => {
    expect(new SafeNames().of(text, 'server')).toBe(name);
  });

  it('is given once, whatever the case of its letters, and never where something else has it', () => {
    const names = new SafeNames(['results']);
    const given = ['go', 'Go', 'go-2', 'GO', 'results', '?'].map((text) => names.of(text, 'server'));
    expect(given).toEqual(['go', 'Go-2', 'go-2-2', 'GO-3', 'results-2', 'server']);
  });

  it('has nothing in it that a path or a shell takes for something else, whatever the text', () => {
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1, maxLength: 5 }), (texts) => {
        const names = new SafeNames();
        const given = texts.map((text) => names.of(text, 'server'));
        for (const name of given) expect(name).toMatch(/^[A-Za-z0-9_][A-Za-z0-9._-]*$/);
        expect(new Set(given.map((name) => name.toLowerCase())).size).toBe(given.length);
      }),
    );
  });
});
