import { agentHostSpace } from './body/agent-host-space.ts';
import { attachmentsSpace } from './body/attachments-space.ts';
import { sendBodySpace } from './body/send-body-space.ts';
import { targetsSpace } from './body/targets-space.ts';
import { contentSpace } from './content/content-space.ts';
import { contentTypeSpace } from './content/content-type-space.ts';
import {
  afterSpace,
  channelAfterSpace,
  channelLimitSpace,
  limitSpace,
  waitSpace,
} from './query/query-spaces.ts';
import { unsupportedParameterSpace } from './query/unsupported-parameter-space.ts';
import { credentialSpace } from './request/credential-space.ts';
import { idempotencyKeySpace } from './request/idempotency-key-space.ts';
import { readChannelIdSpace, sendChannelIdSpace, workspaceIdSpace } from './request/path-id-spaces.ts';
import { sourceSessionSpace } from './session/session-space.ts';
import { wireBodySpace } from './wire/wire-body-space.ts';

/** Every input space, by the name of its input. */
export const spaces = Object.freeze({
  sendBody: sendBodySpace,
  content: contentSpace,
  contentType: contentTypeSpace,
  targets: targetsSpace,
  attachments: attachmentsSpace,
  sourceSession: sourceSessionSpace,
  agentHost: agentHostSpace,
  idempotencyKey: idempotencyKeySpace,
  credential: credentialSpace,
  workspaceId: workspaceIdSpace,
  sendChannelId: sendChannelIdSpace,
  readChannelId: readChannelIdSpace,
  after: afterSpace,
  limit: limitSpace,
  channelAfter: channelAfterSpace,
  channelLimit: channelLimitSpace,
  wait: waitSpace,
  unsupportedParameter: unsupportedParameterSpace,
  wireBody: wireBodySpace,
});
