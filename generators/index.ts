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
