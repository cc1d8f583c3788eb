import type { MentionTarget } from '../../spec/generated/types.ts';
import { contractRules } from '../../reference/rules/rules.ts';
import { concurrencyMutants, meeting } from './concurrency-mutant.ts';

/** How long what was committed late stays out of sight, in ms. */
const lateMs = 60;

/** Servers that go wrong where two sends meet. */
export const sendingMutants = concurrencyMutants({
  'two-sends-one-sequence: two sends at once count on from the same number': {
    shows: ['inconsistent-offsets', 'duplicate-sequence'],
    does: meeting((sends) => ({
      nextChannelSequence: (last) => {
        const { hasMet, lastSeen } = sends;
        return sends.numbered((hasMet && lastSeen > 0n ? lastSeen : last) + 1n);
      },
    })),
  },
  'commit-after-a-later-one: of sends at once one gets its number first and shows last': {
    shows: ['late-commit', 'poll-skip'],
    does: meeting((sends) => {
      const late = new Set<string>();
      return {
        nextChannelSequence: (last, _event, _author, channelId) => {
          if (sends.hasMet && last % 2n === 0n) late.add(`${channelId} ${last + 1n}`);
          return sends.numbered(last + 1n);
        },
        commitDelayMs: ({ stream, channelId, sequence }) =>
          stream === 'channel' && late.has(`${channelId} ${sequence}`) ? lateMs : 0,
      };
    }),
  },
  'cursor-runs-ahead-of-commit: the next cursor is the last number given out, be it committed or not': {
    shows: ['late-commit', 'poll-skip'],
    does: meeting((sends) => {
      const late = new Set<string>();
      return {
        nextChannelSequence: (last, _event, _author, channelId) => {
          if (sends.hasMet) late.add(`${channelId} ${last + 1n}`);
          return sends.numbered(last + 1n);
        },
        commitDelayMs: ({ stream, channelId, sequence }) =>
          stream === 'channel' && late.has(`${channelId} ${sequence}`) ? 20 : 0,
        nextAfter: (facts) => {
          const given = contractRules.nextAfter(facts);
          const last = sends.lastOf.get(facts.history) ?? 0n;
          return facts.stream === 'channel' && !facts.isMoreAbove && last > given ? last : given;
        },
      };
    }),
  },
  'second-of-two-is-lost: of two sends at once one is acknowledged and listed nowhere': {
    shows: ['lost-write', 'silent-drop'],
    does: meeting((sends, { nth }) => ({ listsAcceptedSend: () => !(sends.hasMet && nth(4)) })),
  },
  'numbers-in-blocks-of-an-agent: each agent takes its numbers from a block of its own': {
    shows: ['late-insert', 'late-commit', 'poll-skip', 'nonmonotonic-send'],
    does: meeting((sends) => {
      const blocks = new Map<string, { next: bigint; readonly end: bigint }>();
      const tops = new Map<string, bigint>();
      return {
        nextChannelSequence: (last, _event, authorId, channelId) => {
          const name = `${authorId} ${channelId}`;
          const known = blocks.get(name);
          const top = tops.get(channelId) ?? last;
          const from = top > last ? top : last;
          // Whoever is alone takes the next number: a block is for those who meet.
          const block =
            known !== undefined && known.next <= known.end
              ? known
              : { next: from + 1n, end: from + (sends.hasMet ? 4n : 1n) };
          if (block.end > top) tops.set(channelId, block.end);
          blocks.set(name, { ...block, next: block.next + 1n });
          return sends.numbered(block.next);
        },
      };
    }),
  },
  'contents-share-a-buffer: a content is kept in one place until its commit, where the next send puts its own':
    {
      shows: ['content-corruption', 'duplicate', 'lost-write', 'wrong-author', 'wrong-size'],
      does: meeting(() => {
        let buffer = '';
        return {
          pauseBeforeCommitMs: (content) => {
            buffer = content;
            return 6;
          },
          storedContent: () => buffer,
        };
      }),
    },
  'author-of-the-other-send: the author is whoever sent last, not who sent this': {
    shows: ['wrong-author'],
    does: meeting((sends) => {
      let writer = '';
      return {
        idempotencyScope: (use) => {
          writer = use.agentId;
          return sends.rules.idempotencyScope?.(use) ?? '';
        },
        capturedAgentId: ({ id }) => writer || id,
      };
    }),
  },
  'targets-of-the-other-send: of two sends at once one reaches whom the other names': {
    shows: ['wrong-targets'],
    does: meeting((sends) => {
      let last: MentionTarget[] = [];
      return {
        capturedTargets: (targets) => {
          const own = contractRules.capturedTargets(targets);
          const given = sends.hasMet ? last : own;
          last = own;
          return given;
        },
      };
    }),
  },
  'channel-of-the-other-send: of two sends at once to two channels one is listed in the channel of the other':
    {
      shows: ['cross-channel-leak'],
      does: meeting((sends) => ({
        channelsOfMessage: (channelId) => {
          const other = sends.others.find((each) => each.channelId !== channelId);
          return [other?.channelId ?? channelId];
        },
      })),
    },
  'feed-in-the-order-of-arrival: of sends at once one shows in the feeds after a later one': {
    shows: ['late-commit', 'poll-skip', 'mention-lost'],
    does: meeting((sends) => {
      const late = new Set<bigint>();
      return {
        nextEventSequence: (last, workspaceId) => {
          const next = contractRules.nextEventSequence(last, workspaceId);
          if (sends.hasMet && next % 2n === 0n) late.add(next);
          return next;
        },
        commitDelayMs: ({ stream, sequence }) => (stream === 'mentions' && late.has(sequence) ? lateMs : 0),
      };
    }),
  },
  'key-not-held-in-flight: two sends at once under one key are both stored': {
    shows: ['duplicate'],
    does: { pauseBeforeCommitMs: () => 6, onKeyInFlight: () => 'ignore' },
  },
  'key-recorded-late: a key is remembered only some time after its send was acknowledged': {
    shows: ['duplicate', 'conflict-accepted'],
    does: { isKeyRecordAlive: ({ recordedMs }, nowMs) => nowMs - recordedMs > 150 },
  },
  'conflict-stored-all-the-same: what a key conflict refuses is stored where the first send is still fresh': {
    shows: ['conflict-applied', 'aborted-read'],
    does: meeting((sends) => ({ storesConflictingSend: () => sends.others.length > 0 })),
  },
});
