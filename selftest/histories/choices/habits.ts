import type { Answer, AnsweredRequest } from '../../../reference/model/answer.ts';
import type { Sources } from '../../../reference/model/sources.ts';
import { contractRules, type Rules } from '../../../reference/rules/rules.ts';
import type { Overlay } from '../../mutants/index.ts';
import type { Random } from '../base/random.ts';
import type { Choices } from './choices.ts';
import { Shelf } from './shelf.ts';

/** What the rules of one service are made with. */
interface Parts {
  readonly choices: Choices;
  readonly random: Random;
  readonly sources: Pick<Sources, 'now'>;
}

/** What lies over the reference so that it does as was chosen. */
export function habitsOf(parts: Parts): Overlay {
  const { choices, random } = parts;
  const shelf = new Shelf(parts);
  return {
    rules: {
      ...numbers(parts),
      ...shelf.rules,
      ...pages(parts),
      ...cursors(choices, shelf),
      ...sends(parts),
      ...waits(parts),
      ...shown(parts),
      acceptsTarget: () => true,
      secondsToWait: () => (random.chance(choices.limitedShare) ? 1 : null),
    },
    settings: { historyBytes: choices.page.byteCap },
    answer: (answer, request) => withoutMessage(choices, answer, request),
  };
}

/** Which numbers messages and events get. */
function numbers({ choices, random }: Parts): Partial<Rules> {
  const { counters, starts, gap, events, restartBurns } = choices;
  const skipped = (most: number): bigint => BigInt(most === 0 ? 0 : random.integer(0, most));
  const own = new Map<string, bigint>();
  let [targets, burned, common] = [0, 0n, (starts[0] ?? 1n) - 1n];
  const isEvent = counters === 'event';
  const next = (last: bigint): bigint => last + 1n + skipped(gap);
  const nextOf = (channelId: string, last: bigint | undefined, event: bigint): bigint => {
    if (isEvent) return event;
    if (counters === 'workspace') return (common = next(common + burned - (own.get('') ?? 0n)));
    const start = starts[own.size % starts.length] ?? 1n;
    if (!own.has(channelId)) own.set(channelId, burned);
    const jump = burned - (own.get(channelId) ?? 0n);
    own.set(channelId, burned);
    return next((last ?? start - 1n) + jump);
  };
  return {
    firstChannelSequence: (channelId, event) => nextOf(channelId, undefined, event),
    nextChannelSequence: (last, event, _authorId, channelId) => nextOf(channelId, last, event),
    capturedTargets: (given) => {
      const captured = contractRules.capturedTargets(given);
      targets = captured.length;
      return captured;
    },
    firstEventSequence: () => events.start,
    nextEventSequence: (last) => {
      if (targets === 0 && !events.countAll && !isEvent) return last;
      return last + 1n + skipped(events.gap);
    },
    // Of several events of one message the first readers see is the first.
    mentionSequences: (event, given) =>
      given.map((_target, index) => (events.entryPerTarget && !isEvent ? event + BigInt(index) : event)),
    lostAtRestart: () => {
      burned += BigInt(restartBurns);
      return 0;
    },
  };
}

/** What a page holds, and what it says of itself. */
function pages({ choices: { page }, sources }: Parts): Partial<Rules> {
  const kept = new Map<string, { readonly atMs: number; readonly value: bigint }>();
  return {
    scanEnd: ({ after, streamEnd }) => {
      const rest = streamEnd - after;
      if (page.scan > 100 || rest <= page.scan) return streamEnd;
      // Most of a long way, so that huge gaps are crossed in a bearable number of steps.
      const part = rest > 100_000n ? rest - rest / 1_000n : rest / 3n;
      return after + (part > page.scan ? part : BigInt(page.scan));
    },
    keepsOlderEndOfNewest: () => page.newestKeeps === 'older',
    defaultLimit: (route) => (route === 'read' ? page.defaultOfChannel : 50),
    nextAfter: ({ entries, after, isMoreAbove, isCutByBytes, limit, scannedTo, streamEnd }) => {
      const last = entries.at(-1)?.sequence;
      const isFull = isCutByBytes || entries.length === limit;
      const cursor = after ?? 0n;
      if (cursor > streamEnd) return page.beyond === 'clamped' ? streamEnd : cursor;
      if (last === undefined) {
        const echoed = after === undefined && page.next !== 'last-item' ? streamEnd : cursor;
        return scannedTo < streamEnd ? scannedTo : page.nextOfEmpty === 'echo' ? echoed : streamEnd;
      }
      if (page.next === 'last-item' || (isMoreAbove && (isFull || after === undefined))) return last;
      return scannedTo;
    },
    hasMore: ({ entries, after, limit, isMoreAbove, isMoreBelow, stream }) => {
      const isNewest = after === undefined && (stream === 'mentions' || page.omittedOnChannel === 'newest');
      if (isNewest) return isMoreAbove || (page.moreOnNewest && isMoreBelow);
      return isMoreAbove || (page.moreWhenFull && entries.length === limit);
    },
    highWatermark: ({ history, streamEnd, lastListed, lastEvent }) => {
      if (page.watermark === 'matches') return lastListed();
      if (page.watermark === 'workspace') return lastEvent();
      if (page.watermark === 'ahead') return 2n ** 62n;
      if (page.watermark === 'stream') return streamEnd;
      const known = kept.get(history);
      if (known !== undefined && known.atMs > sources.now() - 300) return known.value;
      kept.set(history, { atMs: sources.now(), value: streamEnd });
      return streamEnd;
    },
  };
}

/** Which cursors are taken. */
function cursors({ page }: Choices, shelf: Shelf): Partial<Rules> {
  return {
    requiresAfter: (route) => route === 'read' && page.omittedOnChannel === 'refused',
    readsNewestWhenOmitted: (stream) => stream === 'mentions' || page.omittedOnChannel !== 'oldest',
    conflictsWithWatermark: ({ after, streamEnd, oldest }) =>
      after > 0n &&
      ((page.beyond === 'conflict' && after > streamEnd) ||
        (page.belowRetained === 'conflict' && shelf.hasGoneBetween(after, oldest()))),
  };
}

/** How a send is answered, and what its key does. */
function sends({ choices: { sends: chosen }, random }: Parts): Partial<Rules> {
  let use = '';
  return {
    pauseBeforeCommitMs: () => random.between(0, 12),
    onKeyInFlight: () => chosen.inFlight,
    statusOfSend: (isReplay) => (isReplay ? chosen.replayStatus : chosen.status),
    statusOfRefusal: (kind, route) =>
      kind === 'conflict' && route === 'send'
        ? chosen.conflictStatus
        : contractRules.statusOfRefusal(kind, route),
    requiresIdempotencyKey: () => chosen.keyIsRequired,
    idempotencyScope: ({ agentId, channelId }) => {
      use = `${agentId} ${channelId}`;
      return { agent: agentId, channel: channelId, workspace: '' }[chosen.keyScope];
    },
    // One key for another agent's, or another channel's, send is another use of it.
    fingerprint: (body) =>
      `${use} ${contractRules.fingerprint(chosen.defaultTypeIsSame ? { content_type: 'text/plain', ...body } : body)}`,
  };
}

/** How a read waits. */
function waits({ choices: { wait, replicaLagMs }, random }: Parts): Partial<Rules> {
  return {
    readWait: (text, maxSeconds) =>
      contractRules.readWait(text, wait.mode === 'refused-above' ? 10 : maxSeconds),
    waitMs: (seconds) => {
      const askedMs = wait.mode === 'ignored' ? 0 : Math.min(seconds * 1_000, wait.capMs);
      return wait.mode === 'early' ? random.between(0, askedMs) : askedMs;
    },
    wakeAfterMs: (hiddenMs) => Math.max(hiddenMs, replicaLagMs) + random.between(1, 15),
    limitAfterWake: (limit) => (wait.oneItem && random.chance(0.5) ? 1 : limit),
    channelsWoken: (channelId, all) => (wait.wakesEmpty && random.chance(0.2) ? all() : [channelId]),
    returnsEmptyAfterWake: () => wait.wakesEmpty,
  };
}

/** What of a message is captured, and how it is shown. */
function shown({ choices, random, sources }: Parts): Partial<Rules> {
  const firstMs = sources.now();
  let humanOfAuthor: string | undefined;
  return {
    createdAtMs: (nowMs) =>
      ({ clock: nowMs, equal: firstMs, decreasing: 2 * firstMs - nowMs })[choices.createdAt],
    presentMention: (mention) =>
      choices.feedPrecision === 'same'
        ? mention
        : {
            ...mention,
            message: {
              ...mention.message,
              created_at: mention.message.created_at.replace('Z', '000+00:00'),
            },
          },
    capturedHuman: (human) => {
      humanOfAuthor = human?.id;
      return contractRules.capturedHuman(human);
    },
    mentionedBy: (targets) =>
      targets.filter(({ kind, id }) => choices.listsSameHuman || kind !== 'user' || id !== humanOfAuthor),
    presentReceipts: (agentIds, isMore) =>
      choices.receipts === 'absent' ? undefined : contractRules.presentReceipts(agentIds, isMore),
    isPreviewed: (receipt, authorId) => {
      const lateMs = { absent: 0, fresh: 0, late: 120, replica: random.between(0, 120) }[choices.receipts];
      return contractRules.isPreviewed(receipt, authorId) && receipt.recordedMs <= sources.now() - lateMs;
    },
  };
}

function withoutMessage({ sends: chosen }: Choices, answer: Answer, { route }: AnsweredRequest): Answer {
  const isShown = route !== 'send' || answer.status >= 300 || chosen.showsMessage;
  return isShown && answer.status !== 204 ? answer : { status: answer.status, headers: answer.headers };
}
