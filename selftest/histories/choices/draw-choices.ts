import type { ClauseId } from '../../../spec/index.ts';
import { leastKeptMs } from '../../../history/world/walks.ts';
import type { Random } from '../base/random.ts';
import type { Choices, Retention } from './choices.ts';

/** What one service does: every choice by itself, about half of them the usual one. */
export function drawChoices(random: Random): Choices {
  const draw = drawFrom(random);
  const settleMs = random.pick([400, 600, 1_000]);
  const made: Omit<Choices, 'mayWarn'> = {
    settleMs,
    tickMs: random.pick([0, 0, 1, 5]),
    gap: draw(0, [1, 3, 10]),
    starts: draw(
      [1n, 1n],
      [
        [500n, 3n],
        [1n, 2n ** 60n],
        [2n ** 53n - 6n, 40n],
      ],
    ),
    counters: draw('own', ['workspace', 'event']),
    events: drawEvents(random),
    appendLagMs: draw(0, [20, 80]),
    replicaLagMs: draw(0, [30, 110]),
    feedLagMs: draw(0, [30, 80]),
    trimLagMs: draw(0, [30, 100]),
    retention: drawRetention(random, settleMs),
    feedRetention: random.chance(0.5) ? 'with-channel' : drawRetention(random, settleMs),
    page: drawPage(random),
    sends: {
      status: draw(201, [200, 202, 204]),
      replayStatus: draw(201, [200, 204]),
      showsMessage: random.chance(0.3),
      keyScope: draw('agent', ['channel', 'workspace']),
      inFlight: random.pick(['conflict', 'wait']),
      conflictStatus: draw(409, [422]),
      defaultTypeIsSame: random.chance(0.5),
      keyIsRequired: random.chance(0.5),
    },
    wait: {
      mode: draw('served', ['ignored', 'refused-above', 'early']),
      capMs: random.pick([200, 500, 2_000]),
      oneItem: random.chance(0.3),
      wakesEmpty: random.chance(0.3),
    },
    receipts: random.pick(['absent', 'fresh', 'late', 'replica']),
    createdAt: draw('clock', ['equal', 'decreasing']),
    feedPrecision: draw('same', ['micros-with-offset']),
    listsSameHuman: random.chance(0.7),
    lossShare: random.pick([0, 0.06, 0.1]),
    limitedShare: draw(0, [0.02, 0.05]),
    troubleShare: draw(0, [0.02, 0.05]),
    foreignEveryMs: draw(undefined, [40, 150]),
    ghosts: random.integer(0, 4),
    restartBurns: draw(0, [1_000]),
  };
  const chosen = random.chance(0.3) ? unsurprising(made) : made;
  return { ...chosen, mayWarn: warningsOf(chosen) };
}

type Draw = <T>(usual: T, others: readonly T[]) => T;

function drawFrom(random: Random): Draw {
  return (usual, others) => (random.chance(0.55) ? usual : random.pick(others));
}

function drawEvents(random: Random): Choices['events'] {
  const draw = drawFrom(random);
  const perTarget = random.chance(0.3);
  return {
    start: draw(1n, [7_000n, 2n ** 61n]),
    gap: draw(0, [5, 4_000]),
    countAll: random.chance(0.6),
    perTarget,
    entryPerTarget: perTarget && random.chance(0.5),
  };
}

function drawRetention(random: Random, settleMs: number): Retention {
  const draw = drawFrom(random);
  // Nothing goes at once because it is long.
  const leastMs = leastKeptMs(settleMs) + 500;
  return draw<Retention>({ kind: 'all' }, [
    { kind: 'newest', than: random.integer(8, 40) },
    { kind: 'newest-of-author', than: random.integer(3, 12) },
    { kind: 'younger', than: random.integer(600, 3_000) },
    {
      kind: 'younger',
      than: random.integer(leastMs, leastMs + 2_000),
      ifOver: random.pick([60, 120, 10_000]),
    },
    { kind: 'shortest', than: random.integer(8, 40), leastMs },
  ]);
}

function drawPage(random: Random): Choices['page'] {
  const draw = drawFrom(random);
  return {
    next: draw('last-item', ['scanned', 'watermark']),
    nextOfEmpty: draw('echo', ['watermark']),
    moreWhenFull: random.chance(0.4),
    scan: draw(10_000, [3, 10]),
    byteCap: draw(10_000_000, [1, 400, 3_000]),
    newestKeeps: random.pick(['older', 'newer']),
    moreOnNewest: random.chance(0.5),
    defaultOfChannel: random.pick([20, 50, 100]),
    omittedOnChannel: random.pick(['newest', 'oldest', 'refused']),
    beyond: draw('empty', ['clamped', 'conflict']),
    belowRetained: draw('served', ['conflict']),
    watermark: draw('stream', ['matches', 'workspace', 'cached', 'ahead']),
  };
}

/** Without what an inferred clause wonders at. */
function unsurprising(made: Omit<Choices, 'mayWarn'>): Omit<Choices, 'mayWarn'> {
  return {
    ...made,
    appendLagMs: 0,
    replicaLagMs: 0,
    trimLagMs: 0,
    receipts: made.receipts === 'replica' ? 'late' : made.receipts,
    page: { ...made.page, watermark: made.page.watermark === 'ahead' ? 'ahead' : 'stream' },
    sends: { ...made.sends, conflictStatus: 409 },
  };
}

/** No words of the contract forbid what these choices do, yet they are what an inferred clause wonders at. */
function warningsOf(choices: Omit<Choices, 'mayWarn'>): readonly ClauseId[] {
  const { page, sends, appendLagMs, replicaLagMs, trimLagMs, receipts } = choices;
  const warnings: ClauseId[] = [];
  if (appendLagMs + replicaLagMs + trimLagMs > 0) warnings.push('channel-read.reads-own-writes');
  if (replicaLagMs + trimLagMs > 0)
    warnings.push('channel-read.recency', 'mentions.recency', 'channel-read.reads-are-monotonic');
  if (replicaLagMs > 0) warnings.push('page.high-watermark-never-falls');
  if (replicaLagMs > 0 && page.beyond === 'conflict')
    warnings.push('channel-read.issued-cursor-is-no-conflict', 'mentions.issued-cursor-is-no-conflict');
  if (['matches', 'workspace', 'cached'].includes(page.watermark))
    warnings.push('page.high-watermark-covers-the-page', 'page.high-watermark-never-falls');
  if (sends.conflictStatus !== 409) warnings.push('send.conflict-status-409');
  if (receipts === 'replica') warnings.push('receipts.agent-ids.earlier-is-a-prefix');
  return warnings;
}
