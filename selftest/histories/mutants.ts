import { type AnomalyName, catalogue } from '../../history/anomalies/catalogue.ts';
import type { ClauseId } from '../../spec/index.ts';
import { type Mutant, writtenMutants } from '../mutants/index.ts';
import { allConcurrencyMutants } from '../stress/index.ts';
import { type Variant, variants } from '../variants/index.ts';
import type { Event } from './clients/operator.ts';
import { circumstances, showings } from './showings.ts';

/** A mutant of the reference that a history in virtual time tells from it. */
export interface HistoryMutant {
  readonly id: string;
  /** What the judges call what it makes a history show. */
  readonly anomaly: AnomalyName;
  /** The clauses under one of which they name it. */
  readonly clauses: readonly ClauseId[];
  /** Other names that a history of it may show, since one wrong thing has consequences. */
  readonly consequences: readonly AnomalyName[];
  /** What is wrong with the service, over what it has to do for that to show. */
  readonly variants: readonly Variant[];
  /** What has to happen for it to show, and nothing else. */
  readonly events?: readonly Event[];
}

const known = new Map<string, Pick<Mutant, 'overlay'> & Partial<Pick<Mutant, 'clause'>>>(
  [...allConcurrencyMutants, ...writtenMutants].map((mutant) => [mutant.id, mutant]),
);

/** Every mutant that is proved on histories, once for each anomaly that it is known to show. */
export const historyMutants: readonly HistoryMutant[] = (Object.keys(showings) as AnomalyName[]).flatMap(
  (anomaly) => showings[anomaly].mutants.map((id) => historyMutant(anomaly, id)),
);

function historyMutant(anomaly: AnomalyName, id: string): HistoryMutant {
  const mutant = known.get(id);
  if (mutant === undefined) throw new Error(`there is no mutant ${id}`);
  const { events, does = [] } = circumstances[id] ?? {};
  const { clauses }: { readonly clauses: readonly ClauseId[] } = catalogue[anomaly];
  const { along = [], or = [] } = showings[anomaly];
  const own = mutant.clause;
  return {
    id: `${anomaly}/${id}`,
    anomaly,
    // One that meets others breaks no clause by itself; and one fault may be told by what follows of it.
    clauses: clauses.some((clause) => clause === own)
      ? clauses.filter((clause) => clause === own || or.includes(clause))
      : clauses,
    consequences: along,
    // Who waits at the end of a channel would else make a history long.
    variants: [
      ...variants.filter((each) => each.id === 'a-wait-ends-after-2-seconds' || does.includes(each.id)),
      { id, words: '', options: ({ sources }) => mutant.overlay(sources) },
    ],
    ...(events && { events }),
  };
}
