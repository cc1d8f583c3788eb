import { clauseOf, type ClauseId } from '../../index.ts';

/** What one part of a request is to be answered with, for itself: taken, refused for a rule it breaks, or either. */
export type Aspect =
  | { readonly kind: 'accept' }
  | { readonly kind: 'open' }
  /** May be refused with any 4xx, whatever else there is to it: a limit without a number may be reached. */
  | { readonly kind: 'refusable' }
  | {
      readonly kind: 'reject';
      /** The clause that a server breaks when it takes the request. */
      readonly clause: ClauseId;
      /** The part of the rule: with the clause and the call, the root of a finding. */
      readonly part: string;
      /** The statuses that the contract names, and the clause that names them; any 4xx when `undefined`. */
      readonly named?: NamedStatuses;
    };

/** Statuses that the contract writes down, and where. */
export interface NamedStatuses {
  readonly statuses: readonly number[];
  readonly clause: ClauseId;
}

export const accept: Aspect = Object.freeze({ kind: 'accept' });
export const open: Aspect = Object.freeze({ kind: 'open' });
export const refusable: Aspect = Object.freeze({ kind: 'refusable' });

/** A rule that is broken. */
export function reject(clause: ClauseId, part: string, named?: NamedStatuses): Aspect {
  return { kind: 'reject', clause, part, ...(named === undefined ? {} : { named }) };
}

/** How a request is to be answered, as far as the contract says. */
export type Expected =
  | {
      readonly kind: 'accept';
      /** The clause that requires the acceptance. */
      readonly clause: ClauseId;
      readonly part: string;
      /** Refusals that are allowed all the same: a cursor may always be in conflict. */
      readonly mayBe: readonly number[] | 'any 4xx';
    }
  | {
      readonly kind: 'reject';
      readonly clause: ClauseId;
      readonly part: string;
      readonly named: NamedStatuses | undefined;
    }
  | { readonly kind: 'open' };

/** The expectation from all aspects of a request; the function says why it is accepted when no aspect is against it. */
export function expectedOf(
  aspects: readonly Aspect[],
  required: () => { readonly clause: ClauseId; readonly part: string; readonly mayBe?: readonly number[] },
): Expected {
  const faults = aspects.flatMap((aspect) => (aspect.kind === 'reject' ? [aspect] : []));
  const isOpen = aspects.some(({ kind }) => kind === 'open');
  const [first] = faults;
  const isRefusable = aspects.some(({ kind }) => kind === 'refusable');
  if (first === undefined) {
    if (isOpen) return { kind: 'open' };
    return { kind: 'accept', mayBe: [], ...required(), ...(isRefusable && { mayBe: 'any 4xx' as const }) };
  }
  // Which of several faults is reported is open, so that no status is named for them; nor is it certain which rule was kept. What is only
  // inferred does not become a must by another such fault.
  if (faults.length > 1) {
    const isSure = faults.some(({ clause }) => clauseOf(clause).level === 'must');
    const clause = isSure ? 'errors.refusals-are-4xx' : first.clause;
    return { kind: 'reject', clause, part: 'several faults', named: undefined };
  }
  return {
    kind: 'reject',
    clause: first.clause,
    part: first.part,
    named: isOpen || isRefusable ? undefined : first.named,
  };
}
