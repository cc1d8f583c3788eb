import type { SeenMessage } from '../../../history/seen-message.ts';
import type { Random } from '../base/random.ts';
import { authorOf } from '../service/directory.ts';
import type { Inside } from '../service/inside.ts';
import type { Question } from '../service/page.ts';
import type { Draft, Rules } from '../service/rules.ts';
import { isChosen, plain, showing } from './mutant.ts';
import type { HistoryMutant } from './mutant.ts';

type Spoil = (message: SeenMessage, draft: Draft, inside: Inside) => SeenMessage;

/** Stores some messages other than they were sent. */
function capturing(share: number, spoil: Spoil): (random: Random) => Partial<Rules> {
  return (random) => ({
    capture: (message, draft, inside) => (random.chance(share) ? spoil(message, draft, inside) : message),
  });
}

type Change = (message: SeenMessage) => SeenMessage;

/** Shows some messages otherwise once they are a while old. */
function changing(change: Change): () => Partial<Rules> {
  return () => {
    const bornMs = new Map<string | undefined, number>();
    return {
      capture: (message, _draft, { clock }) => {
        bornMs.set(message.id, clock.nowMs);
        return message;
      },
      show: (message, _question, { clock }) => {
        const isOld = clock.nowMs > (bornMs.get(message.id) ?? Number.POSITIVE_INFINITY) + 250;
        return isOld && isChosen(message.id, 3) ? change(message) : message;
      },
    };
  };
}

/** Shows some messages otherwise in one call. */
function differingIn(call: Question['call'], change: Change): () => Partial<Rules> {
  return () => ({
    show: (message, question) =>
      question.call === call && isChosen(message.id, 3) ? change(message) : message,
  });
}

const later: Change = (message) => ({ ...message, createdAt: '2031-02-03T04:05:06.789Z' });

const renamed: Change = (message) =>
  message.author === undefined
    ? message
    : { ...message, author: { ...message.author, displayName: 'renamed' } };

/** What of an author a message need not show. */
const unsigned: Change = (message) =>
  message.author === undefined
    ? message
    : { ...message, author: { ...message.author, host: undefined, session: undefined } };

const renamedHuman: Change = (message) => {
  const { author } = message;
  if (author?.human === undefined || author.human === null) return message;
  return { ...message, author: { ...author, human: { ...author.human, displayName: 'renamed' } } };
};

const edited: Change = (message) =>
  message.content === undefined
    ? message
    : { ...message, content: { ...message.content, digest: `edited ${message.id}` } };

const elsewhere = 'dddddddd-0000-4000-8000-000000000001';

/** A message without targets may not stand in a feed, much less twice. */
const twice = ['duplicate-in-page', 'moved', 'late-commit', 'poll-skip', 'newest-page-hole'];

const selection = ['mention-lost', 'unmentioned', 'self-authored'];

/** Messages that are stored, or shown, other than they were sent. */
export const contentMutants: readonly HistoryMutant[] = [
  ...showing('mutated', {
    'the time of creation': {
      clauses: ['message.immutable'],
      consequences: ['feed-channel-disagree'],
      choices: plain,
      rules: changing(later),
    },
    'the size': {
      clauses: ['message.immutable'],
      consequences: ['feed-channel-disagree', 'wrong-size'],
      choices: plain,
      rules: changing((message) => ({ ...message, sizeBytes: 1 })),
    },
    'the name of the author': {
      clauses: ['message.immutable', 'message.author.immutable', 'message.author.captured-at-write'],
      consequences: ['feed-channel-disagree'],
      choices: plain,
      rules: changing(renamed),
    },
    'the name of the human': {
      clauses: [
        'message.immutable',
        'message.author.immutable',
        'message.author.captured-at-write',
        'human-user.display-name.captured-at-write',
      ],
      consequences: ['feed-channel-disagree'],
      choices: plain,
      rules: changing(renamedHuman),
    },
    'the targets': {
      clauses: ['message.immutable', 'message.mentions.never-re-resolved', 'message.mentions.captured'],
      consequences: ['feed-channel-disagree', 'wrong-targets', ...twice, ...selection],
      choices: plain,
      rules: changing((message) => ({ ...message, targets: [] })),
    },
    'the files': {
      clauses: ['message.immutable', 'message.attachments.stable', 'message.attachments.captured'],
      consequences: ['feed-channel-disagree', 'wrong-files'],
      choices: plain,
      rules: changing((message) => ({ ...message, files: [elsewhere] })),
    },
    'the text': {
      clauses: ['message.immutable', 'message.content.unaltered'],
      consequences: ['feed-channel-disagree', 'content-corruption'],
      choices: plain,
      rules: changing(edited),
    },
  }),
  ...showing('content-corruption', {
    'the end is cut off': {
      clauses: ['message.content.unaltered'],
      rules: capturing(0.2, edited),
    },
  }),
  ...showing('wrong-size', {
    'one byte more': {
      clauses: ['message.size-bytes.is-utf8-length'],
      rules: capturing(0.2, (message) => ({ ...message, sizeBytes: Number(message.sizeBytes) + 1 })),
    },
  }),
  ...showing('wrong-content-type', {
    'the default is another': {
      clauses: ['message.content-type.default', 'send.content-type.default'],
      rules: capturing(0.3, (message, { contentType }) =>
        contentType === undefined ? { ...message, contentType: 'text/html' } : message,
      ),
    },
    'the given one is replaced': {
      clauses: ['message.content-type.kept'],
      rules: capturing(1, (message, { contentType }) =>
        contentType === 'text/markdown' ? { ...message, contentType: 'text/plain' } : message,
      ),
    },
  }),
  ...showing('wrong-targets', {
    'one is missing': {
      clauses: ['message.mentions.captured'],
      consequences: selection,
      rules: capturing(0.4, (message) => ({ ...message, targets: message.targets.slice(1) })),
    },
    'one too many': {
      clauses: ['message.mentions.captured'],
      consequences: selection,
      rules: capturing(0.2, (message) => ({
        ...message,
        targets: [...message.targets, `user:${elsewhere}`].toSorted(),
      })),
    },
  }),
  ...showing('wrong-files', {
    'none of them': {
      clauses: ['message.attachments.captured'],
      rules: capturing(0.5, (message) => ({ ...message, files: [] })),
    },
  }),
  ...showing('wrong-session', {
    'that of another message': {
      clauses: ['source-session.valid-is-accepted'],
      rules: capturing(0.5, (message) =>
        message.author?.session === undefined
          ? message
          : { ...message, author: { ...message.author, session: '[["provider","provider_a"]]' } },
      ),
    },
  }),
  ...showing('wrong-host', {
    'in capitals': {
      clauses: ['author.agent-host.captured-at-write'],
      rules: capturing(0.5, (message) =>
        message.author?.host === undefined
          ? message
          : { ...message, author: { ...message.author, host: message.author.host.toUpperCase() } },
      ),
    },
  }),
  ...showing('wrong-author', {
    'another agent': {
      clauses: ['author.is-the-agent'],
      consequences: [...selection, 'receipt-author', 'feed-channel-disagree'],
      rules: capturing(0.15, (message, { host, session }, { agents }) => {
        const other = agents.find(({ id }) => id !== message.author?.id);
        return other === undefined ? message : { ...message, author: authorOf(other, host, session) };
      }),
    },
  }),
  ...showing('foreign-workspace', {
    'the id of another': {
      clauses: ['message.workspace-id.is-its-workspace', 'mentions.own-workspace-only'],
      rules: capturing(0.1, (message) => ({ ...message, workspace: elsewhere })),
    },
  }),
  ...showing('left-out', {
    'targets and files in a feed': {
      clauses: ['message.optional-fields-in-every-view'],
      rules: differingIn('mentions', (message) => ({ ...message, targets: [], files: [], leftOut: 'both' })),
    },
    'host and session in a feed': {
      clauses: ['message.optional-fields-in-every-view'],
      rules: differingIn('mentions', unsigned),
    },
  }),
  ...showing('feed-channel-disagree', {
    'the time of creation': {
      clauses: ['mentions.feed-agrees-with-channel', 'mention.message.is-the-mentioned-one'],
      consequences: ['mutated'],
      rules: differingIn('mentions', later),
    },
    'the name of the author': {
      clauses: ['mentions.feed-agrees-with-channel', 'mention.message.is-the-mentioned-one'],
      consequences: ['mutated'],
      rules: differingIn('mentions', renamed),
    },
  }),
];
