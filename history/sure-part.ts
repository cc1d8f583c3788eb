import type { Change, History, Operation } from './operation.ts';

/** What ended a run while checks were at work: nothing of its history is sure then, though nobody missed the server. */
export const atWorkAfter = ['interruption', 'time limit'] as const;

/** One of {@link atWorkAfter}, as the detail of what a history calls lost. */
export type AtWorkAfter = (typeof atWorkAfter)[number];

/** Where a history says that something was lost. */
export function lossIn({ operations }: History): Change | undefined {
  return operations.find((each): each is Change => each.kind === 'change' && each.change === 'lost');
}

/**
 * What of a history says anything about its server: all of it, or what had ended when a look began that found everything there.
 * What was under way then may have had any effect.
 */
export function surePart(history: History): History {
  const loss = lossIn(history);
  if (loss === undefined) return history;
  const untilMs = loss.startedMs;
  const operations = history.operations.flatMap((each): readonly Operation[] => {
    if (each.endedMs <= untilMs) return [each];
    return each.startedMs <= untilMs && each !== loss ? [underWay(each)] : [];
  });
  return { ...history, operations };
}

function underWay(operation: Operation): Operation {
  switch (operation.kind) {
    case 'read':
      return { ...operation, outcome: 'indeterminate', status: undefined, items: [] };
    case 'send':
      return { ...operation, outcome: 'indeterminate', status: undefined, shown: undefined };
    default:
      return { ...operation, outcome: 'indeterminate' };
  }
}
