import { wireChecks } from '../wire/wire-checks.ts';
import { historyChecks } from './history-checks.ts';
import type { RunWideCheck } from '../verdict/run-wide-check.ts';

/** The checks that have no body of their own: any run includes them, and they end last. */
export const runWideChecks: readonly RunWideCheck[] = Object.freeze([...wireChecks, ...historyChecks]);

/** Their areas. */
export const runWideAreas: ReadonlySet<string> = new Set(runWideChecks.map(({ area }) => area));
