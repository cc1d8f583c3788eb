import { expect, it } from 'vitest';
import { againCommands } from '../../../cli/shared/again-commands.ts';
import type { BrokenClause } from '../../../harness/results/generated/events.ts';
import { RunCollector } from '../../../reporters/run-so-far.ts';
import { storyOf } from '../../../reporters/story/story.ts';
import { finding, read, send } from '../events.ts';

it('each clause of a finding is told with the request that decided it, where that is another', () => {
  const broken = (clause: string, decidedBy?: number): BrokenClause => ({
    clause,
    level: 'must',
    verdict: 'failed',
    check: 'wire.message',
    ...(decidedBy !== undefined && { decidedBy }),
  });
  const { clauses } = storyOf(
    finding({
      exchanges: [send, read],
      clauses: [
        broken('message.content.unaltered', read.id),
        broken('message.content.type', read.id),
        broken('send.success-is-2xx', send.id),
        broken('mentions.ascending', 305),
        broken('channel-read.recency'),
      ],
    }),
    new RunCollector(),
    againCommands,
  );
  expect(clauses.map(({ about }) => about)).toEqual([
    'must',
    'must',
    'must, by request 1',
    'must, by exchange 305 of the result stream',
    'must',
  ]);
});
