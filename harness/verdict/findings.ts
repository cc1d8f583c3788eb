import { clauseOf, contractPlace } from '../../spec/index.ts';
import type { ClauseId } from '../../spec/index.ts';
import type { Exchange } from '../client/exchange.ts';
import { evidenceOf } from '../client/evidence.ts';
import type { EvidenceRules } from '../client/evidence-rules.ts';
import { pathOfNamed } from '../client/page-outline.ts';
import { textOfPath } from '../client/json/json-path.ts';
import type { JsonPath } from '../client/json/json-path.ts';
import { verdictWhenBroken } from './verdict-when-broken.ts';
import type { BrokenClause, EvidenceExchange, FaultPlace, FindingEvent } from '../results/events.ts';

/** A clause seen broken by one check, before it is known whether another met the same. */
export interface Sighted {
  readonly clause: ClauseId;
  /** Part of the clause, for wire rules: two broken parts are two findings. */
  readonly part?: string;
  readonly check: string;
  /** The check whose exchange showed it, when `check` only watches. */
  readonly metIn?: string;
  /** The check that caused it, with the exchange by which it did where that is not among `exchanges`. */
  readonly cause?: { readonly check: string; readonly evidence?: EvidenceExchange };
  /** Where the object at fault stands in the answer of the last exchange. */
  readonly path?: JsonPath;
  readonly expected: string;
  readonly actual: string;
  readonly seen: { readonly times: number; readonly of: number };
  readonly exchanges: readonly Exchange[];
  /** Why the baseline expects it. */
  readonly known?: string;
  /** False when the requirement set does not have the check. */
  readonly isScored?: false;
}

/** A page of so many bytes is shown as it is; in a longer one only the item that the finding names. */
const longestWhole = 2_000;

/**
 * Gathers what was seen broken into findings: one per cause, however many checks met it. What is known or not scored is a
 * finding of its own, so that it hides no sighting that counts.
 */
export class Findings {
  readonly #rules: EvidenceRules;
  readonly #emit: (finding: FindingEvent) => void;
  readonly #byRoot = new Map<string, FindingEvent>();
  readonly #alsoSeenBy = new Map<string, Set<string>>();
  readonly #evidence = new Set<number>();

  constructor(rules: EvidenceRules, emit: (finding: FindingEvent) => void) {
    this.#rules = rules;
    this.#emit = emit;
  }

  /** Notes sightings of one cause; emits a finding of those that are the first of their roots. */
  add(...sighted: readonly Sighted[]): void {
    const apart = new Map<string, Sighted[]>();
    for (const each of sighted) apart.set(markersOf(each), [...(apart.get(markersOf(each)) ?? []), each]);
    for (const group of apart.values()) this.#addGroup(group);
  }

  #addGroup(group: readonly Sighted[]): void {
    const first = new Map<string, Sighted>();
    for (const each of group) {
      if (this.#knownOf(each) === undefined && !first.has(rootOf(each))) first.set(rootOf(each), each);
    }
    const members = [...first.values()].toSorted((one, other) => gravityOf(one) - gravityOf(other));
    const [lead] = members;
    if (lead !== undefined) {
      const finding = this.#findingOf(lead, members);
      for (const root of first.keys()) this.#byRoot.set(root, finding);
      this.#alsoSeenBy.set(finding.id, new Set());
      this.#emit(finding);
    }
    for (const each of group) this.#noteSeenBy(each);
  }

  #noteSeenBy(sighted: Sighted): void {
    const known = this.#knownOf(sighted);
    if (known !== undefined && known.check !== sighted.check)
      this.#alsoSeenBy.get(known.id)?.add(sighted.check);
  }

  #knownOf(sighted: Sighted): FindingEvent | undefined {
    return this.#byRoot.get(rootOf({ ...sighted, part: undefined })) ?? this.#byRoot.get(rootOf(sighted));
  }

  /** All clauses that were seen broken. */
  get clauses(): ReadonlySet<ClauseId> {
    const findings = [...this.#byRoot.values()];
    const all = findings.flatMap(({ clause, clauses = [] }) => [
      clause,
      ...clauses.map((each) => each.clause),
    ]);
    return new Set(all as ClauseId[]);
  }

  /** True for an exchange that shows a finding already. */
  hasEvidence(exchange: Exchange): boolean {
    return this.#evidence.has(exchange.id);
  }

  /** Finding id → the other checks that met it; findings met once are left out. */
  get alsoSeenBy(): Record<string, readonly string[]> {
    const seen = [...this.#alsoSeenBy].filter(([, checks]) => checks.size > 0);
    return Object.fromEntries(seen.map(([id, checks]) => [id, [...checks].toSorted()]));
  }

  /** What the lead shows, with the clauses and places of all. */
  #findingOf(sighted: Sighted, members: readonly Sighted[]): FindingEvent {
    const { clause, check, metIn, cause, expected, actual, seen, exchanges, known, isScored } = sighted;
    for (const { id } of exchanges) this.#evidence.add(id);
    const { level, text, source } = clauseOf(clause);
    const shown = this.#evidenceOf(sighted);
    const [causing] = shown;
    return {
      type: 'finding',
      id: `F${this.#alsoSeenBy.size + 1}`,
      clause,
      level,
      verdict: verdictWhenBroken(level),
      text,
      source: contractPlace(source),
      check,
      ...(metIn === undefined ? {} : { metIn }),
      ...clausesAndPlaces(members, this.#rules),
      ...(cause === undefined || causing === undefined
        ? {}
        : { cause: { check: cause.check, exchange: causing.id } }),
      expected,
      actual: this.#rules.secrets.clean(actual),
      seen,
      exchanges: shown,
      ...(known === undefined ? {} : { known }),
      ...(isScored === undefined ? {} : { isScored }),
    };
  }

  #named(exchange: Exchange, words: string): JsonPath | undefined {
    return isLong(exchange) ? pathOfNamed(exchange.response?.json, words, this.#rules.runId) : undefined;
  }

  /** The cause first, then what shows it. */
  #evidenceOf({ cause, exchanges, path, expected, actual }: Sighted): readonly EvidenceExchange[] {
    const last = exchanges.length - 1;
    const words = `${expected} ${actual}`;
    const own = exchanges.map((each, index) =>
      evidenceOf(each, this.#rules, (index === last ? path : undefined) ?? this.#named(each, words)),
    );
    return cause?.evidence === undefined ? own : [cause.evidence, ...own];
  }
}

function isLong({ response }: Exchange): boolean {
  return (response?.leftOut?.bytes ?? response?.bytes.byteLength ?? 0) > longestWhole;
}

function clausesAndPlaces(
  members: readonly Sighted[],
  { secrets }: EvidenceRules,
): Pick<FindingEvent, 'clauses' | 'places'> {
  const clauses = new Map<string, BrokenClause>();
  for (const each of members) if (!clauses.has(each.clause)) clauses.set(each.clause, brokenIn(each));
  const places = members.flatMap((each) => placeOf(each, secrets));
  return {
    ...(clauses.size > 1 && { clauses: [...clauses.values()] }),
    ...(places.length > 0 && { places }),
  };
}

function brokenIn({ clause, check }: Sighted): BrokenClause {
  const { level } = clauseOf(clause);
  return { clause, level, verdict: verdictWhenBroken(level), check };
}

function placeOf(
  { clause, path, exchanges, actual }: Sighted,
  secrets: EvidenceRules['secrets'],
): FaultPlace[] {
  const exchange = exchanges.at(-1);
  if (path === undefined || exchange === undefined) return [];
  const text = textOfPath(exchange.response?.json, path);
  const clean = (words: string): string => secrets.clean(words);
  return [{ clause, call: exchange.request.call, path: clean(text), actual: clean(actual) }];
}

function gravityOf({ clause }: Sighted): number {
  return clauseOf(clause).level === 'must' ? 0 : 1;
}

function rootOf(sighted: Omit<Sighted, 'part'> & { part?: string | undefined }): string {
  return [sighted.clause, sighted.part ?? '', markersOf(sighted)].join(' ');
}

/** What is marked otherwise is found apart. */
function markersOf({ known, isScored }: Pick<Sighted, 'known' | 'isScored'>): string {
  return [known === undefined ? '' : 'known', isScored === undefined ? '' : 'not scored'].join(' ');
}
