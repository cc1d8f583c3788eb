import { describe, expect, it } from 'vitest';
import { againCommands } from '../../cli/shared/again-commands.ts';
import type { CheckEvent, ResultEvent } from '../../harness/results/generated/events.ts';
import { commentOn } from '../../reporters/compare/comment.ts';
import { RunCollector } from '../../reporters/run-so-far.ts';
import { clauseOf } from '../../spec/index.ts';
import {
  ascend,
  brokenLimit,
  check,
  clause,
  collected,
  contentLimit,
  finding,
  footer,
  header,
  preflight,
} from './events.ts';

const keptLimit = check(brokenLimit.check, brokenLimit.title, [
  clause('mentions.limit'),
  clause('mentions.ascending'),
]);
const reason = 'the gateway clamps it, says @gateway-team';
const knownContent = check(contentLimit.check, contentLimit.title, [
  clause('send.content-bytes', { verdict: 'failed', known: reason }),
]);
const knownFinding = finding({
  id: 'F2',
  clause: 'send.content-bytes',
  check: contentLimit.check,
  known: reason,
});

function run(...told: readonly ResultEvent[]): RunCollector {
  const isBroken = told.some((event) => event.type === 'finding' && event.known === undefined);
  const end = footer({ exitCode: isBroken ? 1 : 0 });
  return collected([header(), preflight(), ...told, end]);
}

/** What an earlier run of the same server came to, with the time when that was. */
function earlier(...told: readonly ResultEvent[]): RunCollector {
  const before = run(...told);
  before.header = header({ startedAt: '2026-02-28T18:00:00Z' });
  return before;
}

const comment = (before: RunCollector, after: RunCollector): string =>
  commentOn(before, after, againCommands);

const good: readonly CheckEvent[] = [ascend, keptLimit, contentLimit];

describe('the comment on a pull request', () => {
  it('tells what it newly broke, with the evidence of the first', async () => {
    const text = comment(earlier(...good), run(ascend, brokenLimit, contentLimit, finding()));
    await expect(text).toMatchFileSnapshot('golden/comment/newly-broken.md');
  });

  it('tells what it fixed, and what is broken as before', async () => {
    const before = earlier(ascend, brokenLimit, knownContent, finding(), knownFinding);
    const text = comment(before, run(ascend, keptLimit, knownContent, knownFinding));
    await expect(text).toMatchFileSnapshot('golden/comment/fixed-and-still-known.md');
  });

  it('tells each clause of a finding in its own words', () => {
    const both = [
      clause('mentions.limit', { verdict: 'failed' }),
      clause('mentions.ascending', { verdict: 'failed' }),
    ];
    const broken = check(brokenLimit.check, brokenLimit.title, both);
    const clauses = both.map(({ clause: id, level }) => ({
      clause: id,
      level,
      verdict: 'failed' as const,
      check: broken.check,
    }));
    const text = comment(earlier(...good), run(ascend, broken, contentLimit, finding({ clauses })));
    const [first, second] = ['mentions.limit', 'mentions.ascending'].map(
      (id) => text.split('\n').find((line) => line.startsWith(`- \`${id}\``)) ?? '',
    );
    expect(second?.replaceAll(/[\\`]/g, '')).toContain(
      clauseOf('mentions.ascending').text.replaceAll('`', ''),
    );
    expect(second?.split(': ')[1]).not.toBe(first?.split(': ')[1]);
  });

  it('is empty where nothing changed, whether all is well or broken as before', () => {
    expect(comment(earlier(...good), run(...good))).toBe('');
    const broken = [ascend, brokenLimit, contentLimit, finding()];
    expect(comment(earlier(...broken), run(...broken))).toBe('');
  });

  it('is not empty where clauses lost their verdict, or the run came to no result', () => {
    const open = check(keptLimit.check, keptLimit.title, [
      clause('mentions.limit', { verdict: 'inconclusive', reason: 'no answer' }),
      clause('mentions.ascending'),
    ]);
    expect(comment(earlier(...good), run(ascend, open, contentLimit))).toMatch(
      /### Contract: 1 clause without a verdict\n[^]*no verdict now\*\*\n\n- `mentions\.limit`/,
    );
    const unreached = run(ascend);
    unreached.preflight = preflight({ isOk: false });
    unreached.footer = footer({ exitCode: 3 });
    expect(comment(earlier(ascend), unreached)).toContain(
      '### Contract: no result\n\nnothing could be concluded',
    );
  });

  it('says of a run that was cut short no more than it came to', () => {
    const stopped = run(ascend, brokenLimit, finding());
    stopped.footer = undefined;
    const text = comment(earlier(...good), stopped);
    expect(text).toContain('### Contract: 1 clause newly broken, incomplete run\n\nincomplete run:');
    expect(text).not.toContain('send.content-bytes');
  });

  it('is no longer than a platform takes, however much there is', () => {
    const [exchange] = finding().exchanges;
    if (exchange === undefined) throw new Error('no exchange');
    const exchanges = Array.from({ length: 6 }, (_, id) => ({ ...exchange, id, curl: 'x'.repeat(3_900) }));
    const long = finding({ exchanges });
    const text = comment(earlier(...good), run(ascend, brokenLimit, contentLimit, long));
    expect(text.length).toBeLessThan(40_000);
    expect(text).toMatch(/… \d+ lines more in the report/);
  });
});
