// The package's public door: run the checks from any program, or host them in any runner.
export { check, type Check } from './harness/check/check.ts';
export type { Context } from './harness/check/context.ts';
export type { Expect } from './harness/check/expect.ts';
export type { Judgement } from './oracles/values/judgement.ts';
export { exitCodes } from './harness/verdict/exit-code.ts';
export { runChecks, type RunOptions } from './harness/run/run-checks.ts';
export { selectChecks, type Selection } from './harness/gate/select-checks.ts';
export { ConformError, InvalidTarget, SuiteBug } from './harness/errors.ts';
export type * from './harness/results/events.ts';
export { readTarget, type TargetInput } from './harness/config/reading/read-target.ts';
export type { Target } from './harness/config/target.ts';
export { allChecks } from './suites/index.ts';
