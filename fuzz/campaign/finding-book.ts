import type { CallName } from '../../spec/calls/index.ts';
import { withoutCurl } from '../../harness/client/curl-line.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import type { RootSeen } from '../../harness/gate/baseline.ts';
import { resendableOf, type SendAgain, withTriedLines } from '../../harness/verdict/send-again.ts';
import type { EvidenceExchange, Phase } from '../../harness/results/generated/events.ts';
import type { ClauseId } from '../../spec/index.ts';
import { plainOf } from '../cases/families/baseline-case.ts';
import type { CaseTrace, Drawn } from '../cases/injection-point.ts';
import { comesAgain, rootOf, standFor, verdictOf, type CaseFailure } from '../judge/failure.ts';
import type { EvidenceOf, Kept } from '../judge/answer-excerpt.ts';
import type { Finding, KnownFailure } from './finding.ts';
import {
  investigate,
  repeat,
  showsEveryTime,
  type Investigated,
  type Repeats,
  type Trial,
} from './investigate.ts';

/** What is known of a root beside its finding. */
interface Sighted {
  times: number;
  /** When it came up first, in ms since the beginning. */
  firstMs: number | undefined;
  readonly clauses: Set<ClauseId>;
  readonly calls: Set<CallName>;
  /** Roots that came up with it and are not told apart from it as long as they do. */
  readonly companions: Set<string>;
  /** Other cases that it came up with, any of which may be its cause where the first is not. */
  readonly others: Suspect[];
}

/** Where in a campaign something was found. */
type At = Omit<CaseTrace, 'drawn'>;

interface FindingBookParts extends Trial {
  /** Sends once more what stands in the streams when a replay begins. */
  readonly fillFeed: () => Promise<void>;
  readonly evidenceOf: EvidenceOf;
  /** Sends a request as it was sent before. */
  readonly sendAgain: SendAgain;
  /** Time since the beginning. */
  readonly elapsedMs: () => number;
  /** Called when a clause comes up for the first time, before anything is tried again. */
  readonly onFailure: (failure: CaseFailure) => void;
  readonly onFinding: (finding: Finding) => void;
  /** Called when trying again goes wrong on our side. */
  readonly onBug: (error: unknown) => void;
}

/** What a campaign found in all. */
export interface FoundInAll {
  readonly findings: readonly Finding[];
  /** Entries of the corpus that no longer fail. */
  readonly fixed: readonly string[];
  /** Every root that was found, or that the corpus has, with what became of it. */
  readonly roots: readonly RootSeen[];
  /** Refusals and errors that came up when the time was over, and count only once they were tried again. */
  readonly untried: number;
}

/** A case that a failure came up with. */
interface Suspect {
  readonly failure: CaseFailure;
  readonly of: CaseTrace;
}

/** What was found, and has not been tried again to the end. */
interface Pending {
  readonly failure: CaseFailure;
  readonly drawn: Drawn;
  readonly at: At;
  /** What is known of the requests that showed it. */
  readonly evidence: readonly EvidenceExchange[];
}

/** Failures tried again at one time, and in all. */
const mostAtOnce = 3;
const mostRoots = 200;
/** Of one root so many errors that do not come again are tried again: any of them may be one that does. */
const mostPassing = 5;
/** Of what does not come again with the first case that it came up with, so many others are tried. */
const mostOthers = 6;

/** Gathers what cases broke by its root, tries the first of each again, and keeps what came of it. */
export class FindingBook {
  readonly #parts: FindingBookParts;
  readonly #findings = new Map<string, Finding>();
  readonly #seen = new Map<string, Sighted>();
  readonly #clausesSeen = new Set<string>();
  readonly #fixed: string[] = [];
  readonly #retried = new Map<string, RootSeen>();
  readonly #trying = new Set<Promise<void>>();
  readonly #toTry: Pending[] = [];
  /** Those to try and those being tried. */
  readonly #pending = new Set<Pending>();
  /** By root, how many errors of the server were tried again in vain. */
  readonly #passing = new Map<string, number>();
  #isClosed = false;

  constructor(parts: FindingBookParts) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#findings.size;
  }

  /**
   * Notes what some cases broke together, the likeliest cause first; the first of a root is tried again. `evidence` is what is known of the
   * requests that showed it: it is all there is of what does not show again.
   */
  found(
    all: readonly CaseFailure[],
    cases: readonly CaseTrace[],
    evidence: () => readonly EvidenceExchange[] = () => [],
  ): void {
    const failures = all.filter((failure) => !this.#isCountedOnly(failure));
    const lead = this.#leadOf(failures);
    for (const failure of failures) this.#suspect(failure, failure === lead ? cases.slice(1) : cases);
    const [at] = cases;
    const drawn = lead && at?.drawn();
    if (lead === undefined || at === undefined || drawn === undefined) return;
    const pending = { failure: lead, drawn, at, evidence: evidence() };
    this.#pending.add(pending);
    this.#toTry.push(pending);
    if (this.#trying.size < mostAtOnce) this.#tryNext();
  }

  #suspect(failure: CaseFailure, cases: readonly CaseTrace[]): void {
    const root = rootOf(failure);
    const others = this.#seen.get(root)?.others;
    if (others === undefined || this.#findings.has(root)) return;
    others.push(...cases.slice(0, mostOthers - others.length).map((of) => ({ failure, of })));
  }

  /** Notes what is wrong with a 429 that is waited out. It is kept as it came: nobody can make the server repeat it. */
  foundLimited(exchange: Exchange, failures: readonly CaseFailure[], phase: Phase): void {
    const drawn = plainOf(exchange.request.call);
    if (failures.length === 0 || drawn === undefined) return;
    const lead = this.#leadOf(failures);
    if (lead === undefined) return;
    const { request, label } = drawn;
    const once = {
      request,
      label,
      failure: lead,
      repeats: { times: 1, of: 1 },
      shrinkSteps: 0,
      exchanges: [exchange],
    };
    const shown = this.#parts.evidenceOf(request, once.exchanges);
    this.#keep(lead, once, shown, drawn, { index: 0, phase, startedMs: 0 });
  }

  /**
   * What one answer shows has one cause: the gravest failure stands for it, the others are its companions. One that comes
   * up with a root which it did not accompany at first has a cause of its own. `undefined` for what is known already.
   */
  #leadOf(failures: readonly CaseFailure[]): CaseFailure | undefined {
    for (const failure of failures) this.#tell(failure);
    const known = failures.flatMap((failure) => this.#noted(failure) ?? []);
    const left = failures.filter(
      (failure) =>
        !this.#seen.has(rootOf(failure)) && !known.some(({ companions }) => companions.has(rootOf(failure))),
    );
    const lead = left.find(({ clause }) => verdictOf(clause) === 'failed') ?? left[0];
    if (lead === undefined || this.#seen.size >= mostRoots) return undefined;
    this.#seen.set(rootOf(lead), {
      times: 1,
      firstMs: this.#parts.elapsedMs(),
      clauses: new Set([lead.clause, ...left.map(({ clause }) => clause)]),
      calls: new Set([lead.call]),
      companions: new Set(left.map(rootOf)),
      others: [],
    });
    return lead;
  }

  #tell(failure: CaseFailure): void {
    if (this.#clausesSeen.has(failure.clause)) return;
    this.#clausesSeen.add(failure.clause);
    this.#parts.onFailure(failure);
  }

  /** One more sighting of a root that is known already. */
  #noted(failure: CaseFailure): Sighted | undefined {
    const known = this.#seen.get(rootOf(failure));
    if (known === undefined) return undefined;
    known.times += 1;
    known.calls.add(failure.call);
    known.clauses.add(failure.clause);
    return known;
  }

  async #tryAgain(pending: Pending): Promise<void> {
    const { failure } = pending;
    const { tried, drawn, at } = await this.#tried(pending);
    if (this.#isClosed || (tried.repeats.of === 0 && this.#parts.isOver())) return;
    this.#pending.delete(pending);
    // Nothing is known of it: the next case that shows it is tried again.
    const isUnknown = failure.isServerError === true && failure.part !== comesAgain && tried.repeats.of === 0;
    if (tried.isUncontrolled || isUnknown) this.#seen.delete(rootOf(failure));
    else if (comesAndGoes(failure, tried.repeats)) this.#countOnly(rootOf(failure));
    else if (tried.exchanges.length > 0)
      this.#keep(failure, tried, await this.#shownBy(failure, tried), drawn, at);
    else this.#keep(failure, tried, this.#asItCame(pending, tried.repeats), drawn, at);
  }

  /** The case that shows it again, of those that it came up with; the first where none does. */
  async #tried(first: Pending): Promise<{ readonly tried: Investigated } & Pick<Pending, 'drawn' | 'at'>> {
    const tried = await investigate(this.#parts, first.drawn, first.failure);
    const others = this.#seen.get(rootOf(first.failure))?.others ?? [];
    // Errors of the server that come and go are no case's own.
    let isSought = first.failure.isServerError !== true && tried.repeats.of > 0 && tried.repeats.times === 0;
    while (isSought && !this.#parts.isOver()) {
      const next = others.shift();
      const drawn = next?.of.drawn();
      if (next === undefined || drawn === undefined) break;
      const again = await investigate(this.#parts, drawn, next.failure);
      if (again.repeats.times > 0) return { tried: again, drawn, at: next.of };
      isSought = !this.#isClosed;
    }
    return { ...first, tried };
  }

  /**
   * An error that comes and goes is counted among the answers; where a clause says that there is none, the chapter as a whole tells. Any
   * other of the root may be one that comes every time.
   */
  #countOnly(root: string): void {
    this.#passing.set(root, (this.#passing.get(root) ?? 0) + 1);
    this.#seen.delete(root);
  }

  /** Whether a failure is a server error of a root of which enough came and went. */
  #isCountedOnly(failure: CaseFailure): boolean {
    return failure.isServerError === true && (this.#passing.get(rootOf(failure)) ?? 0) >= mostPassing;
  }

  #tryNext(): void {
    const next = this.#toTry.shift();
    if (next === undefined) return;
    const trying = this.#tryAgain(next)
      .catch((error: unknown) => this.#parts.onBug(error))
      .finally(() => {
        this.#trying.delete(trying);
        this.#tryNext();
      });
    this.#trying.add(trying);
  }

  /** Resolves when nothing is left to be tried again. */
  async settled(): Promise<void> {
    while (this.#trying.size > 0) {
      // Trying again may find more to try.
      await Promise.all(this.#trying);
    }
  }

  /**
   * Sends the requests of findings again that came every time: they may have hung on what the server held then, and a replay meets it as
   * it will be then, or on what was in flight beside them. One after another, as a replay does; what one answer shows twice, since
   * retention may need as long to leave nothing but what a replay sends first, and what is read back once.
   */
  async lookAgain(): Promise<void> {
    const { isOver, fillFeed } = this.#parts;
    for (let looks = 0; looks < 2; looks += 1) {
      const findings = [...this.#findings.values()].filter(
        ({ failure, repeats, again = repeats }) =>
          (looks === 0 || failure.seenIn === 'answer') && showsEveryTime(again),
      );
      if (findings.length === 0 || isOver()) return;
      await fillFeed();
      for (const finding of findings) await this.#lookAgainAt(finding);
    }
  }

  async #lookAgainAt({
    root,
    request,
    failure,
    again: before = { times: 0, of: 0 },
  }: Finding): Promise<void> {
    const { repeats } = await repeat(this.#parts, request, failure, 1);
    const finding = this.#findings.get(root);
    if (repeats.of === 0 || finding === undefined || this.#isClosed) return;
    const again = { times: before.times + repeats.times, of: before.of + repeats.of };
    this.#findings.set(root, { ...finding, again });
  }

  /** What showed it. Of what an answer shows the whole request is looked at again at the end, of what is read back each line is tried now. */
  async #shownBy(
    { seenIn }: CaseFailure,
    { request, exchanges }: Pick<Investigated, 'request' | 'exchanges'>,
  ): Promise<Kept> {
    const { evidenceOf, sendAgain } = this.#parts;
    const kept = evidenceOf(request, exchanges);
    if (seenIn === 'answer') return kept;
    const lines = [{ evidence: kept.exchanges, resendable: exchanges.flatMap(resendableOf) }];
    const [tried = kept.exchanges] = await withTriedLines(lines, sendAgain, 'sent again');
    return { ...kept, exchanges: tried };
  }

  /** What was known of it when it came up, where no try showed it again. */
  #asItCame({ drawn: { request }, evidence }: Pending, { of }: Repeats): Kept {
    const kept = this.#parts.evidenceOf(request, []);
    const whyNoCurl = of === 0 ? 'it was not tried again' : 'no try of it alone showed this again';
    const exchanges = evidence.length === 0 ? kept.exchanges : evidence;
    return { ...kept, exchanges: exchanges.map((each) => withoutCurl(each, `${whyNoCurl}${asSent(each)}`)) };
  }

  #keep(
    found: CaseFailure,
    tried: Omit<Investigated, 'isUncontrolled'>,
    evidence: Kept,
    { family }: Pick<Finding, 'family'>,
    { index: caseIndex, phase }: At,
  ): void {
    const root = rootOf(found);
    if (this.#isClosed || this.#findings.has(root)) return;
    const finding = {
      ...tried,
      ...evidence,
      ...sightedAs(this.#seen.get(root), found),
      root,
      verdict: verdictOf(found.clause),
      phase,
      family,
      caseIndex,
      isKnown: family === 'corpus',
    };
    this.#findings.set(root, finding);
    this.#parts.onFinding(finding);
  }

  /**
   * Tries earlier failures: those that still fail are known from here on. `onTried` hears how many tries decided
   * something; what is another shard's to try is known all the same.
   */
  async retry(
    corpus: readonly KnownFailure[],
    isOwn: (index: number) => boolean,
    onTried: (tries: number) => void,
  ): Promise<void> {
    for (const { failure } of corpus) {
      const root = rootOf(failure);
      this.#seen.set(root, noSighting());
      this.#retried.set(root, { root, clauses: [failure.clause], state: 'passed' });
    }
    for (const [index, known] of corpus.entries()) {
      // A few requests each; they share the server with nothing yet.
      const state = isOwn(index) ? await this.#retryOne(known, onTried) : 'inconclusive';
      const root = rootOf(known.failure);
      this.#retried.set(root, worse(state, this.#retried.get(root), known));
    }
    // It is new again when none of its entries shows it any more.
    for (const { root, state } of this.#retried.values()) if (state === 'passed') this.#seen.delete(root);
  }

  async #retryOne(known: KnownFailure, onTried: (tries: number) => void): Promise<RootSeen['state']> {
    const { request, name: label } = known;
    const { repeats, hasPassed, ...shown } = await repeat(this.#parts, request, known.failure);
    const isPassing = hasPassed && shown.otherwise?.failure.isServerError === true;
    const last = shown.last ?? (isPassing ? undefined : shown.otherwise);
    onTried(repeats.of);
    if (last === undefined) {
      if (repeats.of > 0) this.#fixed.push(label);
      return repeats.of > 0 ? 'passed' : 'inconclusive';
    }
    const { actual } = last.failure;
    const { expected } = last.kind === 'shows' ? last.failure : known.failure;
    const failure = { ...known.failure, expected, actual };
    const sighted = this.#seen.get(rootOf(failure));
    if (sighted !== undefined) {
      sighted.times += repeats.times;
      sighted.firstMs ??= this.#parts.elapsedMs();
    }
    const tried = { request, label, failure, repeats, shrinkSteps: 0, exchanges: last.exchanges };
    const evidence = await this.#shownBy(failure, tried);
    this.#keep(failure, tried, evidence, { family: 'corpus' }, { index: 0, phase: 'corpus', startedMs: 0 });
    return 'fails';
  }

  /** What was found and what became of the corpus; from here on nothing more is kept. */
  close(): FoundInAll {
    const untried = [...this.#pending].filter((each) => !this.#keepUntried(each));
    this.#isClosed = true;
    const findings = [...this.#findings.values()].map((finding) => ({
      ...finding,
      ...sightedAs(this.#seen.get(finding.root), finding.failure),
    }));
    const untaken = [...this.#retried.values()].filter(({ root }) => !this.#findings.has(root));
    const found = findings.map(({ root, clauses }) => ({
      root,
      clauses: standFor(root, clauses),
      state: 'fails' as const,
    }));
    return { findings, fixed: this.#fixed, roots: [...untaken, ...found], untried: untried.length };
  }

  /** Keeps as it came what is surely wrong, however often: false where a try would have had to tell. */
  #keepUntried(pending: Pending): boolean {
    const { failure, drawn, at } = pending;
    if (failure.isOutcome === true || failure.isServerError === true) return false;
    const { request, label } = drawn;
    const repeats = { times: 0, of: 0 };
    const untried = { request, label, failure, repeats, shrinkSteps: 0, exchanges: [] };
    this.#keep(failure, untried, this.#asItCame(pending, repeats), drawn, at);
    return true;
  }
}

/** What several earlier requests of one root come to together. */
function worse(state: RootSeen['state'], before: RootSeen | undefined, { failure }: KnownFailure): RootSeen {
  const states = [state, before?.state];
  const together = (['fails', 'inconclusive'] as const).find((each) => states.includes(each)) ?? 'passed';
  const clauses = [...new Set([...(before?.clauses ?? []), failure.clause])];
  return { root: rootOf(failure), clauses, state: together };
}

/** A server error that its request does not draw every time: nothing is wrong with what that request tries. */
function comesAndGoes({ part, isServerError }: CaseFailure, repeats: Repeats): boolean {
  return isServerError === true && part !== comesAgain && !showsEveryTime(repeats);
}

/** When it was sent, and the message that it made: what the logs of a server can be searched for. */
function asSent({ startedAt, request, response }: EvidenceExchange): string {
  if (startedAt === undefined || response === undefined) return '';
  const { body } = response;
  const isTold = request.method === 'POST' && body?.isOutline === true;
  return `; it was sent at ${startedAt}${isTold ? `, and the answer had ${body.text}` : ''}`;
}

function noSighting(): Sighted {
  return {
    times: 0,
    firstMs: undefined,
    clauses: new Set(),
    calls: new Set(),
    companions: new Set(),
    others: [],
  };
}

/** What was seen of a root, the clause and the call of its failure first. */
function sightedAs(
  { times, firstMs = 0, clauses, calls, companions }: Sighted = noSighting(),
  failure: CaseFailure,
): Pick<Finding, 'clauses' | 'companions' | 'calls' | 'sightings' | 'firstMs'> {
  const { clause, call } = failure;
  return {
    clauses: [...new Set([clause, ...clauses])],
    companions: [...companions].filter((root) => root !== rootOf(failure)),
    calls: [...new Set([call, ...calls])],
    sightings: times,
    firstMs,
  };
}
