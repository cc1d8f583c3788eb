// Imported before a command: says at its end, on stderr, how many MB it held at the most.

import { peakMegabytes } from './peak-memory.ts';

process.on('exit', () => process.stderr.write(`${peakMegabytes()}\n`));
