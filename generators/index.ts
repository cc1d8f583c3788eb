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
export { judgeSession } from '../oracles/requests/session-faults.ts';
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
} from './spaces/query/query-spaces.ts';
export { spaces } from './spaces/index.ts';
export { filledIn, type Template } from './space/template.ts';
export { unsupportedParameterSpace } from './spaces/query/unsupported-parameter-space.ts';
export { wireBytesOf, type WireBody } from './spaces/wire/wire-body.ts';
export { wireBodySpace } from './spaces/wire/wire-body-space.ts';
