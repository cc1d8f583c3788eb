import { describeExample } from './example.ts';
import { lacksPython } from './python-example.ts';

describeExample('python', { prepare: lacksPython, mostInconclusive: 4 });
