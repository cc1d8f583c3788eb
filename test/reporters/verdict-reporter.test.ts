import { describe, expect, it } from 'vitest';
import type { ResultEvent } from '../../harness/results/generated/events.ts';
import { verdictReporter } from '../../reporters/verdict-reporter.ts';
import { footer, header, preflight, runs, tally } from './events.ts';
import { shown } from './screen.ts';

function quiet(events: readonly ResultEvent[]): string {
  let text = '';
  const report = verdictReporter({ write: (each: string) => (text += each) });
  for (const event of events) report(event);
  return text;
}

describe('the verdict alone', () => {
  const ended = Object.entries<readonly ResultEvent[]>(runs).filter(
    ([name, events]) => name !== 'preflight failed' && events.at(-1)?.type === 'footer',
  );

  it.each(ended)('is the last line of the report, of a run "%s"', (_name, events) => {
    const whole = shown(events, {}, { columns: 120 }).trimEnd();
    const line = quiet(events);
    expect(line.trimEnd()).not.toContain('\n');
    expect(whole.replaceAll(/\n/g, ' ').endsWith(line.trimEnd())).toBe(true);
  });

  it.each(['complete', 'interrupted'] as const)(
    'stands behind errors, and behind nothing else: %s',
    (end) => {
      const lines = [
        { severity: 'info', text: 'round trip' },
        { severity: 'warning', text: 'slow' },
        { severity: 'error', text: 'refused \u001b[2J' },
      ] as const;
      const text = quiet([
        header(),
        preflight({ isOk: false, lines }),
        { type: 'notice', severity: 'warning', text: 'less' },
        // A campaign ends before its first case.
        footer({ end, exitCode: 3 }),
      ]);
      expect(text).toBe(
        'preflight error: refused \\u001b[2J\nnothing could be concluded: preflight failed (exit 3)\n',
      );
    },
  );

  it.each([
    ['none of 2 checks could decide anything', tally(0, 0, 0, 2)],
    ['no check passed, 1 warned', tally(0, 0, 1, 1)],
    ['no clause was decided', tally(1)],
    ['no clause passed, 1 warned', tally(1), tally(0, 0, 1)],
    ['well-formed answers alone prove nothing', tally(1), tally(3)],
  ])('says why nothing could be concluded: %s', (why, checks, must = tally(0)) => {
    const clauses = { ...footer().clauses, must, inferred: tally(0) };
    const text = quiet([header(), preflight(), footer({ exitCode: 3, checks, clauses })]);
    expect(text).toBe(`nothing could be concluded: ${why} (exit 3)\n`);
  });

  it.each([
    ['nothing failed, but the run is incomplete', tally(3)],
    ['nothing could be concluded', tally(0)],
  ])('says that a hook does not work, and beside it what passed: %s', (words, must) => {
    const clauses = { ...footer().clauses, must, inferred: tally(0) };
    const reason = 'a hook does not work: hooks.restart: no answer';
    const text = quiet([header(), preflight(), footer({ exitCode: 3, clauses, reason })]);
    expect(text).toBe(`${words}: ${reason} (exit 3)\n`);
  });
});
