export { parseExact, stringifyExact } from './exact-json.ts';
export { beyondBound, formOf, isDeeperThan, maxJsonDepth } from './json-form.ts';
export type { JsonForm } from './json-form.ts';
export { isRecord, jsonIn, pathOfPointer } from './json-record.ts';
export type { JsonRecord } from './json-record.ts';
export { callOf, decoded, idAt, idIn, pathOf, pathTemplates, plainId } from './paths.ts';
export type { CallName, KnownCall } from './paths.ts';
export {
  addressOf,
  isPageParameter,
  pageParameterNames,
  pageParameters,
  pairsOf,
  parameterOf,
  partsOfAddress,
  queryOf,
  queryText,
} from './query.ts';
export type { PageParameter, Query, QueryDraft, QueryPairs } from './query.ts';
export {
  listChannels,
  listMentions,
  listReceipts,
  readChannel,
  sendMessage,
  showOverview,
  write,
} from './requests.ts';
export type { BodyDraft, CallRequest, SentRequest } from './requests.ts';
