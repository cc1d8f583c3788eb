import { parse } from 'yaml';
import { listenForHooks } from '../../embedded/operator-listener.ts';
import { hooksOfReference } from '../../embedded/reference-hooks.ts';
import { type FunctionHook, type HookName, hookNames } from '../../harness/config/target.ts';
import { startReference, targetFileOf } from '../../reference/index.ts';
import { sourcesOfSeed } from '../../reference/model/sources.ts';
import type { Mutant } from '../mutants/index.ts';

/**
 * A reference with the fault of a mutant. Mended, it is the same address with the same ids and tokens, and nothing in it: what was stored while
 * the fault was there may be broken for good.
 */
export interface SwitchedServer {
  readonly targetFile: string;
  /** The variables that the target file names. */
  readonly env: Readonly<Record<string, string>>;
  readonly mend: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** False for a mutant that refuses a role: a run of it ends before its first check. */
export function canBeMended({ refuses }: Mutant): boolean {
  return refuses === undefined;
}

/** Starts the server of a mutant. Without hooks all is asked with the credentials of the target file. */
export async function startSwitched(
  mutant: Mutant,
  { hasHooks }: { hasHooks: boolean },
): Promise<SwitchedServer> {
  const sources = sourcesOfSeed(1);
  let reference = await startReference({ ...mutant.options(), sources });
  const hookOf = (name: HookName): FunctionHook => ({
    call: (input) => hooksOfReference(reference)[name].call(input),
  });
  const hooksNow = Object.fromEntries(hookNames.map((name) => [name, hookOf(name)]));
  const operator = await listenForHooks(hooksNow as Record<HookName, FunctionHook>);
  const headers = { Authorization: 'env:OPERATOR' };
  const hooks = Object.fromEntries(
    hookNames.map((name) => [name, { url: `${operator.url}/${name}`, headers }]),
  );
  const { roles, ...target } = parse(targetFileOf(reference)) as { roles: Readonly<Record<string, string>> };
  const variables = Object.entries(roles).map(([role, token]) => [`OWN_${role.toUpperCase()}`, token]);
  return {
    targetFile: JSON.stringify({
      ...target,
      roles: Object.fromEntries(Object.keys(roles).map((role) => [role, `env:OWN_${role.toUpperCase()}`])),
      ...(hasHooks ? { hooks } : {}),
    }),
    env: { ...Object.fromEntries(variables), OPERATOR: operator.authorization } as Record<string, string>,
    mend: async () => {
      const { port } = new URL(reference.baseUrl);
      await reference.close();
      reference = await startReference({ sources: sourcesOfSeed(1), port: Number(port) });
    },
    close: async () => {
      await operator.close();
      await reference.close();
    },
  };
}
