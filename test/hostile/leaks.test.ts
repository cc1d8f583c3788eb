import { testRows } from './frame/test-rows.ts';
import { echoRows } from './leaks/echoes.ts';

testRows('secrets that come back', echoRows);
