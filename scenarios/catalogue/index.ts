import type { Scenario } from '../scenario.ts';
import { reading } from './reading.ts';
import { echoing, sending } from './writing.ts';

/** All that is played with a client; of each task the first one tells whether it can be done at all. */
export const scenarios: readonly Scenario[] = Object.freeze([...reading, ...echoing, ...sending]);
