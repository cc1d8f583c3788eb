import { checksOf } from '../arrange/checks-of.ts';
import { acceptanceChecks } from './acceptance.ts';
import { cursorChecks } from './cursor.ts';
import { manyWaitsChecks } from './many-waits.ts';
import { recencyChecks } from './recency.ts';
import { restartChecks } from './restart.ts';
import { sharingChecks } from './sharing.ts';
import { waitingChecks } from './waiting.ts';

/** Everything about reading a channel: what comes, in which order, from which cursor on, and when. */
export const channelReadChecks = checksOf('channel-read', {
  sharing: sharingChecks,
  acceptance: acceptanceChecks,
  cursor: cursorChecks,
  recency: recencyChecks,
  waiting: waitingChecks,
  'many-waits': manyWaitsChecks,
  restart: restartChecks,
});
