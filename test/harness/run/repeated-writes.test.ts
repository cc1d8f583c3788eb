import { describe, expect, it } from 'vitest';
import { check } from '../../../harness/check/check.ts';
import { startAilingServer } from '../../suites/ailing-server.ts';
import { findingsOf, notPassed, runOn } from '../../suites/run-suite.ts';

const clause = 'send.idempotency-key-accepted';

describe('a write that is made again after trouble on the way', () => {
  it('leaves no failure that may come of it, and counts as it is in the history', async () => {
    let sends = 0;
    const server = await startAilingServer((_, { method }) => {
      if (method !== 'POST') return 'pass';
      sends += 1;
      return sends === 1 ? 'reset' : 'pass';
    });
    const lone = check(
      'send.lone',
      { title: 'a message is sent once', clauses: [clause], needs: ['author', 'channel'] },
      async ({ author, channel, draft, expect: judge }) => {
        const before = sends;
        const hello = draft();
        const sent = await author.send(channel.id, hello.text);
        await channel.arrival(hello);
        judge.holds(clause, sends === before + 1, { expected: 'one send', actual: 'more' }, sent);
      },
    );
    const lines: string[] = [];
    const run = await runOn([lone], server.target, { onHistoryLines: (text) => lines.push(text) });
    await server.close();
    expect(findingsOf(run)).toEqual([]);
    expect(notPassed(run)).toEqual([]);
    expect(run.checks.find(({ check: id }) => id === 'send.lone')?.attempts).toBe(2);
    const kept = lines
      .join('')
      .split('\n')
      .filter((line) => line.includes('"send"'));
    expect(kept.map((line) => /indeterminate|accepted/.exec(line)?.[0])).toEqual([
      'indeterminate',
      'accepted',
      'accepted',
    ]);
  });
});
