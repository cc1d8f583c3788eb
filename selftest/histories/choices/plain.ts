import type { Choices } from './choices.ts';

/** The reference as it is, so that nothing but what a mutant does is late, refused, gone, or out of the ordinary. */
export function plain(drawn: Choices): Choices {
  return {
    ...drawn,
    settleMs: 400,
    gap: 0,
    starts: [1n, 1n],
    counters: 'own',
    events: { start: 1_000n, gap: 0, countAll: true, perTarget: false, entryPerTarget: false },
    appendLagMs: 0,
    replicaLagMs: 0,
    feedLagMs: 0,
    trimLagMs: 0,
    retention: { kind: 'all' },
    feedRetention: { kind: 'all' },
    page: {
      next: 'last-item',
      nextOfEmpty: 'echo',
      moreWhenFull: false,
      scan: 10_000,
      byteCap: 1_048_576,
      newestKeeps: 'older',
      moreOnNewest: false,
      defaultOfChannel: 50,
      omittedOnChannel: 'newest',
      beyond: 'empty',
      belowRetained: 'served',
      watermark: 'stream',
    },
    sends: {
      ...drawn.sends,
      keyScope: 'agent',
      keyIsRequired: true,
      conflictStatus: 409,
    },
    wait: { mode: 'served', capMs: 2_000, oneItem: false, wakesEmpty: false },
    receipts: 'fresh',
    createdAt: 'clock',
    feedPrecision: 'same',
    listsSameHuman: true,
    lossShare: 0,
    limitedShare: 0,
    troubleShare: 0,
    restartBurns: 0,
    mayWarn: [],
  };
}
