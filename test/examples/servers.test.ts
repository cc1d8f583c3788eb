import { describeExample } from './example.ts';
import { examples } from './examples.ts';

for (const [name, example] of Object.entries(examples)) describeExample(name, example);
