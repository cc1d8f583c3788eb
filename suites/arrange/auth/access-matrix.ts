import type { Situation } from '../../../harness/verdict/ledger.ts';
import type { ClauseId } from '../../../spec/index.ts';
import { boundClosings, closings } from './closings.ts';
import type { CredentialKind } from './credential-faults.ts';
import { callsOf, endings, rulesFor, type RulesByCall } from './endings.ts';
import { inFormsFor, overviewCall, type GuardedCall } from './guarded-calls.ts';

/** A call, asked in one form with one kind of credential, and the clause that a server breaks if it lets that in. */
export interface AccessCell {
  readonly clause: ClauseId;
  readonly call: GuardedCall['slug'];
  /** A kind of credential. */
  readonly credential: string;
  readonly form: string;
}

/** Every cell of the matrix: what a run on a target with all roles and hooks has to judge. */
export const accessCells: readonly AccessCell[] = [
  ...[...closings, ...boundClosings.flatMap((each) => each.closings)].flatMap(
    ({ call, kinds, rules: [[clause]] }) => kinds.flatMap(({ slug }) => cellsOf(call, slug, clause)),
  ),
  ...endings.flatMap((ending) =>
    ending.users.flatMap(({ role, kind }) =>
      callsOf(ending, role).flatMap((call) => [
        ...ruledCells(call, kind, ending.lost),
        ...ruledCells(call, ending.again ?? kind, ending.regained),
      ]),
    ),
  ),
  ...cellsOf(overviewCall, 'of-another-workspace', 'overview.own-workspace-only'),
];

/** The matrix as situations that a run declares. */
export function declaredCells(): readonly Situation[] {
  return accessCells.map(({ clause, ...dimensions }) => ({ clause, dimensions }));
}

/** How a cell is told. */
export function cellName({ clause, call, credential, form }: Record<keyof AccessCell, string>): string {
  return `${clause}: ${call}, ${credential}, ${form}`;
}

/** A clause about access, and the situations in which it could be broken. */
interface AccessSituations {
  readonly clause: ClauseId;
  /** Values of each dimension that occur. */
  readonly dimensions: Readonly<Record<'call' | 'credential' | 'form', readonly string[]>>;
  /** How many of their combinations are cells. */
  readonly cells: number;
}

/** The matrix by clause. */
export function accessSituations(): readonly AccessSituations[] {
  const clauses = [...new Set(accessCells.map(({ clause }) => clause))];
  return clauses.map((clause) => {
    const cells = accessCells.filter((each) => each.clause === clause);
    const valuesOf = (name: 'call' | 'credential' | 'form'): readonly string[] => [
      ...new Set(cells.map((cell) => cell[name])),
    ];
    const dimensions = { call: valuesOf('call'), credential: valuesOf('credential'), form: valuesOf('form') };
    return { clause, dimensions, cells: cells.length };
  });
}

function cellsOf(asked: GuardedCall, credential: string, clause: ClauseId): AccessCell[] {
  const { slug: call, forms } = inFormsFor(asked, [credential]);
  return forms.map(({ slug: form }) => ({ clause, call, credential, form }));
}

function ruledCells(call: GuardedCall, { slug }: CredentialKind, rules?: RulesByCall): AccessCell[] {
  const [first] = rules === undefined ? [] : rulesFor(rules, call.slug);
  return first === undefined ? [] : cellsOf(call, slug, first[0]);
}
