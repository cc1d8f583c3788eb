// The package's public door: run the checks from any program, or host them in any runner.
export { check, type Check } from './harness/engine/check.ts';
export type { Context } from './harness/engine/context.ts';
export type { Expect, Judgement } from './harness/engine/expect.ts';
export { exitCodes } from './harness/engine/exit-code.ts';
export { runChecks, type RunOptions } from './harness/engine/run-checks.ts';
export { selectChecks, type Selection } from './harness/engine/select-checks.ts';
export { ConformError, InvalidTarget, SuiteBug } from './harness/errors.ts';
export type * from './harness/results/events.ts';
export { readTarget, type TargetInput } from './harness/target/read-target.ts';
export type { Target } from './harness/target/target.ts';
export { allChecks } from './suites/index.ts';
