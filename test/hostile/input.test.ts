import { testRows } from './frame/test-rows.ts';
import { numberRows } from './input/numbers.ts';
import { outputRows } from './input/outputs.ts';
import { pipeRows } from './input/pipes.ts';
import { targetFileRows } from './input/target-files.ts';

testRows('numbers out of range', numberRows);
testRows('outputs that cannot be written', outputRows);
testRows('outputs that are not read', pipeRows);
testRows('hostile target files', targetFileRows);
