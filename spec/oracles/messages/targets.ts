import { asText } from '../values/json-texts.ts';
import { judgeEach, type Judgement } from '../values/judgement.ts';

/** A principal as a send names it. */
export interface NamedTarget {
  readonly kind: string;
  readonly id: string;
}

/** A message shows the targets that its send named and no others; their order and repetitions are free. */
export function judgeTargets(named: readonly NamedTarget[], shown: unknown): Judgement {
  const wanted = targetSet(named);
  const found = targetSet(shown);
  const missing = wanted.filter((target) => !found.includes(target));
  const extra = found.filter((target) => !wanted.includes(target));
  return judgeEach([...missing, ...extra, ...wanted.filter((target) => found.includes(target))], (target) => {
    if (missing.includes(target)) return { expected: `the target ${target}`, actual: 'it is missing' };
    return extra.includes(target) ? { expected: 'the targets that were named', actual: target } : undefined;
  });
}

/** True when one of the targets that a message shows is `target`. */
export function showsTarget(shown: unknown, { kind, id }: NamedTarget): boolean {
  return targetSet(shown).includes(nameOf({ kind, id }));
}

function targetSet(targets: unknown): readonly string[] {
  return Array.isArray(targets) ? [...new Set(targets.map(nameOf))] : [];
}

function nameOf(target: unknown): string {
  if (typeof target !== 'object' || target === null) return `no target but ${typeof target}`;
  const { kind, id } = target as { readonly kind?: unknown; readonly id?: unknown };
  return `${asText(kind)} ${asText(id).toLowerCase()}`;
}
