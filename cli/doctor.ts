import { Command } from 'commander';
import { addTargetOptions, type TargetOptions } from './shared/target-options.ts';

/** `conform doctor`: what a target has, whether it works, and what one line more would decide. */
export function doctorCommand(): Command {
  const command = new Command('doctor').description(
    'try out a target file: what works, how many clauses it makes testable, and what to add next',
  );
  return addTargetOptions(command).action(async (options: TargetOptions) => {
    const { doctor } = await import('./doctor/run-doctor.ts');
    process.exitCode = await doctor(options);
  });
}
