import { Command, Option } from 'commander';
import type { ClausesCommandOptions } from './clause-rows.ts';
import { out } from '../shared/output.ts';

interface SituationOptions {
  readonly situations?: true;
  readonly history?: string;
}

/** What chooses among clauses, or shows them otherwise: situations are listed as a whole. */
const others = ['area', 'level', 'unchecked', 'clients', 'json'];

/** `conform clauses`: the register, and which checks decide each clause. */
export function clausesCommand(): Command {
  return new Command('clauses')
    .description('list the clauses of the contract with the checks that decide each')
    .option('--area <area>', 'clauses of one area, as in `send`')
    .addOption(new Option('--level <level>', 'clauses of one level').choices(['must', 'inferred', 'silent']))
    .option('--unchecked', 'only clauses that a check could decide and none does')
    .addOption(
      new Option(
        '--situations',
        'clauses about reading and access, and the situations in which each could be broken',
      ).conflicts(others),
    )
    .addOption(
      new Option(
        '--history <file>',
        'with --situations: how many of them arose in a history that a run kept',
      ).conflicts(others),
    )
    .option('--clients', 'what the contract asks of clients, in place of servers')
    .option('--json', 'as JSON')
    .action(async (options: ClausesCommandOptions & SituationOptions) => {
      if (options.situations === true || options.history !== undefined) {
        const { listSituations } = await import('./situation-rows.ts');
        out.say(listSituations(options.history));
        return;
      }
      const { listClauses } = await import('./clause-rows.ts');
      out.say(listClauses(options));
    });
}
