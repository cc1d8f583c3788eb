import { clauseOf } from '../../spec/index.ts';
import type { ClauseId } from '../../spec/index.ts';
import type { Exchange } from '../client/exchange.ts';
import { evidenceOf } from '../client/evidence.ts';
import { withoutSecrets } from '../client/evidence.ts';
import type { EvidenceRules } from '../client/evidence.ts';
import type { JsonPath } from '../client/json-path.ts';
import type { EvidenceExchange, FindingEvent } from '../results/events.ts';

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

/**
 * Gathers what was seen broken into findings: one per clause (and part), however many checks met it. What is known or not
 * scored is a finding of its own, so that it hides no sighting that counts.
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

  /** Notes one sighting; emits a finding when it is the first of its root. */
  add(sighted: Sighted): void {
    const known =
      this.#byRoot.get(rootOf({ ...sighted, part: undefined })) ?? this.#byRoot.get(rootOf(sighted));
    if (known !== undefined) {
      if (known.check !== sighted.check) this.#alsoSeenBy.get(known.id)?.add(sighted.check);
      return;
    }
    const finding = this.#findingOf(sighted);
    this.#byRoot.set(rootOf(sighted), finding);
    this.#alsoSeenBy.set(finding.id, new Set());
    this.#emit(finding);
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

  #findingOf(sighted: Sighted): FindingEvent {
    const { clause, check, metIn, cause, expected, actual, seen, exchanges, known, isScored } = sighted;
    for (const { id } of exchanges) this.#evidence.add(id);
    const { level, text } = clauseOf(clause);
    const shown = this.#evidenceOf(sighted);
    const [causing] = shown;
    return {
      type: 'finding',
      id: `F${this.#byRoot.size + 1}`,
      clause,
      level,
      verdict: level === 'must' ? 'failed' : 'warned',
      text,
      check,
      ...(metIn === undefined ? {} : { metIn }),
      ...(cause === undefined || causing === undefined
        ? {}
        : { cause: { check: cause.check, exchange: causing.id } }),
      expected,
      actual: withoutSecrets(actual, this.#rules.secrets),
      seen,
      exchanges: shown,
      ...(known === undefined ? {} : { known }),
      ...(isScored === undefined ? {} : { isScored }),
    };
  }

  /** The cause first, then what shows it. */
  #evidenceOf({ cause, exchanges, path }: Sighted): readonly EvidenceExchange[] {
    const last = exchanges.length - 1;
    const own = exchanges.map((each, index) =>
      evidenceOf(each, this.#rules, index === last ? path : undefined),
    );
    return cause?.evidence === undefined ? own : [cause.evidence, ...own];
  }
}

function rootOf({
  clause,
  part,
  known,
  isScored,
}: Omit<Sighted, 'part'> & { part?: string | undefined }): string {
  return [
    clause,
    part ?? '',
    known === undefined ? '' : 'known',
    isScored === undefined ? '' : 'not scored',
  ].join(' ');
}
