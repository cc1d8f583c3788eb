import { Command } from 'commander';
import { out } from './shared/output.ts';

/** `conform show ID`: what a check decides and needs, or what a clause says, where, and who decides it. */
export function showCommand(): Command {
  return new Command('show')
    .description('explain a check or a clause: what it says, where the contract says it, how to run it alone')
    .argument('<id>', 'of a check or of a clause, or a pattern such as `send.content-*`')
    .action(async (id: string) => {
      const { show } = await import('./explain/show.ts');
      out.say(show(id));
    });
}
