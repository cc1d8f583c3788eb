import { join } from 'node:path';
import { describeExample, exampleFolder, tool } from './example.ts';

/** The oldest one that the example is for. */
const leastMinor = 24;

describeExample('go', {
  prepare: (folder) => {
    const version = tool('go', ['version']);
    const minor = Number(/go1\.(\d+)/.exec(version.output)?.[1]);
    if (!version.isDone) return `go is not installed: ${version.output}`;
    if (minor < leastMinor) return `go is older than 1.${leastMinor}: ${version.output}`;
    const program = join(folder, 'messaging');
    const built = tool('go', ['build', '-o', program, '.'], exampleFolder('go'));
    if (!built.isDone) throw new Error(built.output);
    return ({ target, data }) => ({ program, args: ['-data', data, '-target', target] });
  },
  // Receipts, which it has none of.
  mostInconclusive: 30,
  breakFlag: '-break',
  breaks: [
    { rule: 'order', selection: ['--only', 'mentions'], clause: 'mentions.ascending' },
    { rule: 'cursor', selection: ['--only', 'channel-read'], clause: 'channel-read.after-exclusive' },
    { rule: 'self', selection: ['--clause', 'mentions.self-*'], clause: 'mentions.self-authored-excluded' },
    { rule: 'content', selection: ['--only', 'send'], clause: 'send.content-bytes' },
  ],
});
