import type { PreflightLine } from '../results/events.ts';
import { programFault } from '../hooks/find-program.ts';
import { hookNames } from '../config/target.ts';
import type { HookName, Target } from '../config/target.ts';

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
