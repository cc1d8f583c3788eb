import type { Check } from '../../harness/check/check.ts';
import { overviewAddressChecks } from './addresses.ts';
import { overviewContentChecks } from './contents.ts';

/** What a machine is shown of its workspace, and under which address. */
export const overviewChecks: readonly Check[] = [...overviewContentChecks, ...overviewAddressChecks];
