import type { Findings } from '../../anomalies/findings.ts';
import type { Place, Showing } from '../../world/sight.ts';
import type { World } from '../../world/world.ts';
import type { Reports } from './reports.ts';

/** What retrievals are held against. */
export interface Seeing {
  readonly findings: Findings;
  readonly world: World;
  readonly reports: Reports;
  readonly unlisted: Unlisted;
}

/** A preview lists so many agents at most. */
export const mostListed = 32;

/** What was shown without an agent among its retrievals, though nobody else is beyond its preview. */
export class Unlisted {
  readonly #last = new Map<Place, Map<string, Showing | undefined>>();

  /** What showed a message so late without an agent: nobody else had reported one for that agent before. */
  since(place: Place, agent: string, sinceMs: number): Showing | undefined {
    const known = this.#last.get(place) ?? new Map<string, Showing | undefined>();
    this.#last.set(place, known);
    if (!known.has(agent)) known.set(agent, lastWithout(place, agent));
    const last = known.get(agent);
    return last !== undefined && last.lastMs > sinceMs ? last : undefined;
  }
}

/** Of the forms without an agent among the retrievals the one that was shown last. */
export function lastWithout(
  place: Place,
  agent: string,
  isMeant: (showing: Showing) => boolean = () => true,
): Showing | undefined {
  return lastOf(place, (showing) => {
    const { receipts } = showing.item;
    return (
      receipts !== undefined &&
      receipts.hasMore !== true &&
      !receipts.agents.includes(agent) &&
      isMeant(showing)
    );
  });
}

/** Of the forms that are meant the one that was shown last. */
export function lastOf({ forms }: Place, isMeant: (showing: Showing) => boolean): Showing | undefined {
  let last: Showing | undefined;
  for (const showing of forms)
    if ((last === undefined || showing.lastMs > last.lastMs) && isMeant(showing)) last = showing;
  return last;
}

/** The agents that a form lists. */
export function agentsOf({ item }: Showing): readonly string[] {
  return item.receipts?.agents ?? [];
}
