import { setTimeout as sleep } from 'node:timers/promises';
import { lookAgain, lookAtEnds, lookOnce, readAll, type View, viewsOf } from '../../harness/chapter/views.ts';
import type { Patience } from '../../harness/chapter/patience.ts';
import type { Actor } from '../../harness/client/actor.ts';
import { evidenceOf, type EvidenceRules } from '../../harness/client/evidence.ts';
import { isAccepted, type Exchange } from '../../harness/client/exchange.ts';
import type { RoleName } from '../../harness/config/roles.ts';
import type { Target } from '../../harness/config/target.ts';
import type { EndedCall } from '../../harness/hooks/hook-protocol.ts';
import { HistoryRecorder, noteHook } from '../../harness/record/history-recorder.ts';
import { KeptExchanges } from '../../harness/record/kept-exchanges.ts';
import type { EvidenceExchange } from '../../harness/results/generated/events.ts';
import type { Operation } from '../../history/operation.ts';
import type { Sequence } from '../../history/sequence.ts';
import type { ExpectedOutcome, OracleFacts } from '../../spec/oracles/requests/expectation.ts';
import { clauseOf, type ClauseId } from '../../spec/index.ts';
import type { ChapterMarkers } from '../cases/markers.ts';
import { comesAgain, type CaseFailure } from '../judge/failure.ts';
import { evidenceOfOperations } from './evidence-of-operations.ts';
import { FormsShown } from './forms-shown.ts';
import type { AnomalyName } from '../../history/anomalies/catalogue.ts';
import { isStated, rootsOf } from '../../history/anomalies/roots.ts';
import type { Anomaly, Judged } from '../../history/anomalies/judge.ts';

/** A chapter holds so many operations at most, and so many bytes of what was sent. */
const mostOperations = 12_000;
const mostBytes = 12_000_000;
/** Of the views of others one in so many is looked at in full. */
const others = 3;
/** How the ends of views are looked at. */
const tails = [
  { limit: 1, back: 3, pages: 2 },
  { limit: 2, back: 5, pages: 2 },
  { limit: 7, back: 20, pages: 2 },
  { limit: 50, back: 60, pages: 2 },
  { limit: 99, back: 110, pages: 2 },
];
/** Sends that are under way when a chapter is judged are waited for so long at most, in ms. */
const longestWaitMs = 20_000;

/** What is known of the request of a case when it is recorded. */
interface Sending<Owner> {
  /** Whom to tell of what it breaks; absent for what no case asked. */
  readonly owner?: Owner | undefined;
  /** The marker that its body carries; `undefined` where there is none. */
  readonly marker?: string | undefined;
  /** What its request is to come to, where the oracle was asked already. */
  readonly expected?: ExpectedOutcome;
}

/** What a chapter shows at one root. */
interface Shown<Owner> {
  /** Whose requests show it, those that sent what it is about before those that read it; none where no case did. */
  readonly owners: readonly Owner[];
  readonly failures: readonly CaseFailure[];
  /** The exchanges that show it, the cause first; only of chapters that keep them. */
  readonly exchanges: readonly Exchange[];
  /** What is known of them, the cause first, whether they are kept or not. */
  readonly evidence: () => readonly EvidenceExchange[];
}

/** What came of a chapter. */
export interface Judgement<Owner> {
  readonly shown: readonly Shown<Owner>[];
  /** How often each clause was put to the test. */
  readonly opportunities: ReadonlyMap<ClauseId, number>;
  readonly operations: number;
  /** Cases that sent something. */
  readonly sends: number;
  /** False where its last look came to no end, or left a stream out: then what it does not show may be there. */
  readonly isWhole: boolean;
}

/**
 * What a chapter is for: the cases of a campaign, or a few of which the exchanges are kept to show them; `brief` where what those
 * show themselves is all that counts, `apart` for one case that changes things, which every agent looks at meanwhile; `bare` to learn
 * who is there, which leaves feeds empty.
 */
export type ChapterKind = 'campaign' | 'few' | 'brief' | 'apart' | 'bare';

/** Where a chapter takes place. */
interface ChapterPlace {
  readonly target: Target;
  readonly markers: ChapterMarkers;
  readonly settleMs: number;
  readonly patience: Patience;
  readonly kind: ChapterKind;
  readonly asked: OracleFacts;
  /** True where requests are limited: then what can be left out is. */
  readonly isLimited: () => boolean;
  /** Which of the campaign it is. */
  readonly turn: number;
  /** How what is kept is shown. */
  readonly rules: EvidenceRules;
  /** Sends without a marker that other chapters have under way. */
  readonly unmarked: ReadonlySet<Promise<unknown>>;
}

/** Who looks at what is there, the sender of the cases first, and since when. */
interface Lookers {
  readonly agents: ReadonlyMap<RoleName, Actor>;
  readonly starts: ReadonlyMap<string, Sequence>;
  /** False where a stream is not looked at, since nobody knows where it began. */
  readonly areAllKnown: boolean;
}

/**
 * A history of its own: requests of cases between anchors and a last look at everything, with one record, judged as a whole
 * and then forgotten.
 */
export class Chapter<Owner> {
  readonly markers: ChapterMarkers;
  readonly #place: ChapterPlace;
  readonly #recorder: HistoryRecorder;
  readonly #owners = new Map<number, Owner>();
  readonly #ownersOf = new Map<string, Owner>();
  /** Markers by the ids that answers to sends told. */
  readonly #markersOf = new Map<string, string>();
  readonly #kept: KeptExchanges | undefined;
  /** Ids of exchanges by the index of their operation. */
  readonly #exchangeIds = new Map<number, number>();
  readonly #forms: FormsShown;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #exempt = new Set<string>();
  readonly #startedMs = performance.now();
  #operations = 0;
  #sends = 0;
  #bytes = 0;
  #looks = 0;
  /** By view, a cursor that something of the chapter stands before, and something behind. */
  readonly #held = new Map<string, Sequence>();

  constructor(place: ChapterPlace) {
    const { markers, settleMs, target } = place;
    this.#place = place;
    this.markers = markers;
    const facts = { runId: markers.runId, settleMs, isDurable: false };
    this.#recorder = new HistoryRecorder(facts, target, { asked: place.asked });
    this.#kept = place.kind === 'campaign' ? undefined : new KeptExchanges(place.rules);
    this.#forms = new FormsShown({ names: target.names, runId: markers.runId, isUncounted: true }, (id) =>
      this.#markersOf.get(id),
    );
  }

  /** Cases that sent something. */
  get sends(): number {
    return this.#sends;
  }

  /** Whether it holds as much as fits, or has gone on for so long, in ms. */
  isFull(longestMs: number): boolean {
    return this.#isLarge(1) || performance.now() - this.#startedMs > longestMs;
  }

  /** Whether nothing more fits until it has been judged. */
  get isOverfull(): boolean {
    return this.#isLarge(3);
  }

  #isLarge(times: number): boolean {
    return this.#operations > times * mostOperations || this.#bytes > times * mostBytes;
  }

  /** An answer that is under way: the chapter is not closed before it has come. */
  async during<T>(answer: Promise<T>): Promise<T> {
    this.#underWay.add(answer);
    try {
      return await answer;
    } finally {
      this.#underWay.delete(answer);
    }
  }

  /** Takes down what was asked and answered. */
  record(exchange: Exchange, sending: Sending<Owner> = {}): Operation | undefined {
    const { owner, marker, expected } = sending;
    const operation = this.#recorder.add('campaign', exchange, expected);
    if (operation === undefined) return undefined;
    this.#operations += 1;
    this.#kept?.add(operation, exchange);
    this.#exchangeIds.set(operation.index, exchange.id);
    if (operation.kind === 'send') {
      this.#sends += 1;
      if (marker !== undefined && operation.shown?.id !== undefined)
        this.#markersOf.set(operation.shown.id, marker.slice(0, -1));
      // Of the message of a send that had to be refused nothing more is required.
      const isWronglyTaken = operation.expected === 'reject' && isAccepted(exchange);
      if (isWronglyTaken && marker !== undefined) this.#exempt.add(marker.slice(0, -1));
      this.#bytes += exchange.request.body?.length ?? 0;
    }
    if (owner === undefined) return operation;
    this.#owners.set(operation.index, owner);
    if (marker !== undefined) this.#ownersOf.set(marker.slice(0, -1), owner);
    return operation;
  }

  /** Every view of those that look; the form of pages is judged by the messages that they show. */
  #views({ agents, starts }: Lookers): readonly View[] {
    const { channelId, secondChannelId } = this.#place.target;
    return viewsOf({
      starts,
      channels: [channelId, secondChannelId].flatMap((id) => id ?? []),
      agents: [...agents.keys()],
      askerOf: (role) => async (request) => {
        const exchange = await agents.get(role as RoleName)?.ask(request);
        if (exchange === undefined) return undefined;
        this.#forms.look(exchange);
        return this.record(exchange);
      },
    });
  }

  /** Takes down what the operator did. */
  change(call: EndedCall): void {
    noteHook(this.#recorder, call);
  }

  /** Looks at every view once, in another way each time. */
  async look(lookers: Lookers): Promise<void> {
    this.#looks += 1;
    await Promise.all(
      this.#views(lookers).map(async (view, at) => {
        const held = this.#held.get(view.stream);
        const [first] = (await lookOnce(view, at + this.#looks, held))?.items ?? [];
        if (held === undefined && first?.sequence !== undefined) this.#held.set(view.stream, first.sequence);
      }),
    );
  }

  /** Looks at everything once more, and judges all that it holds. */
  async close(lookers: Lookers): Promise<Judgement<Owner>> {
    const { settleMs, turn, unmarked } = this.#place;
    await within(longestWaitMs, this.#underWay);
    await sleep(settleMs);
    const { isWhole, known } = await readAll(this.#views(lookers));
    const kind = this.#place.isLimited() ? 'brief' : this.#place.kind;
    // What the sender of the cases sees is looked at in full, what others see in turn.
    const isBrief = ({ agent }: View, at: number): boolean =>
      kind === 'brief' ||
      kind === 'apart' ||
      (kind === 'campaign' && agent !== 'author' && (at + turn) % others !== 0);
    if (kind !== 'apart')
      await Promise.all(known.map((view, at) => lookAtEnds(view, isBrief(view, at) ? [] : tails)));
    else if (this.#looks === 0) await this.look(lookers);
    await sleep(settleMs);
    await Promise.all(known.map((view, at) => lookAgain(view, isBrief(view, at))));
    await within(longestWaitMs, unmarked);
    const judged = await this.#place.patience.judge({
      history: this.#recorder.history,
      readOn: () => readAll(this.#views(lookers)),
    });
    return this.#judgement(judged, isWhole && lookers.areAllKnown);
  }

  #judgement({ opportunities, anomalies }: Judged, isWhole: boolean): Judgement<Owner> {
    const idOf = ({ index }: Operation): number | undefined => this.#exchangeIds.get(index);
    const shown = failuresOf(anomalies, (marker) => this.#exempt.has(marker), idOf).map(
      ({ failures, witness }): Shown<Owner> => ({
        owners: this.#ownersIn(witness),
        failures,
        exchanges: this.#kept?.of(witness) ?? [],
        evidence: () => evidenceOfOperations(witness, idOf),
      }),
    );
    const formed = this.#forms.shown.flatMap(({ marker, failures, exchange }): Shown<Owner>[] => {
      const owner = this.#ownersOf.get(marker);
      const owners = owner === undefined ? [] : [owner];
      const evidence = (): readonly EvidenceExchange[] => [evidenceOf(exchange, this.#place.rules)];
      return [{ owners, failures, exchanges: this.#kept === undefined ? [] : [exchange], evidence }];
    });
    // What a case shows is told by that.
    const all = [...formed, ...shown].toSorted(
      (one, other) => Number(one.owners.length === 0) - Number(other.owners.length === 0),
    );
    return {
      shown: all,
      opportunities,
      operations: this.#operations,
      sends: this.#sends,
      isWhole,
    };
  }

  #ownersIn(witness: readonly Operation[]): readonly Owner[] {
    const sends = witness.filter(({ kind }) => kind === 'send');
    return [...new Set([...sends, ...witness].flatMap(({ index }) => this.#owners.get(index) ?? []))];
  }
}

/** Waits until all have ended, or the time is over. */
async function within(longestMs: number, all: ReadonlySet<Promise<unknown>>): Promise<void> {
  if (all.size > 0)
    await Promise.race([Promise.allSettled(all), sleep(longestMs, undefined, { ref: false })]);
}

/** What went wrong at one root. */
interface Root {
  /** The gravest first. */
  readonly failures: readonly CaseFailure[];
  /** What shows the first, its cause first. */
  readonly witness: readonly Operation[];
}

/** What each answer of a case is held against by itself. */
const byAnswers: ReadonlySet<AnomalyName> = new Set<AnomalyName>(['turned-away', 'let-in']);

/** What judges found, as failures of cases; but for the messages of sends of which nothing more is required. */
function failuresOf(
  anomalies: readonly Anomaly[],
  isExempt: (marker: string) => boolean,
  idOf: (operation: Operation) => number | undefined,
): readonly Root[] {
  return rootsOf(anomalies).flatMap(({ all }): readonly Root[] => {
    const judged = all.filter(
      ({ clause, name }) => clauseOf(clause).level !== 'silent' && !byAnswers.has(name),
    );
    const lead = judged.find(isStated) ?? judged[0];
    if (lead === undefined || lead.witness.some((each) => isSendOf(each, isExempt))) return [];
    const failures = [lead, ...judged.filter((each) => each !== lead)].flatMap((each) => {
      const decidedBy = each.decides && idOf(each.decides);
      return failureOf(each).map((failure) => ({ ...failure, decidedBy }));
    });
    return [{ failures, witness: lead.witness }];
  });
}

function isSendOf(operation: Operation, isMeant: (marker: string) => boolean): boolean {
  return operation.kind === 'send' && isMeant(operation.content?.marker ?? '');
}

function failureOf({ clause, name, expected, actual, witness }: Anomaly): readonly CaseFailure[] {
  const first = witness.find(({ kind }) => kind === 'read' || kind === 'send');
  const call = first?.kind === 'read' ? first.call : first?.kind === 'send' ? 'send' : undefined;
  if (call === undefined) return [];
  const told = { clause, call, expected, actual } as const;
  return name === 'server-error'
    ? [{ ...told, part: comesAgain, seenIn: 'answer', isServerError: true }]
    : [{ ...told, part: name, seenIn: 'readBack' }];
}
