import { parse } from 'yaml';
import { listenForHooks } from '../../embedded/operator-listener.ts';
import { hooksOfReference } from '../../embedded/reference-hooks.ts';
import { hookNames } from '../../harness/config/target.ts';
import { contractRules, startReference, targetFileOf } from '../../reference/index.ts';
import type { AnswerHook, Rules } from '../../reference/index.ts';
import type { Mutant } from '../mutants/index.ts';

/** A reference with the fault of a mutant, which can be mended while it goes on with all that it holds. */
export interface SwitchedServer {
  readonly targetFile: string;
  /** The variables that the target file names. */
  readonly env: Readonly<Record<string, string>>;
  readonly mend: () => void;
  readonly close: () => Promise<void>;
}

/** True for a mutant that only rules and answers make: settings are for a whole life. */
export function canBeMended({ options, refuses }: Mutant): boolean {
  return options().settings === undefined && refuses === undefined;
}

/** Starts the server of a mutant. Without hooks all is asked with the credentials of the target file. */
export async function startSwitched(
  mutant: Mutant,
  { hasHooks }: { hasHooks: boolean },
): Promise<SwitchedServer> {
  const { rules: broken = contractRules, answer: spoil } = mutant.options();
  let isMended = false;
  const rules = Object.fromEntries(
    Object.keys(contractRules).map((name) => [
      name,
      (...given: readonly unknown[]) => ruleOf(isMended ? contractRules : broken, name)(...given),
    ]),
  ) as unknown as Rules;
  const answer: AnswerHook = (each, request) => (isMended ? undefined : spoil?.(each, request));
  const reference = await startReference({ rules, answer });
  const operator = await listenForHooks(hooksOfReference(reference));
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
    mend: () => {
      isMended = true;
    },
    close: async () => {
      await operator.close();
      await reference.close();
    },
  };
}

function ruleOf(rules: Rules, name: string): (...given: readonly unknown[]) => unknown {
  return rules[name as keyof Rules] as (...given: readonly unknown[]) => unknown;
}
