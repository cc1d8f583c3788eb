import type { Check } from '../harness/check/check.ts';
import { authenticationChecks } from './auth/index.ts';
import { channelReadChecks } from './channel-read/index.ts';
import { discoveryChecks } from './discovery/index.ts';
import { errorsChecks } from './errors/index.ts';
import { filesChecks } from './file/index.ts';
import { lifecycleChecks } from './lifecycle/index.ts';
import { mentionsChecks } from './mentions/index.ts';
import { messagesChecks } from './message/index.ts';
import { overviewChecks } from './overview/index.ts';
import { receiptsChecks } from './receipts/index.ts';
import { sendingChecks } from './send/index.ts';
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
