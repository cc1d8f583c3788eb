import { describe, expect, it } from 'vitest';
import { replay } from '../../../cli/stress/replay.ts';
import type { StressCommandOptions } from '../../../cli/stress/stress-options.ts';
import { targetOfReference } from '../../../embedded/reference-hooks.ts';
import { shapeFor } from '../../../fuzz/stress/run/run-stress.ts';
import { drawPlan } from '../../../fuzz/stress/scene/draw-plan.ts';
import { openStage } from '../../../fuzz/stress/scene/stage.ts';
import type { KeptFailure } from '../../../fuzz/stress/shrink/kept-file.ts';
import { Scoring } from '../../../harness/gate/scoring.ts';
import { type AnswerHook, startReference } from '../../../reference/index.ts';
import type { Rules } from '../../../reference/rules/rules.ts';

const always = { times: 20, of: 20 };

/** What the replay of a short plan comes to, and the last line that it says. */
async function replayed(
  kept: Pick<KeptFailure, 'repeats'> & { readonly channels?: number },
  rules: Partial<Rules> = {},
  answer?: AnswerHook,
): Promise<{ readonly code: number; readonly said: string }> {
  await using reference = await startReference({ rules, ...(answer && { answer }) });
  const { signal } = new AbortController();
  const stage = await openStage(targetOfReference(reference), { env: {}, signal });
  if ('why' in stage) throw new Error(stage.why);
  const plan = drawPlan({ ...shapeFor(stage, 3), rounds: 1, hasLargest: false }, 6, 0);
  const { channels = plan.channels, repeats } = kept;
  const failure: KeptFailure = {
    stress: 1,
    name: 'late-commit',
    verdict: 'failed',
    clauses: [],
    expected: '',
    actual: '',
    seed: 1,
    clients: 3,
    repeats,
    plan: { ...plan, channels },
    schedule: [],
  };
  const lines: string[] = [];
  const code = await replay(stage, failure, {
    options: { times: 1 } as StressCommandOptions,
    scoring: new Scoring({}, { isStrict: false }),
    say: () => undefined,
    conclude: (line) => lines.push(line),
  });
  return { code, said: lines.at(-1) ?? '' };
}

describe('a replay of a kept plan', () => {
  it.each([
    ['that showed every time and does not now passes', always, {}, 0, 'late-commit: 0 of 1 times'],
    ['that came and went does not', { times: 1, of: 50 }, {}, 3, 'does not show it gone'],
    ['that never showed again does not', { times: 0, of: 20 }, {}, 3, 'does not show it gone'],
    ['fails for whatever else must not be', always, { listsAcceptedSend: () => false }, 1, 'silent-drop'],
  ] as const)('%s', async (_, repeats, rules, code, says) => {
    const { said, ...came } = await replayed({ repeats }, rules);
    expect(came).toEqual({ code });
    expect(said).toContain(says);
  });

  it('fails for the form of answers too, which no history shows', async () => {
    const { said, code } = await replayed({ repeats: always }, {}, (answer, { route }) =>
      route === 'mentions' ? { ...answer, headers: {} } : undefined,
    );
    expect(said).toBe('also shown: mentions.agent-id-header.present');
    expect(code).toBe(1);
  });

  it('says what the target lacks of what the plan needs', async () => {
    const { code, said } = await replayed({ repeats: always, channels: 9 });
    expect(said).toContain('the plan is of 9 channels and');
    expect(code).toBe(3);
  });
});
