import { agentHostSpace } from './spaces/body/agent-host-space.ts';
import { attachmentsSpace } from './spaces/body/attachments-space.ts';
import { sendBodySpace } from './spaces/body/send-body-space.ts';
import { targetsSpace } from './spaces/body/targets-space.ts';
import { contentSpace } from './spaces/content/content-space.ts';
import { contentTypeSpace } from './spaces/content/content-type-space.ts';
import {
  afterSpace,
  channelAfterSpace,
  channelLimitSpace,
  limitSpace,
  waitSpace,
} from './spaces/query/parameter-space.ts';
import { unsupportedParameterSpace } from './spaces/query/unsupported-parameter-space.ts';
import { credentialSpace } from './spaces/request/credential-space.ts';
import { idempotencyKeySpace } from './spaces/request/idempotency-key-space.ts';
import { readChannelIdSpace, sendChannelIdSpace, workspaceIdSpace } from './spaces/request/path-id-spaces.ts';
import { sourceSessionSpace } from './spaces/session/session-space.ts';
import { wireBodySpace } from './spaces/wire/wire-body-space.ts';

export type { InputSpace } from './space/input-space.ts';
export type { Label, Labelled } from './space/labelled.ts';

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
