import { Command } from 'commander';
import { exitCodes } from '../harness/engine/exit-code.ts';
import { isEnabled } from '../harness/target/capabilities.ts';
import type { NeedName } from '../harness/target/capabilities.ts';
import type { Target } from '../harness/target/target.ts';
import { allChecks } from '../suites/index.ts';
import { examine, fieldOf } from './doctor/examine.ts';
import { coverageOf, gainsOf } from './doctor/gains.ts';
import { pageOf } from './doctor/page.ts';
import type { Row } from './doctor/row.ts';
import { openTarget } from './open-target.ts';
import { addTargetOptions } from './target-options.ts';
import type { TargetOptions } from './target-options.ts';

/** `conform doctor`: what a target has, whether it works, and what one line more would decide. */
export function doctorCommand(): Command {
  const command = new Command('doctor').description(
    'try everything that a target has, and say what it lets be decided and what one line more would',
  );
  return addTargetOptions(command).action(async (options: TargetOptions) => {
    process.exitCode = await doctor(options);
  });
}

async function doctor(options: TargetOptions): Promise<number> {
  const { target, close } = await openTarget(options);
  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    const examination = await examine(target, { env: process.env, signal: interrupted.signal });
    if (interrupted.signal.aborted) return exitCodes.interrupted;
    const { rows, preflight } = examination;
    const has = (need: NeedName): boolean => isUsable(need, target, rows);
    const [coverage, gains] = [coverageOf(allChecks, has), gainsOf(allChecks, has)];
    process.stdout.write(pageOf({ ...examination, target, coverage, gains }));
    const isFine = preflight.isOk && !rows.some(({ state }) => state === 'broken');
    return isFine ? exitCodes.conforms : exitCodes.inconclusive;
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    await close();
  }
}

/** Whether a need is there and not known to be of no use. */
function isUsable(need: NeedName, target: Target, rows: readonly Row[]): boolean {
  const row = rows.find(({ field }) => field === fieldOf(need));
  return isEnabled(target, need) && row?.state !== 'broken' && row?.state !== 'odd';
}
