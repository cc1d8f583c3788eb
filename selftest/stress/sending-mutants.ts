import type { MentionTarget } from '../../spec/generated/types.ts';
import type { Entry } from '../../reference/model/page-facts.ts';
import { contractRules } from '../../reference/rules/rules.ts';
import { concurrencyMutants } from './concurrency-mutant.ts';
import { SendsInHand } from './sends-in-hand.ts';

/** How long what was committed late stays out of sight, in ms. */
const lateMs = 60;

/** Servers that go wrong where two sends meet. */
export const sendingMutants = concurrencyMutants({
  'two-sends-one-sequence': {
    what: 'two sends at once count on from the same number',
    shows: ['inconsistent-offsets', 'duplicate-sequence'],
    make: () => {
      const sends = new SendsInHand();
      const next = (last: bigint): bigint => {
        const { current } = sends;
        return sends.numbered(
          current?.hasCompany === true && current.lastSeen > 0n ? current.lastSeen + 1n : last + 1n,
        );
      };
      return sends.overlay({ rules: { nextChannelSequence: next } });
    },
  },
  'commit-after-a-later-one': {
    what: 'of sends at once one gets its number first and shows last',
    shows: ['late-commit', 'poll-skip'],
    make: () => {
      const sends = new SendsInHand();
      const late = new Set<string>();
      const next = (last: bigint): bigint => {
        if (sends.current?.hasCompany === true && last % 2n === 0n)
          late.add(`${sends.current.channelId} ${last + 1n}`);
        return sends.numbered(last + 1n);
      };
      const commitDelayMs = ({ stream, channelId, sequence }: Entry): number =>
        stream === 'channel' && late.has(`${channelId} ${sequence}`) ? lateMs : 0;
      return sends.overlay({ rules: { nextChannelSequence: next, commitDelayMs } });
    },
  },
  'cursor-runs-ahead-of-commit': {
    what: 'the next cursor is the last number given out, be it committed or not',
    shows: ['late-commit', 'poll-skip'],
    make: () => {
      const sends = new SendsInHand();
      const late = new Set<string>();
      const next = (last: bigint): bigint => {
        if (sends.current?.hasCompany === true) late.add(`${sends.current.channelId} ${last + 1n}`);
        return sends.numbered(last + 1n);
      };
      return sends.overlay({
        rules: {
          nextChannelSequence: next,
          commitDelayMs: ({ stream, channelId, sequence }) =>
            stream === 'channel' && late.has(`${channelId} ${sequence}`) ? 20 : 0,
          nextAfter: (facts) => {
            const given = contractRules.nextAfter(facts);
            const last = sends.lastOf.get(facts.history) ?? 0n;
            return facts.stream === 'channel' && !facts.isMoreAbove && last > given ? last : given;
          },
        },
      });
    },
  },
  'second-of-two-is-lost': {
    what: 'of two sends at once one is acknowledged and listed nowhere',
    shows: ['lost-write', 'silent-drop'],
    make: () => {
      const sends = new SendsInHand();
      let met = 0;
      return sends.overlay({
        rules: {
          listsAcceptedSend: () => {
            if (sends.current?.hasCompany === true) met += 1;
            return sends.current?.hasCompany !== true || met % 4 !== 0;
          },
        },
      });
    },
  },
  'numbers-in-blocks-of-an-agent': {
    what: 'each agent takes its numbers from a block of its own',
    shows: ['late-insert', 'late-commit', 'poll-skip', 'nonmonotonic-send'],
    make: () => {
      const blocks = new Map<string, { next: bigint; readonly end: bigint }>();
      const tops = new Map<string, bigint>();
      const sends = new SendsInHand();
      const next = (last: bigint, _event: bigint, authorId: string): bigint => {
        const channel = sends.current?.channelId ?? '';
        const name = `${authorId} ${channel}`;
        const known = blocks.get(name);
        const top = tops.get(channel) ?? last;
        // Whoever is alone takes the next number: a block is for those who meet.
        const size = sends.current?.hasCompany === true ? 4n : 1n;
        const block =
          known !== undefined && known.next <= known.end
            ? known
            : { next: (top > last ? top : last) + 1n, end: (top > last ? top : last) + size };
        if (block.end > top) tops.set(channel, block.end);
        blocks.set(name, { ...block, next: block.next + 1n });
        return sends.numbered(block.next);
      };
      return sends.overlay({ rules: { nextChannelSequence: next } });
    },
  },
  'contents-share-a-buffer': {
    what: 'a content is kept in one place until its commit, where the next send puts its own',
    shows: ['content-corruption', 'duplicate', 'lost-write', 'wrong-author', 'wrong-size'],
    make: () => {
      const sends = new SendsInHand();
      let buffer = '';
      return sends.overlay({
        rules: {
          pauseBeforeCommitMs: (content) => {
            buffer = content;
            return 6;
          },
          storedContent: () => buffer,
        },
      });
    },
  },
  'author-of-the-other-send': {
    what: 'the author is whoever sent last, not who sent this',
    shows: ['wrong-author'],
    make: () => {
      const sends = new SendsInHand();
      let writer = '';
      return sends.overlay({
        rules: {
          idempotencyScope: (use) => {
            writer = use.agentId;
            return sends.rules.idempotencyScope?.(use) ?? '';
          },
          capturedAgentId: ({ id }) => (writer === '' ? id : writer),
        },
      });
    },
  },
  'targets-of-the-other-send': {
    what: 'of two sends at once one reaches whom the other names',
    shows: ['wrong-targets'],
    make: () => {
      const sends = new SendsInHand();
      let last: MentionTarget[] = [];
      return sends.overlay({
        rules: {
          capturedTargets: (targets) => {
            const own = contractRules.capturedTargets(targets);
            const given = sends.current?.hasCompany === true ? last : own;
            last = own;
            return given;
          },
        },
      });
    },
  },
  'channel-of-the-other-send': {
    what: 'of two sends at once to two channels one is listed in the channel of the other',
    shows: ['cross-channel-leak'],
    make: () => {
      const sends = new SendsInHand();
      return sends.overlay({
        rules: {
          channelsOfMessage: (channelId) => {
            const other = sends.others.find((each) => each.channelId !== channelId);
            return [other?.channelId ?? channelId];
          },
        },
      });
    },
  },
  'feed-in-the-order-of-arrival': {
    what: 'of sends at once one shows in the feeds after a later one',
    shows: ['late-commit', 'poll-skip', 'mention-lost'],
    make: () => {
      const sends = new SendsInHand();
      const late = new Set<bigint>();
      return sends.overlay({
        rules: {
          nextEventSequence: (last, workspaceId) => {
            const next = contractRules.nextEventSequence(last, workspaceId);
            if (sends.current?.hasCompany === true && next % 2n === 0n) late.add(next);
            return next;
          },
          commitDelayMs: ({ stream, sequence }) => (stream === 'mentions' && late.has(sequence) ? lateMs : 0),
        },
      });
    },
  },
  'key-not-held-in-flight': {
    what: 'two sends at once under one key are both stored',
    shows: ['duplicate'],
    make: () => ({ rules: { pauseBeforeCommitMs: () => 6, onKeyInFlight: () => 'ignore' } }),
  },
  'key-recorded-late': {
    what: 'a key is remembered only some time after its send was acknowledged',
    shows: ['duplicate', 'conflict-accepted'],
    make: () => ({ rules: { isKeyRecordAlive: ({ recordedMs }, nowMs) => nowMs - recordedMs > 150 } }),
  },
  'conflict-stored-all-the-same': {
    what: 'what a key conflict refuses is stored where the first send is still fresh',
    shows: ['conflict-applied', 'aborted-read'],
    make: () => {
      const sends = new SendsInHand();
      return sends.overlay({ rules: { storesConflictingSend: () => sends.others.length > 0 } });
    },
  },
});
