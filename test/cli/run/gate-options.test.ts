import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addGateOptions, type GateFlags, withSeed } from '../../../cli/run/gate-options.ts';

function parsed(...args: readonly string[]): GateFlags {
  return addGateOptions(new Command()).parse(args, { from: 'user' }).opts();
}

describe('the options of a gate', () => {
  it('take limits of several calls, apart by blanks or commas, again and again', () => {
    const { maxP95 } = parsed(
      '--max-p95',
      'mentions=200ms',
      'send=1.5s,overview=2',
      '--max-p95=channel-read=1m',
    );
    expect(maxP95).toEqual([
      { call: 'mentions', maxP95Ms: 200 },
      { call: 'send', maxP95Ms: 1500 },
      { call: 'overview', maxP95Ms: 2000 },
      { call: 'channel-read', maxP95Ms: 60_000 },
    ]);
  });

  it.each([
    ['mentinos=200ms', 'there is no call "mentinos"; did you mean mentions?'],
    ['x=200ms', 'there are mentions, overview, send, channel-read'],
    ['mentions', 'mentions= takes a duration as 200ms'],
    ['mentions=soon', 'mentions= takes a duration as 200ms'],
    ['mentions=0ms', 'mentions= takes a duration as 200ms'],
    ['send=1s,send=2s', 'two limits of send'],
  ])('refuse the limit %s, and say what would do', (text, said) => {
    expect(() => parsed('--max-p95', text)).toThrow(said);
  });

  it('draw an order, or take the seed of one', () => {
    expect(parsed('--order', 'random=7').order).toEqual({ seed: 7 });
    expect(parsed('--order', 'random').order?.seed).toBeGreaterThanOrEqual(0);
    expect(() => parsed('--order', 'reverse')).toThrow('--order takes `random` or `random=SEED`');
    expect(() => parsed('--order', 'random=-1')).toThrow('--order takes');
  });

  it('bail at one failure where no count is given', () => {
    expect([parsed('--bail').bail, parsed('--bail', '3').bail, parsed().bail]).toEqual([true, 3, undefined]);
    expect(() => parsed('--bail', '0')).toThrow('--bail takes a whole number');
  });

  it('name the seed in what is kept of the command', () => {
    const order = { seed: 7 };
    expect(withSeed(['run', '--order', 'random', '--strict'], order)).toEqual([
      'run',
      '--order',
      'random=7',
      '--strict',
    ]);
    expect(withSeed(['--order=random'], order)).toEqual(['--order=random=7']);
    expect(withSeed(['--check', 'random'], undefined)).toEqual(['--check', 'random']);
  });
});
