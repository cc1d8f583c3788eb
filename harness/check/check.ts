import type { ClauseId } from '../../spec/index.ts';
import { disruptiveNeeds, type NeedName } from '../config/capabilities.ts';
import type { CheckEvent } from '../results/generated/events.ts';
import { unmet } from '../verdict/outcome.ts';
import type { Always, Context } from './context.ts';

/** A fact about a conforming server, and how to see it. A plain value: any runner can host a list of them. */
export interface Check {
  /** Slug that states the behaviour, `<area>.<behaviour>`; never an ordinal. */
  readonly id: string;
  /** A sentence that is true of a conforming server. */
  readonly title: string;
  /** Where it is written, from the root of the repository; `undefined` when nobody said so. */
  readonly file: string | undefined;
  /** The clauses it decides; it may judge no other. */
  readonly clauses: readonly ClauseId[];
  /** Clauses of which it decides nothing itself: it brings about what the judges of the history decide them by. */
  readonly arranges: readonly ClauseId[];
  /** What the target must have for it to run. */
  readonly needs: readonly NeedName[];
  /** Runs while nothing else does: it changes what other checks see. */
  readonly isExclusive: boolean;
  /** Others begin while this exclusive check waits for the settle time, from which on it only reads. */
  readonly sharesSettling: boolean;
  /** Request bodies it sends, all together, in bytes; above 100,000 it runs after the others. */
  readonly bodyBytes: number;
  /** Time it waits on purpose, in ms, settle times aside: those that wait longest begin first. */
  readonly waitMs: number;
  /** Sends nothing but GETs and needs no fresh message: a read-only run has it. */
  readonly isReadOnly: boolean;
  /** It may make a broken server refuse a credential for good: that is its to judge, and no server in trouble. */
  readonly isUnwatched: boolean;
  readonly run: (context: Context<NeedName>) => Promise<void>;
}

interface CheckFacts<N extends NeedName> {
  readonly title: string;
  readonly clauses: readonly ClauseId[];
  readonly arranges?: readonly ClauseId[];
  readonly needs: readonly N[];
  /**
   * At its end the server must also show a message that was sent to it during this run: one that answers by rote has
   * proved nothing.
   */
  readonly needsMemory?: boolean;
  readonly isExclusive?: boolean;
  readonly sharesSettling?: boolean;
  readonly bodyBytes?: number;
  readonly waitMs?: number;
  readonly isReadOnly?: boolean;
  readonly isUnwatched?: boolean;
}

/** Defines a check. Its body gets what it `needs`, resolved, under camel-case names: `second-channel` is `secondChannel`. */
export function check<const N extends NeedName>(
  id: string,
  facts: CheckFacts<N>,
  run: (context: Context<N>) => Promise<void>,
): Check {
  const body = async (context: Context<N>): Promise<void> => {
    await run(context);
    if (facts.needsMemory === true) await requireMemory(context);
  };
  return {
    id,
    title: facts.title,
    file: undefined,
    clauses: facts.clauses,
    arranges: facts.arranges ?? [],
    needs: facts.needs,
    isExclusive: facts.isExclusive ?? false,
    sharesSettling: facts.sharesSettling ?? false,
    bodyBytes: facts.bodyBytes ?? 0,
    waitMs: facts.waitMs ?? 0,
    isReadOnly: facts.isReadOnly ?? false,
    isUnwatched: facts.isUnwatched ?? isDisruptive(facts),
    // The engine resolves exactly the needs that the check names before it calls the body.
    run: body as unknown as (context: Context<NeedName>) => Promise<void>,
  };
}

/** The area of the contract that a check belongs to: the first word of its id. */
export function areaOf({ id }: Pick<Check, 'id'>): string {
  return id.slice(0, id.indexOf('.'));
}

/** The clauses that a run of the check may come to a verdict on: its own, or that of the judges. */
export function allClausesOf({
  clauses,
  arranges,
}: Pick<Check, 'clauses' | 'arranges'>): readonly ClauseId[] {
  return [...clauses, ...arranges];
}

/** What an event says of which check it is about. */
export function labelsOf(check: Check): Pick<CheckEvent, 'check' | 'title' | 'area' | 'file'> {
  const { id, title, file } = check;
  return { check: id, title, area: areaOf(check), ...(file === undefined ? {} : { file }) };
}

/** True for a check that nothing else may run beside, be it of this run or of another. */
export function runsAlone(check: Check): boolean {
  return check.isExclusive || isDisruptive(check);
}

/** True for a check that takes the server away for a while. */
export function isDisruptive({ needs }: Pick<Check, 'needs'>): boolean {
  return needs.some((need) => disruptiveNeeds.includes(need));
}

/**
 * Each check reads past the contents of those beside it, so that the bytes read grow with the square of their number: with
 * more in its own request bodies a check is large.
 */
const largeBodyBytes = 100_000;

/** True for a check that writes so much that others are better off elsewhere. */
export function isLarge({ bodyBytes }: Check): boolean {
  return bodyBytes > largeBodyBytes;
}

/**
 * Ends the check unless the server shows a message that was sent to it during this run: one that answers by rote, or
 * forgets, can refuse as a good server does and has proved nothing by it. Costs a run one message in all.
 */
export async function requireMemory({
  optional,
  identities,
}: Pick<Always, 'optional' | 'identities'>): Promise<void> {
  const author = optional('author') ?? unmet('no author to show that messages are kept');
  await identities.memory(author);
}
