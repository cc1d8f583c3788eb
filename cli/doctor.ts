import { Command } from 'commander';
import { addTargetOptions } from './shared/target-options.ts';
import type { TargetOptions } from './shared/target-options.ts';

/** `conform doctor`: what a target has, whether it works, and what one line more would decide. */
export function doctorCommand(): Command {
  const command = new Command('doctor').description(
    'try everything that a target has, and say what it lets be decided and what one line more would',
  );
  return addTargetOptions(command).action(async (options: TargetOptions) => {
    const { doctor } = await import('./doctor/run-doctor.ts');
    process.exitCode = await doctor(options);
  });
}
