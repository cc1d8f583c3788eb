import { Command } from 'commander';

/** `conform show CHECK`: what one check states, what it decides and what it needs. */
export function showCommand(): Command {
  return new Command('show')
    .description('explain one check: its clauses, its needs, and how to run it alone')
    .argument('<check>', 'id of the check')
    .action(async (id: string) => {
      const { showCheck } = await import('./explain/show-check.ts');
      process.stdout.write(showCheck(id));
    });
}
