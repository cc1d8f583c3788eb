import { readTarget, type ReadTarget } from '../../harness/config/reading/read-target.ts';
import { type RoleName, roleNames } from '../../harness/config/roles.ts';
import type { TargetOptions } from './target-options.ts';

/**
 * Reads the target that flags, environment and file describe together.
 * @throws InvalidTarget naming what is wrong, where, and what to do
 */
export function targetOf(options: TargetOptions, env: NodeJS.ProcessEnv): ReadTarget {
  return readTarget({
    file: options.target,
    flags: { ...options, tokens: tokensGiven(options) },
    env,
    cwd: process.cwd(),
  });
}

function tokensGiven(options: TargetOptions): Partial<Record<RoleName, string>> {
  const tokens: Partial<Record<RoleName, string>> = {};
  for (const role of roleNames) {
    const name = role.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    const token = options[`${name}Token`];
    if (token !== undefined) tokens[role] = token;
  }
  return tokens;
}
