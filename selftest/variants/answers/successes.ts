import type { AnsweredRequest } from '../../../reference/model/answer.ts';
import { alternatives, leavingOpen, type Overlay, type Variant } from '../base/variant.ts';

/** Successes of calls for which no status is named. */
export const successVariants: readonly Variant[] = [
  ...alternatives({
    'channel-read.success-is-200': {
      'reads-succeed-with-203': () => succeeding('read', 203),
      'reads-succeed-with-206': () => succeeding('read', 206),
    },
  }),
  ...leavingOpen({
    'overview.success-is-200': { 'overviews-succeed-with-203': () => succeeding('overview', 203) },
    'channels-list.shapes; receipts-list.shapes: nor is a status named': {
      'lists-succeed-with-202': {
        answer: (answer, { route }) =>
          (route === 'channels' || route === 'receipts') && answer.status === 200
            ? { ...answer, status: 202 }
            : undefined,
      },
    },
  }),
];

function succeeding(call: AnsweredRequest['route'], status: number): Overlay {
  return {
    answer: (answer, { route }) =>
      route === call && answer.status === 200 ? { ...answer, status } : undefined,
  };
}
