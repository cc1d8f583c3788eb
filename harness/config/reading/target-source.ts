import { lstatSync } from 'node:fs';
import { resolve } from 'node:path';
import type { TargetFlags } from './flag-layers.ts';

/** The target file that is found by itself, in the folder where a command is started. */
export const usualTargetFile = 'conform.yaml';

/** What names the server to test. Where it is `nothing`, there is none. */
export type TargetSource =
  /** `by`: named as an option, by `CONFORM_TARGET`, or not at all and found in the folder. */
  | { readonly from: 'file'; readonly file: string; readonly by: 'name' | 'variable' | 'folder' }
  /** `leaves`: the file of the folder, which is not read. */
  | { readonly from: 'address'; readonly leaves: string | undefined }
  | { readonly from: 'nothing' };

/** What a source is looked for in. */
interface Places {
  readonly file?: string | undefined;
  readonly flags: Pick<TargetFlags, 'baseUrl'>;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/**
 * What names the server, the strongest first: a file that is named is read, whatever else is given. One that is only there is for a
 * server that nothing else names: its tokens and hooks are of that server, and no other may get them.
 */
export function targetSource({ file, flags, env, cwd }: Places): TargetSource {
  if (file !== undefined) return { from: 'file', file, by: 'name' };
  const variable = env['CONFORM_TARGET'] ?? '';
  if (variable !== '') return { from: 'file', file: variable, by: 'variable' };
  const found = isThere(resolve(cwd, usualTargetFile)) ? usualTargetFile : undefined;
  if (flags.baseUrl !== undefined || (env['CONFORM_BASE_URL'] ?? '') !== '')
    return { from: 'address', leaves: found };
  return found === undefined ? { from: 'nothing' } : { from: 'file', file: found, by: 'folder' };
}

/** Also of a link that leads nowhere: whoever made it means it to be read. */
function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
