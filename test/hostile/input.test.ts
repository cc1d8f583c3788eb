import { testRows } from './frame/test-rows.ts';
import { numberRows } from './input/numbers.ts';

testRows('numbers out of range', numberRows);
