export { boundsOfClause } from './bounds.ts';
export { clauseOfPointer } from './clause-of-pointer.ts';
export {
  clauseOf,
  originalOf,
  clauses,
  clientClauses,
  contractPlace,
  registerDigest,
  type Clause,
  type ClauseId,
  type ClauseLevel,
  type ClauseSource,
  type ClientClause,
  type ClientClauseId,
  type JudgedClauseId,
} from './clauses.ts';
export { isDateTime, isIso8601DateTime } from './date-time.ts';
export { examplesOf, type InvalidExample, type SchemaExamples, type ValidExample } from './examples.ts';
export { exercised, rulesOf } from './exercised.ts';
export {
  formats,
  isContentText,
  isEmail,
  isProviderDTimestamp,
  isUuid,
  maxContentBytes,
  maxTargets,
  surelyReadQueryLength,
  surelyTakenBodyBytes,
} from './formats.ts';
export type * from './generated/types.ts';
export { packageFile, packageJson } from './package-file.ts';
export { schemaNames, schemaOf, schemas, type SchemaName, type SchemaNode } from './schemas.ts';
export { prepareValidation, validate, type SchemaProblem } from './validators.ts';
