import { Command } from 'commander';
import type { Replay, ReplayVerdict } from '../fuzz/replay.ts';
import { exitCodes } from '../harness/engine/exit-code.ts';
import { fuzzTarget } from './fuzz-target.ts';
import { addTargetOptions } from './target-options.ts';
import type { TargetOptions } from './target-options.ts';

const exitCodeOf: Readonly<Record<ReplayVerdict, number>> = {
  fixed: exitCodes.conforms,
  'still failing': exitCodes.broken,
  'could not be run': exitCodes.inconclusive,
};

/** `conform replay FILE`: sends a kept failure again. */
export function replayCommand(): Command {
  const command = new Command('replay')
    .description('send the request of a failure file again: fixed, still failing, or could not be run')
    .argument('<file>', 'failure file that a campaign wrote');
  return addTargetOptions(command).action(async (file: string, options: TargetOptions) => {
    const { readFailure } = await import('../fuzz/failure-file.ts');
    const { replay } = await import('../fuzz/replay.ts');
    const { openBench } = await import('../fuzz/run-fuzz.ts');
    const failure = readFailure(file);
    const { target, close } = await fuzzTarget(options);
    const signal = new AbortController().signal;
    const bench = await openBench(target, { roundTripMs: 0, signal, env: process.env });
    try {
      const outcome = await replay(bench.runner, failure);
      process.stdout.write(describe(failure.root, outcome));
      process.exitCode = exitCodeOf[outcome.verdict];
    } finally {
      await bench.close();
      await close();
    }
  });
}

function describe(root: string, { verdict, times, of, steps }: Replay): string {
  const lines = steps.map(
    ({ what, wanted, before, now, differs }) =>
      `${differs ? '~' : ' '} ${what.slice(0, 120)}\n    expected ${wanted}\n    then: ${before}\n    now:  ${now}`,
  );
  return `${[root, ...lines, `${verdict} (${times}/${of})`].join('\n')}\n`;
}
