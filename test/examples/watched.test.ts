import { describeWatched } from './watched-example.ts';
import { watchedExamples } from './watched-examples.ts';

for (const [name, example] of Object.entries(watchedExamples))
  describeWatched(name, example, {
    rounds: 2,
    // The checks that restart the server, and those of the clause that is broken.
    args: ['--check', '*-after-a-restart', '*-survive-a-restart', 'send.key-of-another-message-is-refused'],
  });
