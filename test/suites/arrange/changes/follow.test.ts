import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClauseId } from '../../../../spec/index.ts';
import type { HookName } from '../../../../harness/config/target.ts';
import { contractRules, type Rules } from '../../../../reference/index.ts';
import { jsonAnswer } from '../../../../reference/model/answer.ts';
import { refusal, spoilBody } from '../../../../selftest/mutants/base/spoil-answer.ts';
import { withAround } from '../../../fixtures/hooks.ts';
import { judgeServers, type JudgedServer } from '../../judged-servers.ts';

/** Hears of the first key that comes again. */
function atAKeyThatComesAgain(note: () => void): Pick<Rules, 'onKeyReuse'> {
  return {
    onKeyReuse: (...asked) => {
      note();
      return contractRules.onKeyReuse(...asked);
    },
  };
}

/** So slow that what is gone after the first changes may be gone by retention: a settle time is short here. */
const slowToRename = withAround(['rename'], async ({ kind }, rename) => {
  if (kind === 'agent') await sleep(700);
  return rename();
});

const following: JudgedServer = {
  by: 'mentions.changes-take-nothing-away',
  target: (target) => slowToRename({ ...target, settleMs: 50 }),
  finds: [],
};

/** One whose list of receipts is empty from a change on. */
function emptied(course: string, clause: ClauseId, hook: HookName): JudgedServer {
  let isEmptied = false;
  return {
    by: new RegExp(`^mentions\\.${course}`),
    ...spoilBody('receipts', (body) => (isEmptied ? { ...body, receipts: [] } : body)),
    target: withAround([hook], (_input, change) => {
      isEmptied = true;
      return change();
    }),
    verdicts: { [clause]: 'warned' },
    failsNothing: true,
  };
}

judgeServers({
  'a clause that held after the first changes has not passed where a later one leaves nothing to look at':
    () => {
      let goneMs = 0;
      return {
        ...following,
        rules: {
          ...atAKeyThatComesAgain(() => (goneMs = Date.now())),
          retains:
            () =>
            ({ committedMs }) =>
              committedMs > goneMs,
        },
        verdicts: {
          'states.mentions-do-not-vanish': 'inconclusive',
          'states.messages-do-not-vanish': 'inconclusive',
          // What no retention takes is there after every change.
          'overview.channels.lists-a-known-one': 'passed',
        },
      };
    },
  'nor where nobody may look any more after a later one': () => {
    let isShut = false;
    return {
      ...following,
      rules: atAKeyThatComesAgain(() => (isShut = true)),
      answer: (_answer, { route }) => (isShut && route === 'mentions' ? refusal(403) : undefined),
      verdicts: {
        'states.mentions-do-not-vanish': 'inconclusive',
        'states.messages-do-not-vanish': 'passed',
      },
    };
  },
  'a server that shows where the bytes of a file are, another place each time, lost no bytes': {
    ...following,
    answer: ({ status }, { route }) =>
      route === 'fileContent' && status === 200
        ? jsonAnswer(200, { url: `https://files.example/${randomUUID()}` })
        : undefined,
    verdicts: { 'file.download-is-intact': 'inconclusive', 'file.visible-to-the-workspace': 'passed' },
  },
  'that the list of receipts lacks something after absences breaks what is inferred alone': () =>
    emptied('absences', 'states.messages-outlive-their-author', 'deactivate'),
  'that the list of receipts lacks something after a restart breaks what is inferred alone': () =>
    emptied('restart', 'receipts.survive-a-restart', 'restart'),
});
