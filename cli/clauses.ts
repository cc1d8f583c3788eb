import { Command } from 'commander';
import type { ClausesCommandOptions } from './explain/clause-rows.ts';

/** `conform clauses`: the register, and which checks decide each clause. */
export function clausesCommand(): Command {
  return new Command('clauses')
    .description('list the clauses of the contract with the checks that decide each')
    .option('--area <area>', 'clauses of one area, as in `send`')
    .option('--level <level>', 'clauses of one level: must, inferred or silent')
    .option('--unchecked', 'only clauses that a check could decide and none does')
    .option('--json', 'as JSON')
    .action(async (options: ClausesCommandOptions) => {
      const { listClauses } = await import('./explain/clause-rows.ts');
      process.stdout.write(listClauses(options));
    });
}
