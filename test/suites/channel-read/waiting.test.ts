import { setTimeout as sleep } from 'node:timers/promises';
import { it } from 'vitest';
import type { AnswerHook } from '../../../reference/index.ts';
import { refusal } from '../../../selftest/mutants/base/spoil-answer.ts';
import { judgeServers } from '../judged-servers.ts';

const by = 'channel-read.waiting-read-wakes';

/** Answers a long wait in its own way. */
function toWaits(answer: AnswerHook): AnswerHook {
  return (given, asked) =>
    asked.route === 'read' && asked.query['wait'] === '25' ? answer(given, asked) : undefined;
}

const isWoken = 'channel-read.wait-wakes';
const refused = ['channel-read.wait-25-accepted failed'];

judgeServers(
  {
    'a read that waits is woken where a message ends it': { by, verdicts: { [isWoken]: 'passed' } },
    'a read that waits is not woken where no wait is kept': {
      by,
      rules: { waitMs: () => 0 },
      verdicts: { [isWoken]: 'inconclusive' },
      finds: [],
    },
    'a read that waits is not woken where every wait is as long as another': {
      by,
      rules: { waitMs: () => 1_500, wakesPolls: () => false },
      verdicts: { [isWoken]: 'inconclusive' },
      finds: [],
    },
    'a read that waits is not woken where it ends without the message': {
      by,
      rules: { channelsWoken: (_id, all) => all(), limitAfterWake: () => 0 },
      passes: false,
      finds: [],
    },
    'a wait is accepted, also one that finds nothing': {
      by,
      rules: { waitMs: () => 0 },
      answer: toWaits(({ body }) =>
        JSON.stringify(body).includes('"messages":[]') ? refusal(400) : undefined,
      ),
      finds: refused,
    },
    'a wait is accepted, also one of anybody but the first': () => {
      let waits = 0;
      return { by, answer: toWaits(() => ((waits += 1) > 1 ? refusal(400) : undefined)), finds: refused };
    },
    'a wait may be told of a conflict with its cursor, however late': {
      by,
      answer: toWaits(async () => {
        await sleep(100);
        return refusal(409);
      }),
      failsNothing: true,
    },
  },
  it.concurrent,
);
