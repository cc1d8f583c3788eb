import { clauses } from '../../spec/index.ts';
import { allClausesOf, type Check } from '../check/check.ts';
import { evidenceOf, type EvidenceRules } from '../client/evidence.ts';
import type { Exchange } from '../client/exchange.ts';
import type { CheckEvent, RunTrouble, TroubleKind } from '../results/generated/events.ts';
import { columnsByClause } from '../verdict/tally.ts';
import type { Loss } from '../watch/server-watch.ts';
import type { JudgedCheck } from './judge-check.ts';

/**
 * Share of the must clauses that a target enables which trouble may keep open before a run is not a whole one. A passing
 * trouble leaves hardly any open, since each check is tried up to three times and those that met server errors once more,
 * alone; a fifth of them is far beyond that.
 */
const largestOpenShare = 0.2;

interface Met {
  readonly kind: TroubleKind;
  readonly atMs: number;
  readonly clauses: Set<string>;
  readonly exchange: Exchange | undefined;
}

/** What a run and its end know when trouble is added up. */
interface RunFacts {
  /** Checks of which the target lacks nothing. */
  readonly enabled: readonly Check[];
  readonly events: readonly CheckEvent[];
  readonly losses: readonly Loss[];
  /** True when not every check came to its turn. */
  readonly isCutShort: boolean;
  readonly evidence: EvidenceRules;
}

/** Adds up what trouble kept open in a run. */
export class TroubleTally {
  readonly #met = new Map<string, Met>();

  /** Notes a check that has ended; `atMs` is when its trouble was met, since the checks began. */
  add({ trouble, clauses: verdicts }: JudgedCheck, atMs: (exchange: Exchange) => number): void {
    if (trouble === undefined) return;
    const { kind, text, exchange } = trouble;
    const met = this.#met.get(text) ?? {
      kind,
      exchange,
      atMs: exchange === undefined ? 0 : atMs(exchange),
      clauses: new Set(),
    };
    this.#met.set(text, met);
    for (const { clause, verdict } of verdicts) if (verdict === 'inconclusive') met.clauses.add(clause);
  }

  /** What goes into the footer; `undefined` when there was no trouble that matters. */
  resultOf({ enabled, events, losses, isCutShort, evidence }: RunFacts): RunTrouble | undefined {
    const decidable = mustClausesOf(enabled);
    const open = openAmong(decidable, events, isCutShort);
    const [loss] = losses;
    const mostly = this.#mostly(open);
    if (loss === undefined && mostly === undefined) return undefined;
    const isTooMuch = open.size > largestOpenShare * decidable.size;
    const atMs = loss?.atMs ?? mostly?.atMs ?? 0;
    const what = loss?.text ?? mostly?.text ?? '';
    const others = losses.length > 1 ? `, and ${losses.length - 1} more lost` : '';
    const kept =
      open.size === 0
        ? ''
        : `; ${open.size} of ${decidable.size} must clauses with checks of their own stayed inconclusive`;
    return {
      ...(loss !== undefined || isTooMuch
        ? {
            text: `after ${(atMs / 1000).toFixed(1)} s of the run, ${what}${others}${kept}`,
          }
        : {}),
      atMs,
      enabled: decidable.size,
      open: open.size,
      ...(mostly === undefined ? {} : { mostly: shownTrouble(mostly, evidence) }),
    };
  }

  #mostly(open: ReadonlySet<string>): (Met & { readonly text: string }) | undefined {
    const counted = [...this.#met].map(([text, met]) => ({ text, ...met }));
    const openOf = ({ clauses: of }: Met): number => [...of].filter((clause) => open.has(clause)).length;
    const [most] = counted.toSorted(
      (one, other) => openOf(other) - openOf(one) || other.clauses.size - one.clauses.size,
    );
    return most;
  }
}

function shownTrouble(
  { text, kind, clauses: of, exchange }: Met & { readonly text: string },
  evidence: EvidenceRules,
): NonNullable<RunTrouble['mostly']> {
  const seen = exchange === undefined ? {} : { exchange: evidenceOf(exchange, evidence) };
  return { text, kind, clauses: of.size, ...seen };
}

function mustClausesOf(checks: readonly Check[]): ReadonlySet<string> {
  const declared = new Set<string>(checks.flatMap(allClausesOf));
  return new Set(clauses.filter(({ id, level }) => level === 'must' && declared.has(id)).map(({ id }) => id));
}

/** Clauses that are open through trouble; of a run that was cut short, all that are open. */
function openAmong(
  decidable: ReadonlySet<string>,
  events: readonly CheckEvent[],
  isCutShort: boolean,
): ReadonlySet<string> {
  const columns = columnsByClause(events);
  const inconclusive = new Set(
    events
      .flatMap((event) => event.clauses.filter(({ trouble }) => trouble !== undefined))
      .map(({ clause }) => clause),
  );
  const isOpen = (id: string): boolean => (columns.get(id) ?? 'inconclusive') === 'inconclusive';
  return new Set([...decidable].filter((id) => isOpen(id) && (isCutShort || inconclusive.has(id))));
}
