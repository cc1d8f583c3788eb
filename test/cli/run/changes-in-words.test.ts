import { expect, it } from 'vitest';
import { changesInWords } from '../../../cli/run/watch.ts';
import type { ClauseVerdict } from '../../../harness/results/generated/events.ts';
import { RunCollector } from '../../../reporters/run-so-far.ts';
import { check, clause, collected, footer, header } from '../../reporters/events.ts';

/** A run in which one check decided a clause like this. */
function runOf(verdict: ClauseVerdict['verdict']): RunCollector {
  const told = check('send.a', 'a', [clause('send.content-bytes', { verdict })]);
  return collected([header(), told, footer()]);
}

it.each([
  ['passed', 'failed', 'fixed nothing; newly failed send.content-bytes'],
  ['inconclusive', 'failed', 'fixed nothing; newly failed send.content-bytes'],
  ['warned', 'failed', 'fixed nothing; newly failed send.content-bytes'],
  ['failed', 'failed', 'fixed nothing; newly failed nothing'],
  ['failed', 'inconclusive', 'fixed nothing; newly failed nothing'],
  ['failed', 'passed', 'fixed send.content-bytes; newly failed nothing'],
] as const)('says of a clause that was %s and is %s what is new', (before, now, words) => {
  expect(changesInWords(runOf(before), runOf(now))).toBe(`since the run before: ${words}\n`);
});
