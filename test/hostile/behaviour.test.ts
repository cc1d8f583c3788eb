import { interruptRows, limitRows } from './behaviour/limits.ts';
import { testRows } from './frame/test-rows.ts';

testRows('commands with a time limit', limitRows);
testRows('commands that are interrupted', interruptRows);
