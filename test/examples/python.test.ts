import { describeExample } from './example.ts';
import { lacksPython } from './examples.ts';

describeExample('python', { prepare: lacksPython, mostInconclusive: 4 });
