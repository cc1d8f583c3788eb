import { expect, it } from 'vitest';
import { exitCodeOf, exitCodes } from '../../../harness/verdict/exit-code.ts';
import { textOf } from '../../house.ts';

it.each([
  ['nothing failed and something was proved', { failed: 0, warned: 0, hasProved: true }, false, 0],
  ['nothing was proved', { failed: 0, warned: 0, hasProved: false }, false, 3],
  ['something failed', { failed: 1, warned: 0, hasProved: true }, false, 1],
  ['something warned', { failed: 0, warned: 1, hasProved: true }, false, 0],
  ['something warned in a strict run', { failed: 0, warned: 1, hasProved: true }, true, 1],
] as const)('the exit code when %s is right', (_, counts, isStrict, code) => {
  expect(exitCodeOf(counts, isStrict)).toBe(code);
});

it('the exit codes are those of the table in README', () => {
  const rows = [...textOf('README.md').matchAll(/^\| ([0-9]+) +\|/gm)].map(([, code]) => Number(code));
  expect(rows).toEqual(Object.values(exitCodes));
});
