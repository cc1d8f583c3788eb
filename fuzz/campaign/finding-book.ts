import { withoutCurl } from '../../harness/client/curl-line.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import type { RootSeen } from '../../harness/gate/baseline.ts';
import { resendableOf, type SendAgain, withTriedLines } from '../../harness/verdict/send-again.ts';
import type { EvidenceExchange, Phase } from '../../harness/results/generated/events.ts';
import type { CaseRequest } from '../cases/case-request.ts';
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
import { KnownFailures } from './known-failures.ts';
import { Sightings } from './sightings.ts';

/** Where in a campaign something was found. */
type At = Omit<CaseTrace, 'drawn'>;

interface FindingBookParts extends Trial {
  /** Failures of earlier campaigns: they are known, whatever shows them. */
  readonly corpus: readonly KnownFailure[];
  /** Sends once more what stands in the streams when a replay begins. */
  readonly fillFeed: () => Promise<void>;
  readonly evidenceOf: EvidenceOf;
  /** Fields that a request carries and that have an effect. */
  readonly provedOf: (request: CaseRequest) => Finding['proved'];
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
  /** Roots of the corpus that no longer fail. */
  readonly fixed: readonly string[];
  /** Every root that was found, or that the corpus has, with what became of it. */
  readonly roots: readonly RootSeen[];
  /** Refusals and errors that came up when the time was over, and count only once they were tried again. */
  readonly untried: number;
}

/** What was found, and has not been tried again to the end. */
interface Pending {
  readonly failure: CaseFailure;
  readonly drawn: Drawn;
  readonly at: At;
  /** What the same answers broke beside it, and the cases that it came up with. */
  readonly beside: readonly CaseFailure[];
  readonly cases: readonly CaseTrace[];
  /** What is known of the requests that showed it. */
  readonly evidence: readonly EvidenceExchange[];
}

/** Failures tried again at one time. */
const mostAtOnce = 3;

/** Gathers what cases broke by its root, tries the first of each again, and keeps what came of it. */
export class FindingBook {
  readonly #parts: FindingBookParts;
  readonly #findings = new Map<string, Finding>();
  readonly #sightings: Sightings;
  readonly #known: KnownFailures;
  readonly #trying = new Set<Promise<void>>();
  readonly #toTry: Pending[] = [];
  /** Those to try and those being tried. */
  readonly #pending = new Set<Pending>();
  #isClosed = false;

  constructor(parts: FindingBookParts) {
    this.#parts = parts;
    this.#sightings = new Sightings({ ...parts, isKnown: (root) => this.#known.has(root) });
    this.#known = new KnownFailures({
      corpus: parts.corpus,
      trial: parts,
      sightings: this.#sightings,
      onShown: async (failure, tried) => {
        const at = { index: 0, phase: 'corpus', startedMs: 0 } as const;
        this.#keep(failure, tried, await this.#shownBy(failure, tried), { family: 'corpus' }, at);
      },
    });
  }

  get size(): number {
    return this.#findings.size;
  }

  /**
   * Notes what some cases broke together, the likeliest cause first; the first of a root is tried again. `evidence` is what is known of the
   * requests that showed that failure: it is all there is of what does not show again.
   */
  found(
    all: readonly CaseFailure[],
    cases: readonly CaseTrace[],
    evidence: (lead: CaseFailure) => readonly EvidenceExchange[] = () => [],
  ): void {
    const failures = all.filter((failure) => !this.#sightings.isCountedOnly(failure));
    const lead = this.#sightings.leadOf(failures);
    for (const failure of failures) {
      if (this.#findings.has(rootOf(failure))) continue;
      this.#sightings.suspect(failure, failure === lead ? cases.slice(1) : cases);
    }
    const [at] = cases;
    const drawn = lead && at?.drawn();
    if (lead === undefined || at === undefined || drawn === undefined) return;
    const beside = failures.filter((failure) => failure !== lead);
    const pending = { failure: lead, drawn, at, beside, cases, evidence: evidence(lead) };
    this.#pending.add(pending);
    this.#toTry.push(pending);
    if (this.#trying.size < mostAtOnce) this.#tryNext();
  }

  /** Notes what is wrong with a 429 that is waited out. It is kept as it came: nobody can make the server repeat it. */
  foundLimited(exchange: Exchange, failures: readonly CaseFailure[], phase: Phase): void {
    const drawn = plainOf(exchange.request.call);
    if (failures.length === 0 || drawn === undefined) return;
    const lead = this.#sightings.leadOf(failures);
    if (lead === undefined) return;
    const { request, label } = drawn;
    const once = {
      request,
      label,
      failure: lead,
      repeats: { times: 0, of: 0 },
      shrinkSteps: 0,
      exchanges: [exchange],
    };
    const shown = this.#parts.evidenceOf(request, once.exchanges);
    this.#keep(lead, once, shown, drawn, { index: -1, phase, startedMs: 0 });
  }

  async #tryAgain(pending: Pending): Promise<void> {
    const { failure } = pending;
    const { tried, drawn, at } = await this.#tried(pending);
    if (this.#isClosed || (tried.repeats.of === 0 && this.#parts.isOver())) return;
    this.#pending.delete(pending);
    // Nothing is known of it: the next case that shows it is tried again.
    const isUnknown = failure.isServerError === true && failure.part !== comesAgain && tried.repeats.of === 0;
    if (tried.isUncontrolled || isUnknown) this.#sightings.forget(rootOf(failure));
    else if (comesAndGoes(failure, tried.repeats)) {
      this.#sightings.countOnly(rootOf(failure));
      // It stands for nothing any more: the form of its answer is as wrong as it was.
      this.found(pending.beside, pending.cases, () => pending.evidence);
    } else if (tried.exchanges.length > 0)
      this.#keep(failure, tried, await this.#shownBy(failure, tried), drawn, at);
    else this.#keep(failure, tried, this.#asItCame(pending, tried.repeats), drawn, at);
  }

  /** The case that shows it again, of those that it came up with; the first where none does. */
  async #tried(first: Pending): Promise<{ readonly tried: Investigated } & Pick<Pending, 'drawn' | 'at'>> {
    const tried = await investigate(this.#parts, first.drawn, first.failure);
    // Errors of the server that come and go are no case's own.
    let isSought = first.failure.isServerError !== true && tried.repeats.of > 0 && tried.repeats.times === 0;
    while (isSought && !this.#parts.isOver()) {
      const next = this.#sightings.nextSuspect(rootOf(first.failure));
      const drawn = next?.of.drawn();
      if (next === undefined || drawn === undefined) break;
      const again = await investigate(this.#parts, drawn, next.failure);
      if (again.repeats.times > 0) return { tried: again, drawn, at: next.of };
      isSought = !this.#isClosed;
    }
    return { ...first, tried };
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
   * retention may need as long to leave nothing but what a replay sends first, and what is read back once: last, since it takes longest and
   * the time may end.
   */
  async lookAgain(): Promise<void> {
    const { isOver, fillFeed } = this.#parts;
    for (const seenIn of ['answer', 'answer', 'readBack'] as const) {
      const findings = [...this.#findings.values()].filter(
        ({ failure, repeats, again = repeats }) => failure.seenIn === seenIn && showsEveryTime(again),
      );
      if (isOver()) return;
      if (findings.length > 0) await fillFeed();
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
      ...this.#sightings.of(found),
      root,
      verdict: verdictOf(found.clause),
      phase,
      family,
      caseIndex,
      isKnown: this.#known.has(root),
      proved: this.#parts.provedOf(tried.request),
    };
    this.#findings.set(root, finding);
    this.#parts.onFinding(finding);
  }

  /** Whether there were failures too many to try again. */
  get isFull(): boolean {
    return this.#sightings.isFull;
  }

  /** Failures of earlier campaigns of which no try decided anything. */
  get undecided(): readonly KnownFailure[] {
    return this.#known.undecided;
  }

  /** Tries earlier failures, as {@link KnownFailures.retry} does. */
  retry(...of: Parameters<KnownFailures['retry']>): Promise<void> {
    return this.#known.retry(...of);
  }

  /** What was found and what became of the corpus; from here on nothing more is kept. */
  close(): FoundInAll {
    const untried = [...this.#pending].filter((each) => !this.#keepUntried(each));
    this.#isClosed = true;
    const findings = [...this.#findings.values()].map((finding) => ({
      ...finding,
      ...this.#sightings.of(finding.failure),
    }));
    const found = findings.flatMap(({ root, companions, clauses }) =>
      [root, ...companions].map((each) => ({
        root: each,
        clauses: standFor(each, clauses),
        state: 'fails' as const,
      })),
    );
    const shown = new Set(found.map(({ root }) => root));
    const untaken = this.#known.roots.filter(({ root }) => !shown.has(root));
    const fixed = this.#known.fixedBeside(shown);
    return { findings, fixed, roots: [...untaken, ...found], untried: untried.length };
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
