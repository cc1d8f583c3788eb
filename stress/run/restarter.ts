import { HookFailed } from '../../harness/errors.ts';
import { HookLinks } from '../../harness/hooks/hook-links.ts';
import { callHook } from '../../harness/hooks/hooks.ts';
import { secretsOf } from '../../harness/config/target-digest.ts';
import { KnownSecrets } from '../../harness/output/known-secrets.ts';
import type { Target } from '../../harness/config/target.ts';

/** Restarts a server under load. */
export interface Restarter {
  /** @throws HookFailed when it could not be done */
  readonly restart: () => Promise<void>;
  /** Whether what was acknowledged has to survive it: whoever gives a hook says so. */
  readonly isDurable: boolean;
  readonly close: () => Promise<void>;
}

/** Restarts a target in a way of one's own, or by its hook. */
export function restarterOf(
  target: Target,
  {
    env,
    signal,
    secrets = new KnownSecrets(secretsOf(target)),
    own,
  }: {
    readonly env: NodeJS.ProcessEnv;
    readonly signal: AbortSignal;
    readonly secrets?: KnownSecrets;
    readonly own?: (() => Promise<void>) | undefined;
  },
): Restarter {
  const links = new HookLinks(target, env);
  const hook = target.hooks.restart;
  const byHook = async (): Promise<void> => {
    if (hook === undefined) throw new HookFailed('the target has no hooks.restart');
    const surroundings = { baseUrl: target.baseUrl, env, secrets, signal, links };
    const answer = await callHook('restart', hook, {}, surroundings);
    if ('unsupported' in answer) throw new HookFailed(`hooks.restart: unsupported: ${answer.unsupported}`);
  };
  return {
    restart: own ?? byHook,
    isDurable: own !== undefined || hook !== undefined,
    close: () => links.close(),
  };
}
