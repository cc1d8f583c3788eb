import type { AnsweredRequest } from '../../../reference/model/answer.ts';
import { alternatives, type Overlay, type Variant } from '../base/variant.ts';

/** Successes of calls for which no status is named. */
export const successVariants: readonly Variant[] = [
  ...alternatives(
    {
      id: 'reads-succeed-with-203',
      words: 'channel-read.success-is-200',
      options: () => succeeding('read', 203),
    },
    {
      id: 'reads-succeed-with-206',
      words: 'channel-read.success-is-200',
      options: () => succeeding('read', 206),
    },
  ),
  {
    id: 'overviews-succeed-with-203',
    words: 'overview.success-is-200',
    options: () => succeeding('overview', 203),
  },
  {
    id: 'lists-succeed-with-202',
    words: 'channels-list.shapes; receipts-list.shapes: nor is a status named',
    options: () => ({
      answer: (answer, { route }) =>
        (route === 'channels' || route === 'receipts') && answer.status === 200
          ? { ...answer, status: 202 }
          : undefined,
    }),
  },
];

function succeeding(call: AnsweredRequest['route'], status: number): Overlay {
  return {
    answer: (answer, { route }) =>
      route === call && answer.status === 200 ? { ...answer, status } : undefined,
  };
}
