import { freshOf } from '../../history/anomalies/fresh.ts';
import type { Judged } from '../../history/anomalies/judge.ts';
import { judgeClients } from '../../history/clients/judges/index.ts';
import { suite } from '../../history/clients/traffic.ts';
import { judgeHistory } from '../../history/judges/index.ts';
import type { History, HistoryFacts, Operation } from '../../history/operation.ts';
import type { ClauseId, JudgedClauseId } from '../../spec/index.ts';
import { type Exchange, isAccepted } from '../client/exchange.ts';
import type { Target } from '../config/target.ts';
import type { Scoring } from '../gate/scoring.ts';
import { JudgedChapters } from '../judging/judged-chapters.ts';
import { clientChecks, runWideChecks } from '../judging/run-wide-checks.ts';
import type { KnownSecrets } from '../output/known-secrets.ts';
import { HistoryRecorder } from '../record/history-recorder.ts';
import { brokenClauses } from '../results/broken-clauses.ts';
import type {
  BrokenClause,
  CheckEvent,
  ClauseVerdict,
  FindingEvent,
  FooterEvent,
  ResultEvent,
} from '../results/generated/events.ts';
import { JudgedStream } from '../run/judged-stream.ts';
import type { Sighted } from '../verdict/findings.ts';
import { verdictOfCheck } from '../verdict/tally.ts';
import { carriedOf } from './carried.ts';
import { JudgedClients, whoseIn } from './judged-clients.ts';
import { agentIdIn, isConditional, JudgedWire, mostNamed } from './judged-wire.ts';
import { isOfSuite, recordedByOthers, tokenOf } from './recorded-exchange.ts';

/** The two who keep a contract, or break it. */
type Side = 'server' | 'client';

/** One of them, and what all chapters show of it. */
interface JudgedSide extends Pick<JudgedClients, 'sighted' | 'checks'> {
  readonly side: Side;
  /** Judges a history; how often each clause was broken beyond what the one before has shown. */
  readonly add: (history: History) => ReadonlyMap<JudgedClauseId, number>;
}

function sideOf<Name extends string, Id extends JudgedClauseId>(
  side: Side,
  judge: (history: History) => Judged<Name, Id>,
  chapters: Pick<JudgedClients, 'sighted' | 'checks'> & {
    readonly note: (history: History, judged: Judged<Name, Id>) => unknown;
  },
): JudgedSide {
  return {
    side,
    add: (history) => {
      const judged = freshOf(judge(history), history.facts.carried);
      chapters.note(history, judged);
      return judged.breaches;
    },
    get sighted() {
      return chapters.sighted;
    },
    checks: () => chapters.checks(),
  };
}

/** A chapter is judged once it holds so many operations or items, since what judging takes grows with them. */
const mostOperations = 4_000;
const mostItems = 100_000;

/** How often a clause was seen broken in a chapter. */
export interface Breach {
  readonly side: Side;
  readonly clause: JudgedClauseId;
  readonly times: number;
}

interface TrafficParts {
  readonly target: Target;
  /** How long an accepted write may take to become visible, in ms. */
  readonly settleMs: number;
  readonly scoring: Scoring;
  readonly secrets: KnownSecrets;
  /** What was told in the same stream by whoever judged it before, and was lost. */
  readonly earlier?: readonly FindingEvent[];
  /** Is told of a finding once its chapter was judged, each clause once. */
  readonly onFinding: (finding: FindingEvent) => void;
  /** Is told once all that has come so far is judged. */
  readonly onJudged?: () => void;
  /** Is told of everything that was found in a chapter. */
  readonly onBreach?: (breach: Breach) => void;
  /** A chapter begins; what is returned is told of each of its operations. */
  readonly onChapter?: (facts: HistoryFacts) => (operation: Operation) => void;
}

/**
 * Judges traffic that goes on for days, chapter by chapter: the form of each answer at once, and what was sent and read as a history once
 * enough has come together. Memory is bounded by one chapter and what is carried on from the one before.
 */
export class JudgedTraffic {
  readonly #parts: TrafficParts;
  readonly #stream: JudgedStream;
  readonly #facts: HistoryFacts;
  readonly #wire: JudgedWire;
  readonly #sides = [
    sideOf('server', judgeHistory, new JudgedChapters()),
    sideOf('client', judgeClients, new JudgedClients()),
  ];
  readonly #told = new Set<string>();
  /** Clauses of servers that whoever judged before has told of, whichever part of them was broken. */
  readonly #toldBefore = new Set<string>();
  readonly #wireTimes = new Map<ClauseId, number>();
  /** Credentials of runs of this suite. */
  readonly #ofSuites = new Set<string>();
  readonly #startedMs = performance.now();
  #recorder: HistoryRecorder;
  #items = 0;
  readonly footprint = { requests: 0, messages: 0, bytesWritten: 0 };

  constructor(parts: TrafficParts) {
    this.#parts = parts;
    const { scoring, secrets, target, earlier = [] } = parts;
    this.#facts = { runId: recordedByOthers, settleMs: parts.settleMs, isDurable: false, isPartial: true };
    const told = earlier.length;
    const recorded = { runId: recordedByOthers, baseUrl: target.baseUrl, isRecorded: true };
    this.#stream = new JudgedStream({ scoring, secrets, recorded, told }, parts.onFinding);
    this.#wire = new JudgedWire(target.names);
    this.#recorder = this.#newRecorder();
    for (const finding of earlier)
      for (const { clause } of brokenClauses(finding)) {
        const who = whoseIn(finding);
        if (who === undefined) this.#toldBefore.add(clause);
        else this.#told.add(`${clause} ${who}`);
      }
  }

  /** Takes an exchange, in the order in which they ended. */
  add(exchange: Exchange): void {
    this.footprint.requests += 1;
    if (exchange.request.call === 'send' && isAccepted(exchange)) {
      this.footprint.messages += 1;
      this.footprint.bytesWritten += Buffer.byteLength(exchange.request.body ?? '');
    }
    const token = tokenOf(exchange);
    const agentId = agentIdIn(exchange, this.#parts.target.names);
    if (token !== undefined && isOfSuite(exchange)) this.#ofSuites.add(token);
    if (this.#ofSuites.size > mostNamed) this.#ofSuites.clear();
    this.#wire.add(exchange, token);
    const isKnown = token !== undefined || isRefusedWithout(exchange);
    if (isKnown && !isConditional(exchange)) this.#record(exchange, token, agentId);
    if (this.#recorder.history.operations.length >= mostOperations || this.#items >= mostItems) this.judge();
  }

  /** Judges what has come so far; the next chapter begins with a part of it. */
  judge(): void {
    const { history } = this.#recorder;
    this.#judge(history);
    const { operations, older } = carriedOf(history.operations);
    const carried = { operations: operations.length, older };
    this.#recorder = this.#newRecorder({ ...this.#facts, carried });
    for (const operation of operations) this.#recorder.carryOn(operation);
  }

  /**
   * Judges what has come so far, and carries nothing on: something was not seen, or the server was gone, so that what came before may
   * say nothing of what comes after.
   */
  cut(): void {
    this.#judge(this.#recorder.history);
    this.#recorder = this.#newRecorder();
  }

  /** Judges what is left, and ends the stream; `lost` is why nothing can be concluded beside what was told before. */
  end(lost?: string): readonly ResultEvent[] {
    this.cut();
    const { checks } = this.#wire.report();
    const earlier = (this.#parts.earlier ?? []).flatMap(brokenClauses);
    const all = [...checks, ...this.#sides.flatMap((side) => side.checks())].map((check) =>
      withBroken(check, earlier),
    );
    const about: Pick<FooterEvent, 'footprint' | 'durationMs'> = {
      footprint: this.footprint,
      durationMs: performance.now() - this.#startedMs,
    };
    const [events, footer] = this.#stream.end(all, {
      about,
      trouble: lost ?? (this.footprint.requests === 0 ? undefined : this.#wire.trouble),
      clauses: [...runWideChecks, ...clientChecks].flatMap(({ clauses }) => clauses),
    });
    return [...events, footer];
  }

  #newRecorder(facts = this.#facts): HistoryRecorder {
    this.#items = 0;
    const onOperation = this.#parts.onChapter?.(facts);
    return new HistoryRecorder(facts, this.#parts.target, {
      isCarried: true,
      ...(onOperation === undefined ? {} : { onOperation }),
    });
  }

  #record(exchange: Exchange, token: string | undefined, agentId: string | undefined): void {
    const asked = token === undefined ? withoutCredential(exchange) : asAgent(exchange, token, agentId);
    const isSuites = token === undefined ? isOfSuite(exchange) : this.#ofSuites.has(token);
    const operation = this.#recorder.add(isSuites ? suite : asked.actor, asked);
    if (operation?.kind === 'read') this.#items += operation.items.length;
  }

  #judge(history: History): void {
    for (const each of this.#sides) {
      for (const [clause, times] of each.add(history))
        this.#parts.onBreach?.({ side: each.side, clause, times });
      for (const sighted of each.sighted) if (this.#isNew(sighted)) this.#stream.found(sighted);
    }
    for (const cause of this.#wire.report().causes) {
      const untold = cause.filter((sighted) => this.#isNew(sighted));
      this.#stream.found(...untold);
    }
    this.#tellWire();
    this.#stream.tell();
    this.#parts.onJudged?.();
  }

  #tellWire(): void {
    const times = new Map<ClauseId, number>();
    for (const { problem, times: own } of this.#wire.sightings)
      times.set(problem.clause, (times.get(problem.clause) ?? 0) + own);
    for (const [clause, all] of times) {
      const more = all - (this.#wireTimes.get(clause) ?? 0);
      this.#wireTimes.set(clause, all);
      if (more > 0) this.#parts.onBreach?.({ side: 'server', clause, times: more });
    }
  }

  #isNew({ clause, part = '' }: Pick<Sighted, 'clause' | 'part'>): boolean {
    const root = `${clause} ${part}`;
    const isNew = !this.#told.has(root) && !this.#toldBefore.has(clause);
    this.#told.add(root);
    return isNew;
  }
}

/** A check with the clauses that were broken before it began. */
function withBroken(check: CheckEvent, broken: readonly BrokenClause[]): CheckEvent {
  const own = new Map(
    broken.flatMap((each) => (each.check === check.check ? [[each.clause, each.verdict]] : [])),
  );
  const clauses = check.clauses.map((each): ClauseVerdict => {
    const { clause, level, judged } = each;
    const verdict = own.get(clause);
    return verdict === undefined ? each : { clause, level, judged, verdict };
  });
  return { ...check, clauses, verdict: verdictOfCheck(clauses) };
}

/** Which agent a key of a workspace acts as is left open, so that a feed is of the credential and of whom its answer names. */
function asAgent(exchange: Exchange, token: string, agentId: string | undefined): Exchange {
  const { request } = exchange;
  const isFeed = request.call === 'mentions' && agentId !== undefined;
  const own = isFeed ? `${token}.${agentId}` : token;
  const headers = { ...request.headers, authorization: `Bearer ${own}` };
  const actor = isFeed ? `agent ${token} as ${agentId}` : `agent ${token}`;
  return { ...exchange, actor, request: { ...request, headers } };
}

/** As a request that carries nothing: what stands in place of a credential counts for nothing. */
function withoutCredential(exchange: Exchange): Exchange {
  const { authorization: _, ...headers } = exchange.request.headers;
  return { ...exchange, actor: 'anonymous', request: { ...exchange.request, headers } };
}

/** Where nothing behind adds a credential either. What only stands in place of one comes as a digest in parentheses. */
function isRefusedWithout({ request: { headers }, response, fault }: Exchange): boolean {
  const isWithout = /^\(|^$/.test(headers['authorization'] ?? '');
  return isWithout && response?.status === 401 && fault === undefined;
}
