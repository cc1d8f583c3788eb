import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Check } from '../../../../harness/check/check.ts';
import type { Target } from '../../../../harness/config/target.ts';
import { contractRules } from '../../../../reference/index.ts';
import { jsonAnswer } from '../../../../reference/model/answer.ts';
import { refusal, spoilBody } from '../../../../selftest/mutants/base/spoil-answer.ts';
import { allChecks } from '../../../../suites/index.ts';
import { withAround } from '../../../fixtures/hooks.ts';
import { type ReferenceOptions, runAgainst } from '../../run-suite.ts';

const course = allChecks.filter(({ id }) => id === 'mentions.changes-take-nothing-away');

/** A server that goes on as it should until a key comes again, and then shows nothing of what was sent before. */
function emptiedByAKeyThatComesAgain() {
  let goneMs = 0;
  return {
    ...contractRules,
    onKeyReuse: (...asked: Parameters<typeof contractRules.onKeyReuse>) => {
      goneMs = Date.now();
      return contractRules.onKeyReuse(...asked);
    },
    retains:
      () =>
      ({ committedMs }: { readonly committedMs: number }) =>
        committedMs > goneMs,
  };
}

/** So slow that what is gone after the first changes may be gone by retention: a settle time is short here. */
const slowToRename = withAround(['rename'], async ({ kind }, rename) => {
  if (kind === 'agent') await sleep(700);
  return rename();
});

function verdictsOn(options: ReferenceOptions): Promise<ReadonlyMap<string, string>> {
  return verdictsOf(course, options, (target) => slowToRename({ ...target, settleMs: 50 }));
}

async function verdictsOf(
  those: readonly Check[],
  options: ReferenceOptions,
  target = (each: Target): Target => each,
): Promise<ReadonlyMap<string, string>> {
  const { checks } = await runAgainst(those, options, { target });
  return new Map(
    checks.flatMap(({ check, clauses }) =>
      check === those[0]?.id ? clauses.map(({ clause, verdict }) => [clause, verdict] as const) : [],
    ),
  );
}

it('a clause that held after the first changes has not passed where a later one leaves nothing to look at', async () => {
  const verdicts = await verdictsOn({ rules: emptiedByAKeyThatComesAgain() });
  expect(verdicts.get('states.mentions-do-not-vanish')).toBe('inconclusive');
  expect(verdicts.get('states.messages-do-not-vanish')).toBe('inconclusive');
  // What no retention takes is there after every change.
  expect(verdicts.get('overview.channels.lists-a-known-one')).toBe('passed');
});

it('nor where nobody may look any more after a later one', async () => {
  let isShut = false;
  const verdicts = await verdictsOn({
    rules: {
      ...contractRules,
      onKeyReuse: (...asked) => {
        isShut = true;
        return contractRules.onKeyReuse(...asked);
      },
    },
    answer: (_answer, { route }) => (isShut && route === 'mentions' ? refusal(403) : undefined),
  });
  expect(verdicts.get('states.mentions-do-not-vanish')).toBe('inconclusive');
  expect(verdicts.get('states.messages-do-not-vanish')).toBe('passed');
});

it('a server that shows where the bytes of a file are, another place each time, lost no bytes', async () => {
  const verdicts = await verdictsOn({
    answer: ({ status }, { route }) =>
      route === 'fileContent' && status === 200
        ? jsonAnswer(200, { url: `https://files.example/${randomUUID()}` })
        : undefined,
  });
  expect(verdicts.get('file.download-is-intact')).toBe('inconclusive');
  expect(verdicts.get('file.visible-to-the-workspace')).toBe('passed');
});

it.each([
  ['absences', 'states.messages-outlive-their-author', ['deactivate']],
  ['restart', 'receipts.survive-a-restart', ['restart']],
] as const)(
  'that the list of receipts lacks something after %s breaks what is inferred alone',
  async (name, clause, hooks) => {
    let isEmptied = false;
    const emptied = spoilBody('receipts', (body) => (isEmptied ? { ...body, receipts: [] } : body));
    const those = allChecks.filter(({ id }) => id.startsWith(`mentions.${name}`));
    const emptying = withAround(hooks, (_input, change) => {
      isEmptied = true;
      return change();
    });
    const verdicts = await verdictsOf(those, emptied, emptying);
    expect(verdicts.get(clause)).toBe('warned');
    expect([...verdicts].filter(([, verdict]) => verdict === 'failed')).toEqual([]);
  },
);
