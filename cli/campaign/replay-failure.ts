import { readFailure, writeIn } from '../../fuzz/campaign/failure-file.ts';
import { type Replay, replayAt, type ReplayVerdict } from '../../fuzz/campaign/replay.ts';
import { InvalidTarget } from '../../harness/errors.ts';
import { cut } from '../../harness/output/printable.ts';
import { exitCodes } from '../../harness/verdict/exit-code.ts';
import { out, secrets } from '../shared/output.ts';
import { demandServer, type TargetOptions } from '../shared/target-options.ts';
import { withinTime } from '../shared/time/time-limit.ts';
import { fuzzTarget } from './fuzz-target.ts';

const exitCodeOfVerdict: Readonly<Record<ReplayVerdict, number>> = {
  fixed: exitCodes.conforms,
  // What comes and goes, or showed only among other requests, is not fixed because it does not show now.
  'not shown': exitCodes.inconclusive,
  'still failing': exitCodes.broken,
  'could not be run': exitCodes.inconclusive,
};

/** Sends a kept failure again, and says whether it shows; the exit code says it too. */
export async function replayFile(file: string, options: TargetOptions): Promise<number> {
  demandServer('a replay', options);
  const failure = readFailure(file);
  const { target, close } = await fuzzTarget(options);
  try {
    const write = writeIn(failure);
    if (target.limits.isReadOnly && write !== undefined)
      throw new InvalidTarget(
        `${file} holds a ${write}, and --read-only sends nothing that writes; leave it out`,
      );
    const limited = await withinTime('replay', target.budgetMs, (signal) =>
      replayAt(target, failure, { signal, env: process.env, secrets }),
    );
    if (limited.end === 'done') {
      out.say(describe(failure.root, limited.value));
      return exitCodeOfVerdict[limited.value.verdict];
    }
    if (limited.end === 'interrupted') return exitCodes.interrupted;
    const seconds = limited.limitMs / 1000;
    out.say(`${failure.root}\ncould not be run: ${seconds} s were not enough (--budget-ms)\n`);
    return exitCodes.inconclusive;
  } finally {
    await close();
  }
}

function describe(root: string, { verdict, times, of, steps, reason, whyNotFixed }: Replay): string {
  if (reason !== undefined) return `${root}\n${verdict}: ${reason}\n`;
  const told = steps.map(
    ({ what, wanted, before, now, differs }) =>
      `${differs ? '~' : ' '} ${cut(what, 120)}\n    expected ${wanted}\n    then: ${before}\n    now:  ${now}`,
  );
  // What each try showed alike is told once.
  const lines = [...new Set(told)].map((each) => {
    const { length } = told.filter((other) => other === each);
    return length === 1 ? each : `${each} (${length} tries)`;
  });
  const why = whyNotFixed === undefined ? '' : `, ${whyNotFixed}`;
  return `${[root, ...lines, `${verdict} (${times}/${of})${why}`].join('\n')}\n`;
}
