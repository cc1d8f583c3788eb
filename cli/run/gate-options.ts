import { type Command, Option } from 'commander';
import { type KnownCall, pathTemplates } from '../../spec/calls/paths.ts';
import { numberIn, quantities } from '../../harness/config/quantities.ts';
import { InvalidTarget } from '../../harness/errors.ts';
import { anyOrder, type DrawnOrder } from '../../harness/gate/check-order.ts';
import type { LatencyLimit } from '../../harness/gate/latency-limits.ts';
import { didYouMean } from '../../harness/gate/names-meant.ts';
import { durationIn, durations, numberOption, ReadOption } from '../shared/option-kinds.ts';

/** Options of a run that say when it ends early, what is too slow, and in which order its checks begin. */
export interface GateFlags {
  /** True without a count: one. */
  readonly bail?: true | number;
  readonly maxP95: readonly LatencyLimit[];
  readonly order?: DrawnOrder;
}

/** Adds these options. */
export function addGateOptions(command: Command): Command {
  return command
    .addOption(
      numberOption(
        '--bail [count]',
        'begin no more checks once so many have failed, not counting what every answer is judged by at the end; 1 without a count',
        quantities.bail,
      ),
    )
    .addOption(
      new Option(
        '--max-p95 <call=duration...>',
        'longest that 95 of 100 answers to a call may take, as mentions=200ms; a slower one fails the run',
      )
        .argParser(withLimits)
        .default([], 'none'),
    )
    .addOption(
      new ReadOption(
        '--order <order>',
        'order in which checks begin, within what may run together, and who reads what after a change: drawn, by a seed that is printed or given',
        '`random` or `random=SEED`',
        orderIn,
      ).default(undefined, 'those first that wait longest'),
    );
}

function withLimits(text: string, earlier: readonly LatencyLimit[]): readonly LatencyLimit[] {
  const all = [
    ...earlier,
    ...text
      .split(',')
      .filter((each) => each !== '')
      .map(limitIn),
  ];
  const twice = all.find(({ call }, index) => all.findIndex((each) => each.call === call) < index);
  if (twice !== undefined) throw new InvalidTarget(`--max-p95 has two limits of ${twice.call}`);
  return all;
}

function limitIn(text: string): LatencyLimit {
  const [call = '', duration] = text.split(/=(.*)/s);
  const known = Object.keys(pathTemplates) as KnownCall[];
  const named = known.find((each) => each === call);
  if (named === undefined) {
    const hint = didYouMean(call, known) || `; there are ${known.join(', ')}`;
    throw new InvalidTarget(`--max-p95 ${text}: there is no call ${JSON.stringify(call)}${hint}`);
  }
  const maxP95Ms = durationIn(duration ?? '');
  if (maxP95Ms === undefined)
    throw new InvalidTarget(`--max-p95 ${text}: ${named}= takes ${durations}, as ${named}=200ms`);
  return { call: named, maxP95Ms };
}

function orderIn(text: string): DrawnOrder | undefined {
  if (text === 'random') return anyOrder();
  const [, digits] = /^random=(.*)$/s.exec(text) ?? [];
  const seed = numberIn(digits ?? '', quantities.seed);
  return seed === undefined ? undefined : { seed };
}

/** The arguments of a command with the seed that its order was drawn by: drawn again, it would be another one. */
export function withSeed(args: readonly string[], order: DrawnOrder | undefined): readonly string[] {
  if (order === undefined) return args;
  return args.map((arg, index) => {
    const isOrder = arg === '--order=random' || (arg === 'random' && args[index - 1] === '--order');
    return isOrder ? `${arg}=${order.seed}` : arg;
  });
}
