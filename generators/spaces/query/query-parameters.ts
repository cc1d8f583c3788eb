import type { ClauseId } from '../../../spec/index.ts';
import { accept, open, reject, type Label } from '../../space/labelled.ts';
import type { IntegerParameter } from './integer-parameter.ts';

/** Integers at which one implementation or another turns over. */
const far = [2 ** 31 - 1, 2 ** 31, 2n ** 32n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n];
const farther = [2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n, 2n ** 64n, 10n ** 30n];
const negative = [-1, -2, -100, -(2n ** 31n), -(2n ** 53n), -(2n ** 63n), -(2n ** 63n) - 1n];

/** `after` of the mentions: 0 is accepted, and so is its absence; whether anything follows another one is not known here. */
export const after: IntegerParameter = {
  name: 'after',
  parameter: 'after',
  omitted: accept('after/left-out'),
  ofInteger: (value) => afterLabel('after', value, 'mentions.after.min'),
  integersOnly: 'mentions.after.type',
  plain: '0',
  integers: { accept: [0], reject: negative, open: [1, 2, 10, 30, ...far, ...farther] },
};

/** `limit` of the mentions: 1 to 100, or none. */
export const limit: IntegerParameter = {
  name: 'limit',
  parameter: 'limit',
  omitted: accept('limit/left-out'),
  ofInteger(value) {
    if (value < 1n) return reject('limit/below-1', 'mentions.limit.min');
    if (value > 100n) return reject('limit/above-100', 'mentions.limit.max');
    return accept('limit/in-range');
  },
  integersOnly: 'mentions.limit.type',
  plain: '1',
  integers: {
    accept: [1, 2, 49, 50, 51, 99, 100],
    reject: [0, ...negative, 101, 102, 200, 1000, 2 ** 16, ...far, ...farther],
    open: [],
  },
};

/** `after` of a channel read: 0 is taken; what comes without it is left open. */
export const channelAfterParameter: IntegerParameter = {
  name: 'channel-after',
  parameter: 'after',
  omitted: open('channel-after/left-out'),
  ofInteger: (value) => afterLabel('channel-after', value, 'channel-read.after-negative'),
  integersOnly: 'channel-read.after-type',
  plain: '0',
  integers: { accept: [0], reject: negative, open: [1, 2, 10, 30, ...far, ...farther] },
};

/** `limit` of a channel read: 100 is taken, its bounds are left open. */
export const channelLimit: IntegerParameter = {
  name: 'channel-limit',
  parameter: 'limit',
  omitted: open('channel-limit/left-out'),
  ofInteger: (value) =>
    value === 100n ? accept('channel-limit/the-used-one') : open('channel-limit/another-integer'),
  plain: '100',
  integers: {
    accept: [100],
    reject: [],
    open: [0, 1, 2, 50, 99, 101, 102, 1000, ...negative, ...far, ...farther],
  },
};

/** `wait` of a channel read, in seconds: 25 is taken, the rest is left open. Whoever obeys holds the answer back as long. */
export const wait: IntegerParameter = {
  name: 'wait',
  parameter: 'wait',
  omitted: accept('wait/left-out'),
  ofInteger: (value) => (value === 25n ? accept('wait/the-used-one') : open('wait/another-integer')),
  plain: '25',
  integers: { accept: [25], reject: [], open: [0, 1, 24, 26, 30, 60, 3600, ...negative, ...far, ...farther] },
};

function afterLabel(name: string, value: bigint, min: ClauseId): Label {
  if (value < 0n) return reject(`${name}/negative`, min);
  return value === 0n ? accept(`${name}/zero`) : open(`${name}/some-cursor`);
}
