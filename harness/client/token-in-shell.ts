import { tokenVariable } from '../config/roles.ts';
import type { RoleName } from '../config/roles.ts';
import type { Credential } from '../config/target.ts';
import { quoted } from '../output/in-shell.ts';

/** How a shell line comes to a token without showing it. */
interface TokenInShell {
  /** To be put between double quotes. */
  readonly expression: string;
  /** What to do before the line works; `undefined` when nothing has to be done. */
  readonly remark?: string;
}

/**
 * The variable or file that the target names for the token of an actor. A token that stands in the target file as it is, or
 * that a hook gave, has to be put into the variable of its role first. `credential` is `undefined` for a token that is not
 * the target's.
 */
export function tokenInShell(role: RoleName, credential: Credential | undefined): TokenInShell {
  const { source, file } = credential ?? { source: 'hooks.provision' };
  if (file !== undefined) return { expression: `$(cat ${quoted(file)})` };
  if (source.startsWith('env:')) return { expression: `$${source.slice('env:'.length)}` };
  const variable = tokenVariable(role);
  return { expression: `$${variable}`, remark: `${variable} has to hold ${originOf(role, source)}` };
}

function originOf(role: RoleName, source: string): string {
  if (source === 'flag') return `what --${role}-token was given`;
  if (source === 'hooks.provision') return 'a token that a hook gave to this run alone';
  return `roles.${role.replaceAll('-', '_')} of the ${source}`;
}
