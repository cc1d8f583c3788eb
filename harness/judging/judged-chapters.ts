import { operationsAround, withChanges } from '../../history/anomalies/around.ts';
import { catalogue, type AnomalyName } from '../../history/anomalies/catalogue.ts';
import { markerRoot } from '../../history/anomalies/findings.ts';
import { freshOf } from '../../history/anomalies/fresh.ts';
import { partOf } from '../../history/anomalies/roots.ts';
import { judgeHistory } from '../../history/judges/index.ts';
import type { Anomaly, Judged } from '../../history/anomalies/judge.ts';
import type { History, Operation } from '../../history/operation.ts';
import { declaredPairs, unreachedIn } from '../../history/situations/tally.ts';
import type { ClauseId } from '../../spec/index.ts';
import type { Exchange } from '../client/exchange.ts';
import type { Target } from '../config/target.ts';
import type { KeptExchanges } from '../record/kept-exchanges.ts';
import type { CheckEvent, Timeline } from '../results/generated/events.ts';
import { enabling } from '../verdict/inapplicable.ts';
import { requestName, type ShownBy, type Sighted } from '../verdict/findings.ts';
import { runWideEvent, type Why } from '../verdict/run-wide-check.ts';
import { historyChecks } from './run-wide-checks.ts';
import { byTime, timelineOf } from './timeline.ts';

/** The run that made a history: its checks are the clients there. */
interface MadeBy {
  readonly exchanges: Pick<KeptExchanges, 'of'>;
  /** Ids of all checks that ran, and of those that passed. */
  readonly checks: ReadonlySet<string>;
  readonly passed: ReadonlySet<string>;
  /** Whether a check says that it brings about what a clause is judged by. */
  readonly arranges: (check: string, clause: ClauseId) => boolean;
}

/** What is to be told of clauses that nothing broke. */
interface Scope {
  /** What was tested, where that is known: it may lack what a clause needs. */
  readonly target?: Target;
  /** Only some checks ran, or none that writes: what they did not reach is nothing to tell of. */
  readonly isNarrowed?: boolean;
  /** Clauses that checks with a body are about. */
  readonly decided?: ReadonlySet<string>;
}

/** A clause that was seen broken, by the anomaly that shows it best. */
interface Found {
  readonly anomaly: Anomaly;
  readonly sighted: Sighted & { readonly shownBy: ShownBy };
  /** Lower for what is no consequence, for checks of the clause's area, and for those that arrange it. */
  readonly rank: number;
}

/** The client of what no check asked for: the way to the end of a channel, before any clock. */
export const preparation = 'preparation';
/** The same of a look at every view after all checks. */
export const closing = 'closing';

/** Findings with what went on around them; the others have their witnesses alone, since each takes some kB. */
const mostSurrounded = 20;

/**
 * The one way from what was recorded to what is found: histories one after another, each judged by itself, as that of a run, the chapters
 * of concurrent clients, or one in a file. What is broken counts whoever met it; what is kept counts of a run only in checks that
 * passed, so that a server which answers by rote proves nothing; what concurrent clients did counts where a read shows something of it.
 */
export class JudgedChapters {
  readonly #found = new Map<ClauseId, Found>();
  readonly #opportunities = new Map<ClauseId, number>();
  /** Clauses for which a situation arose in which they could be broken. */
  readonly #reached = new Set<ClauseId>();
  #count = 0;
  #nothing = 'nothing put it to the test';

  /** Judges a history, and says what came of it beyond what the one before has shown. */
  add(history: History, run?: MadeBy): Judged {
    return this.note(history, freshOf(judgeHistory(history), history.facts.carried), run);
  }

  /** Notes what the judges said of a history. */
  note(history: History, judged: Judged, run?: MadeBy): Judged {
    this.#count += 1;
    const isShown = run !== undefined || showsWhatWasSent(history);
    if (run !== undefined) this.#nothing = 'nothing in checks that passed put it to the test';
    else if (!isShown) this.#nothing = 'no read showed anything that was sent';
    const { opportunities, unreached } = isShown ? keptBy(history, judged, run) : nothingKept;
    for (const [clause, times] of opportunities) {
      this.#opportunities.set(clause, (this.#opportunities.get(clause) ?? 0) + times);
      if (times > 0 && !unreached.has(clause)) this.#reached.add(clause);
    }
    for (const clause of new Set(judged.anomalies.map((each) => each.clause))) {
      const found = this.#foundOf(clause, judged, { history, run });
      const known = this.#found.get(clause);
      this.#found.set(clause, known === undefined ? found : together(known, found));
    }
    return judged;
  }

  /** Each clause that was seen broken, by what shows it best. */
  get sighted(): readonly Sighted[] {
    return [...this.#found.values()].map(({ sighted }) => sighted);
  }

  /** What shows best that a clause is broken. */
  anomalyOf(clause: string): Anomaly | undefined {
    return [...this.#found.values()].find(({ sighted }) => sighted.clause === clause)?.anomaly;
  }

  /** The checks of the history, one an area of the contract. */
  checks({ target, isNarrowed = false, decided = new Set() }: Scope = {}): readonly CheckEvent[] {
    const broken = new Set(this.#found.keys());
    const kept = new Map(
      [...this.#opportunities].filter(([clause]) => !broken.has(clause) && this.#reached.has(clause)),
    );
    const why = (clause: ClauseId): Why => ({
      reason: this.#opportunities.has(clause) && !isNarrowed ? unreachedReason(clause) : this.#nothing,
      ...(target === undefined ? {} : enabling(clause, target)),
    });
    return historyChecks.map((check) => runWideEvent(check, { broken, kept, why, elsewhere: decided }));
  }

  /** A clause with the anomaly that shows it best, and all pages and messages that any of them has to do with. */
  #foundOf(clause: ClauseId, judged: Judged, made: Made): Found {
    const all = judged.anomalies.filter((each) => each.clause === clause);
    const shown = all.map((anomaly) => ({ anomaly, ...metBy(anomaly, made) }));
    const [{ anomaly, metIn, cause, rank }] = shown.toSorted(
      (one, other) =>
        one.rank - other.rank ||
        one.anomaly.witness.length - other.anomaly.witness.length ||
        (one.metIn ?? '').localeCompare(other.metIn ?? ''),
    ) as [(typeof shown)[number]];
    const own = all.flatMap(({ root, breaks }) => [root, ...breaks]);
    const others = [...own, ...all.flatMap(({ dependsOn }) => dependsOn)];
    const requests = all.flatMap((each) => sendsShowing(each, made));
    const timeline = this.#timelineOf(anomaly, made);
    return {
      anomaly,
      rank,
      sighted: {
        clause,
        check: historyChecks.find(({ clauses }) => clauses.includes(clause))?.id ?? 'history',
        anomaly: anomaly.name,
        ...(metIn === undefined ? {} : { metIn }),
        ...(cause === undefined ? {} : { cause }),
        expected: anomaly.expected,
        actual: anomaly.actual,
        // How many situations could have shown it nobody knows: a rule is put to the test more often than a fault can break it.
        seen: { times: judged.breaches.get(clause) ?? all.length },
        exchanges: made.run?.exchanges.of(byTime(anomaly.witness)) ?? [],
        decidedBy: anomaly.decides && made.run?.exchanges.of([anomaly.decides])[0],
        ...(timeline === undefined ? {} : { timeline }),
        shownBy: {
          own: [...own.map((name) => this.#named(name)), ...requests],
          others: [...others.map((name) => this.#named(name)), ...requests],
          isConsequence: all.every(({ explainedBy }) => explainedBy !== undefined),
        },
        watcher: 2 + names.indexOf(anomaly.name) / names.length,
      },
    };
  }

  /** Pages are numbered from 0 in each history. */
  #named(name: string): string {
    return this.#count === 1 ? name : `${name} of history ${this.#count}`;
  }

  /** What exchanges alone do not show: what hooks changed meanwhile, and all of what is kept without its exchanges. */
  #timelineOf(anomaly: Anomaly, { history, run }: Made): Timeline | undefined {
    const { witness } = anomaly;
    if (run !== undefined) {
      const shown = withChanges(history.operations, anomaly);
      if (shown.length === run.exchanges.of(shown).length) return undefined;
      // Nobody but who keeps the history could look up its places.
      return timelineOf(shown, shown, (operation) => {
        const [exchange] = run.exchanges.of([operation]);
        return exchange === undefined ? '' : `exchange ${exchange.id}`;
      });
    }
    const isSurrounded = this.#found.size < mostSurrounded;
    return timelineOf(witness, isSurrounded ? operationsAround(history.operations, witness) : witness);
  }
}

/** A history, and the run that made it. */
interface Made {
  readonly history: History;
  readonly run: MadeBy | undefined;
}

/** Of one clause so many pages and messages are named, however many chapters show it. */
const mostNamed = 2_000;

/** What two histories show of one clause. */
function together(known: Found, found: Found): Found {
  const [best, other] =
    found.rank < known.rank ? [found.sighted, known.sighted] : [known.sighted, found.sighted];
  return {
    ...(best === known.sighted ? known : found),
    sighted: {
      ...best,
      seen: { times: best.seen.times + other.seen.times },
      shownBy: {
        own: [...best.shownBy.own, ...other.shownBy.own].slice(0, mostNamed),
        others: [...best.shownBy.others, ...other.shownBy.others].slice(0, mostNamed),
        isConsequence: best.shownBy.isConsequence === true && other.shownBy.isConsequence === true,
      },
    },
  };
}

function unreachedReason(clause: ClauseId): string {
  const { missing: [one = ''] = [] } = declaredPairs().find((each) => each.clause === clause) ?? {};
  return `not put to the test: none of the situations that it declares arose, such as ${one}`;
}

/** What was put to the test where that counts. */
interface Kept {
  /** How often each clause. */
  readonly opportunities: ReadonlyMap<ClauseId, number>;
  /** Those among them for which no situation arose in which they could be broken. */
  readonly unreached: ReadonlySet<ClauseId>;
}

/**
 * Whether a read shows anything that was sent. Where none does, a server may take all and have nothing, or answer by rote. What was
 * recorded on its way may be the part of a client that reads elsewhere.
 */
function showsWhatWasSent({ facts, operations }: History): boolean {
  const sent = new Set(
    operations.flatMap((each) =>
      each.kind === 'send' && each.outcome === 'accepted' ? [each.content?.digest] : [],
    ),
  );
  return (
    facts.isPartial === true ||
    sent.size === 0 ||
    operations.some(
      (each) => each.kind === 'read' && each.items.some(({ message }) => sent.has(message.content?.digest)),
    )
  );
}

const nothingKept: Kept = { opportunities: new Map(), unreached: new Set() };

function keptBy(history: History, judged: Judged, run: MadeBy | undefined): Kept {
  const counts = (client: string): boolean => run?.passed.has(client) ?? true;
  const clients = new Set(
    history.operations.flatMap(({ kind, client }) => (kind === 'change' ? [] : client)),
  );
  for (const client of [preparation, closing]) clients.delete(client);
  const isWhole = run === undefined || (clients.size > 0 && [...clients].every(counts));
  const isKept = ({ kind, client }: Operation): boolean => kind === 'change' || counts(client);
  const part = isWhole ? history : partOf(history, isKept);
  const { opportunities } = isWhole ? judged : judgeHistory(part);
  const clauses = [...opportunities].flatMap(([clause, count]) => (count > 0 ? [clause] : []));
  return { opportunities, unreached: unreachedIn(part, clauses) };
}

/** What judges call anomalies, causes before what follows from them. */
const names: readonly AnomalyName[] = Object.keys(catalogue) as AnomalyName[];

/** The sends whose answers show an anomaly of the messages that they sent; one that was just accepted only made what reads show. */
function sendsShowing({ witness, root, breaks, dependsOn }: Anomaly, { run }: Made): readonly string[] {
  if (run === undefined) return [];
  const about = [root, ...breaks, ...dependsOn];
  const sends = witness.filter(
    (each) => each.kind === 'send' && about.includes(markerRoot(each.content?.marker ?? '')),
  );
  const isMade = sends.length === 1 && sends.every(({ outcome }) => outcome === 'accepted');
  return isMade ? [] : run.exchanges.of(sends).map(requestName);
}

/** By which checks of a run an anomaly came about. */
interface MetBy extends Pick<Found, 'rank'> {
  readonly metIn?: string | undefined;
  readonly cause?: { readonly check: string; readonly exchange: Exchange } | undefined;
}

function metBy({ clause, witness, explainedBy }: Anomaly, { run }: Made): MetBy {
  const isConsequence = explainedBy !== undefined;
  if (run === undefined) return { rank: isConsequence ? 8 : 0 };
  const { checks, exchanges, arranges } = run;
  const [first] = witness;
  const metIn = witness.findLast(({ client }) => checks.has(client))?.client;
  const [exchange] = first !== undefined && checks.has(first.client) ? exchanges.of([first]) : [];
  const isOwn = metIn?.startsWith(clause.slice(0, clause.indexOf('.') + 1)) === true;
  const isArranged = metIn !== undefined && arranges(metIn, clause);
  return {
    metIn,
    cause: first === undefined || exchange === undefined ? undefined : { check: first.client, exchange },
    rank: (isConsequence ? 8 : 0) + (exchange === undefined ? 4 : 0) + (isOwn ? 0 : isArranged ? 1 : 2),
  };
}
