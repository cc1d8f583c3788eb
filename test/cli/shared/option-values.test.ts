import { expect, it } from 'vitest';
import { conformProgram } from '../../../cli/program.ts';

const rate = 'a number of requests a second, 0.1 to 100000';
const count = 'a whole number, 1 to 1024';
const budget = 'a whole number of milliseconds, 1 to 2147483647';
const duration = 'a duration as 200ms, 30s, 10m or 2h, from 1ms to 555h';

it.each([
  ['run --rate-per-second 0', rate],
  ['fuzz --rate 0', rate],
  ['fuzz --rate 0.000001', rate],
  ['fuzz --rate -1', rate],
  ['fuzz --rate NaN', rate],
  ['run --concurrency 0', count],
  ['run --concurrency 1.5', count],
  ['run --concurrency 1e10', count],
  ['run --concurrency 0x10', count],
  ['fuzz --concurrency 10000000000', count],
  ['doctor --budget-ms 2147483648', budget],
  ['doctor --budget-ms 0', budget],
  ['run --budget-ms ', budget],
  ['run --settle-ms 9007199254740993', 'a whole number of milliseconds, 0 to 600000'],
  ['run --timeout Infinity', 'a whole number of milliseconds, 0 to 86400000'],
  ['fuzz --time 1000000h', duration],
  ['fuzz --time 0s', duration],
  ['fuzz --time soon', duration],
  ['stress --time long', duration],
  ['stress --clients 1.5', count],
  ['reference --port 65536', 'a whole number, 0 to 65535'],
])('%s is out of range, and nobody is asked anything', (line, range) => {
  const words = line.split(' ');
  expect(() => conformProgram().parse(words, { from: 'user' })).toThrow(`${words[1]} takes ${range}`);
});
