import { describeWatched } from './watched-example.ts';
import { watchedExamples } from './watched-examples.ts';

for (const [name, example] of Object.entries(watchedExamples)) describeWatched(name, example);
