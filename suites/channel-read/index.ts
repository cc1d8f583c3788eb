import type { Check } from '../../harness/check/check.ts';
import { acceptanceChecks } from './acceptance.ts';
import { concurrencyChecks } from './concurrency.ts';
import { cursorChecks } from './cursor.ts';
import { orderChecks } from './order.ts';
import { pageChecks } from '../page/pages.ts';
import { recencyChecks } from './recency.ts';
import { sharingChecks } from './sharing.ts';
import { waitingChecks } from './waiting.ts';
import { walkChecks } from './walk.ts';

/** Everything about reading a channel: what comes, in which order, from which cursor on, and when. */
export const channelReadChecks: readonly Check[] = [
  ...sharingChecks,
  ...acceptanceChecks,
  ...orderChecks,
  ...cursorChecks,
  ...pageChecks,
  ...walkChecks,
  ...concurrencyChecks,
  ...recencyChecks,
  ...waitingChecks,
];
