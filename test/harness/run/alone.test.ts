import { describe, expect, it } from 'vitest';
import { againCommands } from '../../../cli/shared/again-commands.ts';
import { check, type Check } from '../../../harness/check/check.ts';
import { againCommand } from '../../../reporters/story/again.ts';
import { runAgainst } from '../../suites/run-suite.ts';

const clause = 'mentions.status-is-200';

/** A check that sees something broken for so many attempts. */
function broken(name: string, times: number): Check {
  let left = times;
  return check(
    `mentions.${name}`,
    { title: 'is kept', clauses: [clause], needs: ['author'] },
    async ({ author, expect: judge }) => {
      const exchange = await author.mentions({ limit: 7 });
      left -= 1;
      judge.holds(clause, left < 0, { expected: 'it is there', actual: name }, exchange);
    },
  );
}

async function printedFor(checks: readonly Check[], isTyped: boolean): Promise<string | undefined> {
  const run = await runAgainst(checks, {}, { isTyped, command: ['run', '--reference'] });
  const [finding] = run.findings;
  const header = run.events.find((event) => event.type === 'header');
  return finding && againCommand(finding, { header }, againCommands).split('npx conform ').at(-1);
}

describe('the command that a finding prints', () => {
  const alone = '--check mentions.a --reference';

  it.each([
    ['runs its check alone where that shows it', Infinity, true, alone],
    ['runs all where the check alone no longer does', 2, true, 'run --reference'],
    ['runs its check where nobody types it', 2, false, alone],
  ] as const)('%s', async (_, times, isTyped, printed) => {
    expect(await printedFor([broken('a', times), broken('b', 0)], isTyped)).toBe(printed);
  });
});
