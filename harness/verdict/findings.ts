import { markerRoot } from '../../history/anomalies/findings.ts';
import { markerPattern } from '../../history/markers.ts';
import { clauseOf, clauses, clientClauses, contractPlace, type JudgedClauseId } from '../../spec/index.ts';
import { evidenceOf, type EvidenceRules } from '../client/evidence.ts';
import type { Exchange } from '../client/exchange.ts';
import { type JsonPath, textOfPath } from '../client/json-path.ts';
import { idOfMessage, pathOfNamed } from '../client/page-outline.ts';
import { decidingExchange } from '../results/deciding-exchange.ts';
import type {
  BrokenClause,
  EvidenceExchange,
  FaultPlace,
  FindingEvent,
  Timeline,
} from '../results/generated/events.ts';
import { verdictWhenBroken } from './outcome.ts';
import { type Resendable, resendableOf, type SendAgain, withTriedLines } from './send-again.ts';
import { push } from '../../spec/groups.ts';

/** A clause seen broken by one check, before it is known whether another met the same. */
export interface Sighted {
  readonly clause: JudgedClauseId;
  /** Part of the clause, for wire rules: two broken parts are two findings. */
  readonly part?: string;
  readonly check: string;
  /** The check whose exchange showed it, when `check` only watches. */
  readonly metIn?: string;
  /** The check that caused it, with the exchange by which it did: the first, another of `exchanges`, or one that is not among them. */
  readonly cause?: {
    readonly check: string;
    readonly exchange?: Exchange;
    readonly evidence?: EvidenceExchange;
  };
  /** Where the object at fault stands in the answer of the last exchange. */
  readonly path?: JsonPath;
  readonly expected: string;
  readonly actual: string;
  readonly seen: FindingEvent['seen'];
  readonly changes?: FindingEvent['changes'];
  readonly exchanges: readonly Exchange[];
  /** The one of these that decides, where that need not be the last. */
  readonly decidedBy?: Exchange | undefined;
  /** What judges of histories call it, and what went on where exchanges alone do not show that. */
  readonly anomaly?: string;
  readonly timeline?: Timeline;
  /** What shows it: requests, pages, messages. Left out, they are taken from its exchanges. */
  readonly shownBy?: ShownBy;
  /** Among those that only watch, the lower one goes before; a check with a body goes before them all. */
  readonly watcher?: number;
  /** Why the baseline expects it. */
  readonly known?: string;
  /** False when the requirement set does not have the check. */
  readonly isScored?: false;
}

/** Names of requests, pages and messages, by which what is broken is told to have one cause. */
export interface ShownBy {
  /** What else one of these shows lies under this clause. */
  readonly own: readonly string[];
  /** This clause lies under what else one of these shows. */
  readonly others: readonly string[];
  /** It was seen only where others are at fault. */
  readonly isConsequence?: boolean;
}

/** A page of so many bytes is shown as it is; in a longer one only the item that the finding names. */
const longestWholeText = 2_000;

/** A sighting without its exchanges: kept until the end, their answers would take all the memory of a run. */
type Told = Omit<Sighted, 'exchanges' | 'decidedBy' | 'shownBy'>;

/** A clause, or a part of one, with all that was seen of it. */
interface Broken {
  /** What shows it best, where, and the finding that it would lead. */
  best: Told;
  places: readonly FaultPlace[];
  draft: Omit<FindingEvent, 'id' | 'clauses' | 'places'>;
  /** What its lines send, where that can be tried. */
  resendable: readonly Resendable[];
  isConsequence: boolean;
  readonly own: Set<string>;
  readonly others: Set<string>;
  readonly seenBy: Set<string>;
}

/**
 * Gathers what was seen broken into findings: one per cause, however many checks met it. Which clause leads is told only when
 * all is known: one that is stated, and of its own check, before others. Under it lies what the same requests, pages or messages
 * show. What is known or not scored is a finding of its own, so that it hides no sighting that counts.
 */
export class Findings {
  readonly #rules: EvidenceRules;
  readonly #emit: (finding: FindingEvent) => void;
  readonly #namesOf: (exchange: Exchange) => readonly string[];
  readonly #broken = new Map<string, Broken>();
  readonly #alsoSeenBy = new Map<string, readonly string[]>();
  readonly #takingAll = new Set<string>();
  readonly #told: number;
  #causes = 0;

  /** `namesOf`: the pages and messages of an exchange, as the judges of a history name them. `told`: findings of the stream so far. */
  constructor(
    rules: EvidenceRules,
    emit: (finding: FindingEvent) => void,
    namesOf: (exchange: Exchange) => readonly string[] = () => [],
    told = 0,
  ) {
    this.#told = told;
    this.#rules = rules;
    this.#emit = emit;
    this.#namesOf = namesOf;
  }

  /** Notes sightings of one cause. */
  add(...sighted: readonly Sighted[]): void {
    this.#causes += 1;
    const cause = sighted.length > 1 ? [`cause ${this.#causes}`] : [];
    for (const each of sighted) {
      const { own, others, isConsequence = false } = each.shownBy ?? this.#shownBy(each);
      const broken = this.#brokenBy(each);
      for (const name of [...own, ...cause]) broken.own.add(name);
      for (const name of [...others, ...cause]) broken.others.add(name);
      broken.seenBy.add(each.check);
      broken.isConsequence &&= isConsequence;
    }
  }

  #brokenBy(sighted: Sighted): Broken {
    const root = rootOf(sighted);
    const known = this.#broken.get(root);
    if (known === undefined) {
      const clause = `clause ${sighted.clause}`;
      const broken: Broken = {
        ...this.#toldOf(sighted),
        isConsequence: true,
        // A part of a clause lies under the whole of it.
        own: new Set(sighted.part === undefined ? [clause] : []),
        others: new Set([clause]),
        seenBy: new Set(),
      };
      this.#broken.set(root, broken);
      return broken;
    }
    if (isBefore(findingRank(sighted), findingRank(known.best))) Object.assign(known, this.#toldOf(sighted));
    return known;
  }

  #toldOf(sighted: Sighted): Pick<Broken, 'best' | 'places' | 'draft' | 'resendable'> {
    const { exchanges, decidedBy: _decidedBy, shownBy: _shownBy, ...best } = sighted;
    return {
      best,
      places: placeOfFinding(sighted, this.#rules.secrets),
      draft: this.#draftOf(sighted),
      resendable: exchanges.flatMap(resendableOf),
    };
  }

  /**
   * A request that a check judged, and the messages that it sent or names; the last is the one that decided. Where that is a send, its
   * answer decided: how the message is shown afterwards has nothing to do with that.
   */
  #shownBy({ exchanges, expected, actual }: Sighted): ShownBy {
    const last = exchanges.at(-1);
    const sends = exchanges.filter(({ request }) => request.call === 'send');
    const shown = last === undefined || last.request.call === 'send' ? [] : [...sends, last];
    const named = `${expected} ${actual}`.match(markerPattern(this.#rules.runId, 'g')) ?? [];
    const decisive = [
      ...(last === undefined ? [] : [requestName(last)]),
      ...sends.map(requestName),
      ...shown.flatMap((each) => this.#namesOf(each)),
      ...named.map(markerRoot),
    ];
    return { own: [...decisive, ...exchanges.map(requestName)], others: decisive };
  }

  /** Sends once more what the lines of findings would; what no longer shows the fault loses its line. */
  async sendAgain(send: SendAgain): Promise<void> {
    const all = [...this.#broken.values()];
    const lines = all.map(({ draft, resendable }) => ({ evidence: draft.exchanges, resendable }));
    const tried = await withTriedLines(lines, send, 'when the run ended');
    for (const [at, broken] of all.entries())
      broken.draft = { ...broken.draft, exchanges: tried[at] ?? broken.draft.exchanges };
  }

  /** Tells of all that was found, what decides most first; `alsoSeenBy` is known from then on. */
  close(): void {
    const groups = this.#grouped();
    this.#broken.clear();
    for (const [lead, ...others] of groups) {
      const members = [lead, ...others];
      const id = `F${this.#told + this.#alsoSeenBy.size + 1}`;
      const seenBy = new Set(members.flatMap((each) => [...each.seenBy]));
      seenBy.delete(lead.best.check);
      this.#alsoSeenBy.set(id, [...seenBy].toSorted());
      const { type, ...draft } = lead.draft;
      const taking = this.#takingAll.has(leadName(lead.best)) ? { showsAlone: false as const } : {};
      this.#emit({ type, id, ...draft, ...taking, ...clausesAndPlaces(members) });
    }
  }

  /** By check, the clauses of the findings that it showed by its own exchanges. */
  get leads(): ReadonlyMap<string, readonly JudgedClauseId[]> {
    const leads = new Map<string, JudgedClauseId[]>();
    for (const [{ best }] of this.#grouped())
      if (best.metIn === undefined) push(leads, best.check, best.clause);
    return leads;
  }

  /** Notes that a check by itself does not show a finding that it leads. */
  takesAll(check: string, clause: JudgedClauseId): void {
    this.#takingAll.add(leadName({ check, clause }));
  }

  /** What is broken, cause by cause: first what leads. */
  #grouped(): readonly (readonly [Broken, ...Broken[]])[] {
    const left = new Set([...this.#broken.values()].toSorted(byGravity));
    return [...left].flatMap((lead) => {
      if (!left.has(lead)) return [];
      const members = under(lead, left);
      for (const each of [lead, ...members]) left.delete(each);
      return [[lead, ...members] as const];
    });
  }

  /** Finding id → the other checks that met it; findings met once are left out. */
  get alsoSeenBy(): Record<string, readonly string[]> {
    return Object.fromEntries([...this.#alsoSeenBy].filter(([, checks]) => checks.length > 0));
  }

  #draftOf(sighted: Sighted): Broken['draft'] {
    const { clause, check, metIn, cause, expected, actual, seen, known, isScored } = sighted;
    const { anomaly, changes, decidedBy, timeline } = sighted;
    const { level, text, source } = clauseOf(clause);
    const shown = this.#evidenceOf(sighted);
    const causing = cause?.exchange?.id ?? shown[0]?.id;
    return {
      type: 'finding',
      clause,
      level,
      verdict: verdictWhenBroken(level),
      text,
      source: contractPlace(source),
      check,
      ...(metIn === undefined ? {} : { metIn }),
      ...(cause === undefined || causing === undefined
        ? {}
        : { cause: { check: cause.check, exchange: causing } }),
      ...(anomaly === undefined ? {} : { anomaly }),
      expected,
      actual: this.#rules.secrets.clean(actual),
      seen,
      exchanges: shown,
      ...(decidedBy === undefined ? {} : { decidedBy: decidedBy.id }),
      ...(changes === undefined || changes.length === 0 ? {} : { changes }),
      ...(timeline === undefined ? {} : { timeline }),
      ...(known === undefined ? {} : { known }),
      ...(isScored === undefined ? {} : { isScored }),
    };
  }

  #named(exchange: Exchange, words: string): JsonPath | undefined {
    return isLong(exchange) ? pathOfNamed(exchange.response?.json, words, this.#rules.runId) : undefined;
  }

  /** What caused it before what shows it, where that is told by itself. */
  #evidenceOf({ cause, exchanges, path, expected, actual }: Sighted): readonly EvidenceExchange[] {
    const last = exchanges.length - 1;
    const words = `${expected} ${actual}`;
    const made = new Set(exchanges.flatMap(idOfMade));
    const own = exchanges.map((each, index) =>
      evidenceOf(each, this.#rules, {
        path: (index === last ? path : undefined) ?? this.#named(each, words),
        // Where they name no item of a page it is that of the one message that was sent.
        words: [words, ...(made.size === 1 ? made : [])],
      }),
    );
    return cause?.evidence === undefined ? own : [cause.evidence, ...own];
  }
}

/** The id of the message that a send was answered with. */
function idOfMade({ request, response }: Exchange): readonly string[] {
  const id = request.call === 'send' ? idOfMessage(response?.json) : undefined;
  return id === undefined ? [] : [id];
}

function isLong({ response }: Exchange): boolean {
  return (response?.leftOut?.bytes ?? response?.bytes.byteLength ?? 0) > longestWholeText;
}

function leadName({ check, clause }: Pick<Told, 'check' | 'clause'>): string {
  return `${check} ${clause}`;
}

/** An exchange, as what shows a clause broken. */
export function requestName({ id }: Exchange): string {
  return `request ${id}`;
}

/** What the same requests, pages or messages show, and what follows from any of that. */
function under(lead: Broken, left: ReadonlySet<Broken>): readonly Broken[] {
  const others = [...left].filter((each) => each !== lead && markersOf(each.best) === markersOf(lead.best));
  const isShown = ({ others: names }: Broken, own: ReadonlySet<string>): boolean =>
    [...names].some((name) => own.has(name));
  const direct = others.filter((each) => isShown(each, lead.own));
  const all = new Set(direct.flatMap(({ own }) => [...own]));
  return others.filter((each) => direct.includes(each) || (each.isConsequence && isShown(each, all)));
}

function clausesAndPlaces(members: readonly Broken[]): Pick<FindingEvent, 'clauses' | 'places'> {
  const clauses = new Map<string, BrokenClause>();
  const shown = new Set(members[0]?.draft.exchanges.map(({ id }) => id));
  for (const each of members)
    if (!clauses.has(each.best.clause)) clauses.set(each.best.clause, brokenClause(each, shown));
  const places = members.flatMap((each) => each.places);
  return {
    ...(clauses.size > 1 && { clauses: [...clauses.values()] }),
    ...(places.length > 0 && { places }),
  };
}

/** A clause with the exchange that decided it, whole where it is not among those that are `shown`; from then on it is. */
function brokenClause({ best: { clause, check }, draft }: Broken, shown: Set<number>): BrokenClause {
  const { level } = clauseOf(clause);
  const broken = { clause, level, verdict: verdictWhenBroken(level), check };
  const exchange = decidingExchange(draft);
  if (exchange === undefined) return broken;
  const { id } = exchange;
  const told = { ...broken, decidedBy: id, ...(!shown.has(id) && { exchange }) };
  shown.add(id);
  return told;
}

function placeOfFinding(
  { clause, path, exchanges, actual }: Sighted,
  secrets: EvidenceRules['secrets'],
): FaultPlace[] {
  const exchange = exchanges.at(-1);
  if (path === undefined || exchange === undefined) return [];
  const text = textOfPath(exchange.response?.json, path);
  const clean = (words: string): string => secrets.clean(words);
  return [{ clause, call: exchange.request.call, path: clean(text), actual: clean(actual) }];
}

/** Values that are compared one after the other. */
type Rank = readonly (number | string)[];

/** The clause's own check before others, those before what only watches, and what came every time before what did not. */
function findingRank({ clause, check, metIn, seen, watcher = 0 }: Told): Rank {
  const isOwn = areaOfId(metIn ?? check) === areaOfId(clause);
  return [watcher, isOwn ? 0 : 1, isIntermittent(seen) ? 1 : 0, check, metIn ?? ''];
}

/** What the contract states before what it implies, causes before what follows from them; then as the register has them. */
function gravityOf({ best, isConsequence }: Broken): Rank {
  const { clause, part = '', watcher = 0, seen } = best;
  return [
    clauseOf(clause).level === 'must' ? 0 : 1,
    isConsequence ? 1 : 0,
    watcher === 0 && isIntermittent(seen) ? 1 : 0,
    ...findingRank(best).slice(0, 2),
    placesInRegister.get(clause) ?? 0,
    part,
  ];
}

const placesInRegister: ReadonlyMap<JudgedClauseId, number> = new Map(
  [...clauses, ...clientClauses].map(({ id }, index) => [id, index]),
);

function byGravity(one: Broken, other: Broken): number {
  return isBefore(gravityOf(one), gravityOf(other)) ? -1 : 1;
}

function isBefore(one: Rank, other: Rank): boolean {
  const index = one.findIndex((value, at) => value !== other[at]);
  const [left, right] = [one[index], other[index]];
  return left !== undefined && right !== undefined && left < right;
}

function isIntermittent({ times, of = times }: Sighted['seen']): boolean {
  return times < of;
}

function areaOfId(id: string): string {
  return id.slice(0, id.indexOf('.'));
}

function rootOf(sighted: Told): string {
  return [sighted.clause, sighted.part ?? '', markersOf(sighted)].join(' ');
}

/** What is marked otherwise is found apart. */
function markersOf({ known, isScored }: Pick<Sighted, 'known' | 'isScored'>): string {
  return [known === undefined ? '' : 'known', isScored === undefined ? '' : 'not scored'].join(' ');
}
