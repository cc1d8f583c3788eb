import type { Choices } from '../choices/choices.ts';
import { plain, showing } from './mutant.ts';
import type { HistoryMutant } from './mutant.ts';

function usualKeys(drawn: Choices): Choices {
  const usual = plain(drawn);
  return {
    ...usual,
    sends: { ...usual.sends, keyScope: 'agent', keyIsRequired: true, conflictStatus: 409 },
  };
}

/** Sends that are stored although refused, more than once, or not at all. */
export const sendMutants: readonly HistoryMutant[] = [
  ...showing('aborted-read', {
    'a refused message is stored': {
      clauses: ['send.refused-stores-nothing'],
      choices: usualKeys,
      rules: () => ({ storesRefused: (_draft, why) => why === 'bad' }),
    },
  }),
  ...showing('server-error', {
    'one request in thirty, whatever it asks': {
      clauses: ['mentions.error-statuses', 'service.served-requests-stay-served'],
      choices: plain,
      rules: (random) => ({ breaksDown: () => random.chance(1 / 30) }),
    },
  }),
  ...showing('unexpected', {
    'a message that nobody sent': {
      clauses: ['channel-read.nothing-unsent'],
      choices: usualKeys,
      rules: (random) => {
        let stored = 0;
        return {
          copies: () => {
            stored = 0;
            return random.chance(0.1) ? 2 : 1;
          },
          capture: (message, _draft, { runId }) => {
            stored += 1;
            if (stored === 1) return message;
            const marker = `${runId}-9${Number.parseInt(message.id?.slice(-6) ?? '', 16)}.`;
            const content = { digest: `unsent ${message.id}`, bytes: 30, marker };
            return { ...message, content, sizeBytes: 30 };
          },
        };
      },
    },
  }),
  ...showing('duplicate', {
    'a repeated key stores again': {
      clauses: ['send.retry-stores-once'],
      consequences: ['nonmonotonic-send'],
      choices: usualKeys,
      rules: () => ({ onRepeat: () => 'store' }),
    },
    'one send is stored twice': {
      clauses: ['send.stored-once', 'send.retry-stores-once'],
      choices: usualKeys,
      rules: (random) => ({ copies: () => (random.chance(0.15) ? 2 : 1) }),
    },
  }),
  ...showing('conflict-accepted', {
    'and stored': {
      clauses: ['send.conflict-is-refused'],
      consequences: ['conflict-concurrent-double', 'duplicate'],
      choices: usualKeys,
      rules: () => ({ onConflict: () => 'store' }),
    },
    'and forgotten': {
      clauses: ['send.conflict-is-refused'],
      consequences: ['lost-write', 'silent-drop', 'read-your-writes', 'mention-lost', 'lost-across-restart'],
      choices: usualKeys,
      rules: () => ({ onConflict: () => 'replay' }),
    },
  }),
  ...showing('conflict-applied', {
    'the refused text is read': {
      clauses: ['send.conflict-stores-nothing'],
      consequences: ['aborted-read', 'conflict-concurrent-double', 'duplicate'],
      choices: usualKeys,
      rules: () => ({ storesRefused: (_draft, why) => why === 'conflict' }),
    },
  }),
  ...showing('replay-conflict', {
    'every repeated key is a conflict': {
      clauses: ['send.equal-replay-is-no-conflict'],
      choices: usualKeys,
      rules: () => ({ onRepeat: () => 'conflict' }),
    },
  }),
  ...showing('conflict-concurrent-double', {
    'both are stored': {
      clauses: ['send.concurrent-conflict-stores-one'],
      consequences: ['duplicate', 'conflict-accepted'],
      choices: usualKeys,
      rules: () => ({ seesInFlight: () => false }),
    },
  }),
];
