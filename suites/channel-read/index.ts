import { checksOf } from '../arrange/checks-of.ts';
import { acceptanceChecks } from './acceptance.ts';
import { concurrencyChecks } from './concurrency.ts';
import { cursorChecks } from './cursor.ts';
import { orderChecks } from './order.ts';
import { recencyChecks } from './recency.ts';
import { restartChecks } from './restart.ts';
import { sharingChecks } from './sharing.ts';
import { waitingChecks } from './waiting.ts';
import { walkChecks } from './walk.ts';

/** Everything about reading a channel: what comes, in which order, from which cursor on, and when. */
export const channelReadChecks = checksOf('channel-read', {
  sharing: sharingChecks,
  acceptance: acceptanceChecks,
  order: orderChecks,
  cursor: cursorChecks,
  walk: walkChecks,
  concurrency: concurrencyChecks,
  recency: recencyChecks,
  waiting: waitingChecks,
  restart: restartChecks,
});
