import type { Check } from '../harness/engine/check.ts';
import { authenticationChecks } from './authentication/index.ts';
import { channelReadChecks } from './channel-read/index.ts';
import { discoveryChecks } from './discovery/index.ts';
import { errorsChecks } from './errors/index.ts';
import { filesChecks } from './files/index.ts';
import { lifecycleChecks } from './lifecycle/index.ts';
import { mentionsChecks } from './mentions/index.ts';
import { messagesChecks } from './messages/index.ts';
import { overviewChecks } from './overview/index.ts';
import { receiptsChecks } from './receipts/index.ts';
import { sendingChecks } from './sending/index.ts';
import { sourceSessionChecks } from './source-session/index.ts';

/** Every check of the project, in the order of the contract. */
export const allChecks: readonly Check[] = Object.freeze([
  ...messagesChecks,
  ...sourceSessionChecks,
  ...receiptsChecks,
  ...filesChecks,
  ...mentionsChecks,
  ...overviewChecks,
  ...sendingChecks,
  ...channelReadChecks,
  ...discoveryChecks,
  ...authenticationChecks,
  ...errorsChecks,
  ...lifecycleChecks,
]);
