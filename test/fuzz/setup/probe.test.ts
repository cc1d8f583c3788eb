import { describe, it } from 'vitest';
import type { FuzzOutcome } from '../../../fuzz/campaign/run-fuzz.ts';
import type { FamilyName } from '../../../fuzz/cases/family.ts';
import type { AnswerHook } from '../../../reference/index.ts';
import { json, type Asked } from '../../fixtures/front.ts';
import { alone, foundBy, fuzzed, fuzzedBehind, summaryOf } from '../campaigns.ts';

/** A campaign at a server that does nothing but refuse the requests of a call. */
function refusing(
  call: 'mentions' | 'send',
  status: number,
  only: readonly FamilyName[],
): Promise<FuzzOutcome> {
  const refusal = json(`${status} Refused`, '{"error":{"code":"refused","message":"not here"}}');
  return fuzzedBehind(
    { instead: (asked) => (asked.call === call && isGood(asked) ? refusal : undefined) },
    { only, maxCases: 40 },
  );
}

/** Whether a request is refused for no other reason. */
function isGood({ request: { headers } }: Asked): boolean {
  return headers.authorization !== undefined;
}

describe.concurrent('a baseline request that is refused', () => {
  it.for([
    ['mentions', 402, ['mentions', 'read']],
    ['mentions', 423, ['authentication', 'read']],
    ['send', 402, ['send', 'mentions']],
    ['send', 403, ['wire', 'mentions']],
    ['send', 409, ['source-session', 'mentions']],
  ] as const)(
    'is no finding where it may be, and then nothing is proved: %s %d',
    async ([route, status, [family, other]], { expect }) => {
      const outcome = await refusing(route, status, [family, other]);
      expect(foundBy(outcome)).toEqual([]);
      expect(outcome.result?.end).toBe('complete');
      expect(outcome.footer.exitCode).toBe(3);
      expect(summaryOf(outcome)).toContain(
        `nothing could be tried of ${family}: its baseline request is not`,
      );
      // What nobody asked for keeps nothing from being proved.
      expect((await refusing(route, status, [other])).footer.exitCode).toBe(0);
    },
  );

  it.for([
    [400, 'mentions.after.optional failed'],
    [422, 'mentions.after.optional failed'],
    [404, 'mentions.error-statuses failed'],
    [405, 'mentions.error-statuses failed'],
  ] as const)(
    'is a finding where no listing of mentions is answered but with %d',
    async ([status, found], { expect }) => {
      const outcome = await refusing('mentions', status, ['mentions', 'read']);
      expect(foundBy(outcome)).toContain(found);
      expect(outcome.footer.exitCode).toBe(1);
    },
  );
});

it('what a message carries is said to be skipped where none shows it', async ({ expect }) => {
  const { leftOut } = await fuzzed(
    {},
    {
      only: ['overview'],
      maxCases: 4,
      target: (target) => ({
        ...alone(target),
        bindings: { ...target.bindings, agentHost: 'no_host', mentions: 'nobody' },
      }),
    },
  );
  expect(leftOut).toEqual({
    'agent host': expect.stringContaining('said in its field no_host (bindings.agent_host)'),
    'mentions of a send': expect.stringContaining('said in its field nobody (bindings.mentions)'),
  });
});

/** A server that keeps no host, and whose agents all have this name. */
function allCalled(name: string): AnswerHook {
  return (given, { route }) => {
    if (route !== 'read' && route !== 'mentions') return undefined;
    const named = JSON.stringify(given.body)
      .replaceAll(/"display_name":"[^"]*"/g, `"display_name":"${name}"`)
      .replaceAll(/"agent_host":"[^"]*"/g, '"agent_host":null');
    return { ...given, body: JSON.parse(named) as object };
  };
}

it('an agent that is called like a host that others send has no host for that', async ({ expect }) => {
  const { leftOut } = await fuzzed({}, { only: ['overview'], maxCases: 4 }, { answer: allCalled('fuzzer') });
  expect(leftOut).toEqual({ 'agent host': expect.stringContaining('said in its field agent_host') });
});
