import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { type CommandHook, type HookName, hookNames, type Target } from '../config/target.ts';
import type { PreflightLine } from '../results/generated/events.ts';

/** Why the program of a command cannot be run, as a clause about it; `undefined` when it can. Nothing is started. */
export function programFault(
  { command, cwd = process.cwd() }: Pick<CommandHook, 'command' | 'cwd'>,
  env: NodeJS.ProcessEnv,
): string | undefined {
  const [program = ''] = command;
  if (program === '') return 'is empty';
  if (/[/\\]/.test(program)) return missingProgram(extended(resolve(cwd, program), env));
  const folders = (env['PATH'] ?? '').split(delimiter);
  const faults = folders.map((folder) => missingProgram(extended(resolve(cwd, join(folder, program)), env)));
  if (faults.includes(undefined)) return undefined;
  return faults.find((fault) => fault !== missingPrograms) ?? 'is in no folder of PATH';
}

const missingPrograms = 'does not exist';

/** The first of the files that may be meant that can be run decides; else the fault of the one that is there. */
function missingProgram(paths: readonly string[]): string | undefined {
  const faults = paths.map(faultOfFile);
  if (faults.includes(undefined)) return undefined;
  return faults.find((fault) => fault !== missingPrograms) ?? missingPrograms;
}

function faultOfFile(path: string): string | undefined {
  try {
    if (!statSync(path).isFile()) return 'is not a file';
  } catch {
    return missingPrograms;
  }
  try {
    accessSync(path, constants.X_OK);
    return undefined;
  } catch {
    return 'may not be executed (chmod +x?)';
  }
}

/** Windows tries the endings of PATHEXT. */
function extended(path: string, env: NodeJS.ProcessEnv): readonly string[] {
  if (process.platform !== 'win32') return [path];
  return [path, ...(env['PATHEXT'] ?? '.EXE;.CMD;.BAT').split(';').map((ending) => path + ending)];
}

/** One error for each hook whose command cannot be started; a read-only run calls none. */
export function hookLines({ hooks, limits }: Target, env: NodeJS.ProcessEnv): readonly PreflightLine[] {
  if (limits.isReadOnly) return [];
  return hookNames.flatMap((name): PreflightLine[] => {
    const fault = hookFault(name, hooks[name], env);
    return fault === undefined ? [] : [{ severity: 'error', text: fault }];
  });
}

/** Why the command of a hook cannot be started; `undefined` when it can, and for a hook that is no command. */
export function hookFault(
  name: HookName,
  hook: Target['hooks'][HookName],
  env: NodeJS.ProcessEnv,
): string | undefined {
  if (hook === undefined || !('command' in hook)) return undefined;
  const fault = programFault(hook, env);
  if (fault === undefined) return undefined;
  return `hooks.${name} cannot be called: \`${hook.command[0] ?? ''}\` ${fault}; correct \`hooks.${name}.command\`, or leave the hook out`;
}
