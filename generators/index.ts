export {
  accept,
  open,
  reject,
  type Breach,
  type Expectation,
  type Label,
  type Labelled,
} from './labelled.ts';
export { isSameKind, type InputSpace } from './input-space.ts';
export { factsOf, textOf, type Run, type Text, type TextFacts } from './text.ts';
export { contentSpace } from './content-space.ts';
export { contentTypeSpace } from './content-type-space.ts';
export type { JsonValue } from './json-values.ts';
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
} from './send-body.ts';
export { sendBodySpace } from './send-body-space.ts';
export { sourceSessionSpace } from './session-space.ts';
export { agentHostSpace } from './agent-host-space.ts';
export { attachmentsSpace } from './attachments-space.ts';
export { targetsSpace } from './targets-space.ts';
export { authorizationOf, credentialSpace, type CredentialInput } from './credential-space.ts';
export { idempotencyKeyOf, idempotencyKeySpace, type IdempotencyKeyInput } from './idempotency-key-space.ts';
export {
  readChannelIdSpace,
  segmentOf,
  sendChannelIdSpace,
  workspaceIdSpace,
  type PathIdInput,
} from './path-id-spaces.ts';
export { afterSpace, channelAfterSpace, channelLimitSpace, limitSpace, waitSpace } from './query-spaces.ts';
export { filledIn, type Template } from './template.ts';
export { unsupportedParameterSpace } from './unsupported-parameter-space.ts';
export { wireBytesOf, type WireBody } from './wire-body.ts';
export { wireBodySpace } from './wire-body-space.ts';
