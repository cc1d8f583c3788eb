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

export {
  accept,
  open,
  reject,
  type Breach,
  type Expectation,
  type Label,
  type Labelled,
} from './space/labelled.ts';
export { isSameKind, type InputSpace } from './space/input-space.ts';
export { countsOf, textOf, type Run, type Text } from './texts/text.ts';
export { contentSpace } from './spaces/content/content-space.ts';
export { contentTypeSpace } from './spaces/content/content-type-space.ts';
export type { JsonValue } from './texts/json-values.ts';
export {
  bodyOf,
  bodyTextOf,
  emptyWorld,
  targetOf,
  type FileInput,
  type FilePlace,
  type SendBodyInput,
  type SendWorld,
  type TargetInput,
  type TargetKind,
  type TargetPlace,
} from './spaces/body/send-body.ts';
export { sendBodySpace } from './spaces/body/send-body-space.ts';
export { judgeSession } from '../spec/oracles/requests/session-faults.ts';
export { sourceSessionSpace } from './spaces/session/session-space.ts';
export { agentHostSpace } from './spaces/body/agent-host-space.ts';
export { attachmentsSpace } from './spaces/body/attachments-space.ts';
export { targetsSpace } from './spaces/body/targets-space.ts';
export { authorizationOf, credentialSpace, type CredentialInput } from './spaces/request/credential-space.ts';
export {
  idempotencyKeyOf,
  idempotencyKeySpace,
  type IdempotencyKeyInput,
} from './spaces/request/idempotency-key-space.ts';
export {
  readChannelIdSpace,
  segmentOf,
  sendChannelIdSpace,
  workspaceIdSpace,
  type PathIdInput,
} from './spaces/request/path-id-spaces.ts';
export {
  afterSpace,
  channelAfterSpace,
  channelLimitSpace,
  limitSpace,
  waitSpace,
} from './spaces/query/parameter-space.ts';
export { filledIn, type Template } from './space/labelled.ts';
export { unsupportedParameterSpace } from './spaces/query/unsupported-parameter-space.ts';
export { wireBytesOf, type WireBody } from './spaces/wire/wire-body.ts';
export { wireBodySpace } from './spaces/wire/wire-body-space.ts';

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
