// The package's public door: run the checks from any program, host a server that keeps the contract, judge what was heard.

// Running checks: `runChecks(allChecks, target, { onEvent })`.
export { allChecks } from './suites/index.ts';
export { check, type Check } from './harness/check/check.ts';
export type { Context } from './harness/check/context.ts';
export type { Expect } from './harness/check/expect.ts';
export type { Judgement } from './spec/oracles/values/judgement.ts';
export { runChecks, type RunOptions } from './harness/run/run-checks.ts';
export { selectChecks, type Selection } from './harness/gate/select-checks.ts';
export { exitCodes } from './harness/verdict/exit-code.ts';
export { ConformError, InvalidTarget, SuiteBug } from './harness/errors.ts';
export type * from './harness/results/generated/events.ts';

// The server to test: `readTarget()` of conform.yaml in this folder, or a reference in this process.
export { readTarget, type ReadTarget, type TargetInput } from './harness/config/reading/read-target.ts';
export type { TargetFlags } from './harness/config/reading/flag-layers.ts';
export type { TargetSource } from './harness/config/reading/target-source.ts';
export type { Target } from './harness/config/target.ts';
export { openReference, targetOfReference } from './embedded/reference-hooks.ts';
export { startReference, type Reference, type ReferenceOptions } from './reference/index.ts';

// The contract as data.
export { schemaNames, schemas, type SchemaName, type SchemaNode } from './spec/index.ts';
export { clauses, type Clause, type ClauseId } from './spec/index.ts';

// What the inputs of its requests can be: boundaries, and an arbitrary of fast-check over all of it.
export { spaces, type InputSpace, type Label, type Labelled } from './generators/index.ts';

// All that a client asked and was answered, judged as a whole.
export { judgeHistory, judges, type Anomaly, type Judge, type Judged } from './history/judges/index.ts';
export { HistoryError, HistoryReader } from './history/ndjson-reader.ts';
export type { History, Operation } from './history/operation.ts';
export { worldOf, type World } from './history/world/world.ts';
