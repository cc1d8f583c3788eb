import { describe, expect, it } from 'vitest';
import { againCommands } from '../../../cli/shared/again-commands.ts';
import type { Check } from '../../../harness/check/check.ts';
import { againCommand } from '../../../reporters/story/again.ts';
import { checkOf } from '../../fixtures/check.ts';
import { runAgainst } from '../../suites/run-suite.ts';

const clause = 'mentions.status-is-200';

/** A check that sees something broken for so many attempts. */
function broken(name: string, times: number): Check {
  let left = times;
  const facts = { clauses: [clause], needs: ['author'] } as const;
  return checkOf(`mentions.${name}`, facts, async ({ author, expect: judge }) => {
    const exchange = await author.mentions({ limit: 7 });
    left -= 1;
    judge.holds(clause, left < 0, { expected: 'it is there', actual: name }, exchange);
  });
}

const checks = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) =>
  broken(id, id === 'b' || id === 'd' ? Infinity : 0),
);

async function ended(bail: number, concurrency = 1) {
  const { checks: events, footer } = await runAgainst(checks, {}, { concurrency, bail });
  return { told: events.map(({ check }) => check.replace('mentions.', '')).toSorted(), footer };
}

describe('a run that is to bail', () => {
  it('begins no more checks once one has failed, and counts no clause that it did not come to', async () => {
    const { told, footer } = await ended(1);
    expect(told).toEqual(['a', 'b']);
    expect(footer).toMatchObject({
      end: 'bailed',
      exitCode: 1,
      reason: '--bail 1: 1 check failed',
      checks: { passed: 1, failed: 1, inconclusive: 0 },
    });
    const { must, inferred, silent } = footer.clauses;
    expect(must.failed).toBeGreaterThan(0);
    expect([must.inconclusive, inferred.inconclusive, silent]).toEqual([0, 0, 0]);
  });

  it('bears as many failures as it was told, and waits for what is under way', async () => {
    expect((await ended(2)).told).toEqual(['a', 'b', 'c', 'd']);
    expect((await ended(1, 6)).told).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('goes to its end where fewer fail', async () => {
    const { told, footer } = await ended(3);
    expect(told).toEqual(expect.arrayContaining(['a', 'f']));
    expect(footer.end).toBe('complete');
  });
});

it.each([
  ['runs its check alone where that shows it', Infinity, true, '--check mentions.a --reference'],
  ['runs all where the check alone no longer does', 2, true, 'run --reference'],
  ['runs its check where nobody types it', 2, false, '--check mentions.a --reference'],
] as const)('the command that a finding prints %s', async (_, times, isTyped, printed) => {
  const options = { isTyped, command: ['run', '--reference'] };
  const { findings, events } = await runAgainst([broken('a', times), broken('b', 0)], {}, options);
  const header = events.find((event) => event.type === 'header');
  const commands = findings.map((finding) => againCommand(finding, { header }, againCommands));
  expect(commands.map((command) => command.split('npx conform ').at(-1))).toEqual([printed]);
});
