import type { Check } from '../harness/check/check.ts';
import { authChecks } from './auth/index.ts';
import { channelReadChecks } from './channel-read/index.ts';
import { discoveryChecks } from './discovery/index.ts';
import { errorsChecks } from './errors/index.ts';
import { fileChecks } from './file/index.ts';
import { mentionsChecks } from './mentions/index.ts';
import { messageChecks } from './message/index.ts';
import { overviewChecks } from './overview/index.ts';
import { pageChecks } from './page/index.ts';
import { populationChecks } from './population/index.ts';
import { receiptsChecks } from './receipts/index.ts';
import { sendChecks } from './send/index.ts';
import { sourceSessionChecks } from './source-session/index.ts';

/** Every check of the project, in the order of the contract. */
export const allChecks: readonly Check[] = Object.freeze([
  ...populationChecks,
  ...messageChecks,
  ...sourceSessionChecks,
  ...receiptsChecks,
  ...fileChecks,
  ...mentionsChecks,
  ...overviewChecks,
  ...sendChecks,
  ...channelReadChecks,
  ...pageChecks,
  ...discoveryChecks,
  ...authChecks,
  ...errorsChecks,
]);
