import { isRecord, pairsOf, type CallRequest, type SentRequest } from '../../calls/index.ts';
import type { Client } from '../../harness/client/client.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import { isBaselineRequest } from '../cases/baseline-requests.ts';
import { resolve, sharedKey, speakerOf, type CaseRequest, type Places } from '../cases/case-request.ts';
import { expectationOf, type OracleFacts } from '../../oracles/requests/expectation.ts';
import type { Expected } from '../../oracles/requests/expected.ts';
import type { Chapter, ChapterKind } from '../chapter/chapter.ts';
import type { Chapters } from '../chapter/chapters.ts';
import type { CaseFailure } from '../judge/failure.ts';
import type { FormFacts } from '../judge/form-of-answer.ts';
import { judgeAnswer, type AnswerVerdict } from '../judge/judge-answer.ts';
import { judgeShown, type ShownFacts } from '../judge/judge-shown.ts';

/** One case, sent and judged as far as its answer goes. */
export interface CaseOutcome {
  readonly expected: Expected['kind'];
  readonly verdict: AnswerVerdict;
  readonly exchange: Exchange;
  /** The marker of the message that it sent; `undefined` where there is none. */
  readonly marker: string | undefined;
}

/** A chapter that a case is part of, and who is told of what it breaks there. */
interface InChapter<Owner> {
  readonly chapter: Chapter<Owner>;
  readonly owner?: Owner;
}

/** One request of a case. */
interface Step<Owner> extends InChapter<Owner> {
  readonly places: Places;
  readonly markerOf: (request: CallRequest) => string;
  /** Whether its key was used before, or is at the same time. */
  readonly isAgain?: boolean;
}

interface CaseRunnerOptions {
  readonly client: Client;
  readonly places: Places;
  readonly facts: OracleFacts;
  readonly form: FormFacts;
  readonly shown: ShownFacts;
  readonly chapters: Chapters;
  readonly signal: AbortSignal;
}

/** A poll that waits may take this much longer than it asked for, in ms. */
const pollGraceMs = 10_000;

/** How long a request asks the server to hold its answer back, in seconds. */
export function waitSecondsOf({ query }: Pick<SentRequest, 'query'>): number {
  const waits =
    pairsOf(query)?.filter(([name, value]) => name === 'wait' && /^[0-9]{1,3}$/.test(value)) ?? [];
  return Number(waits[0]?.[1] ?? 0);
}

/** Sends cases and judges them: what a campaign, a retry and a replay have in common. */
export class CaseRunner {
  readonly #options: CaseRunnerOptions;
  /** The chapter of what is asked without another. */
  home: Chapter<unknown>;

  constructor(options: CaseRunnerOptions, home: Chapter<unknown>) {
    this.#options = options;
    this.home = home;
  }

  /** Sends one case; `undefined` when the target lacks what it needs. Of a case in several steps its last answer is handed on. */
  async run<Owner>(
    request: CaseRequest,
    inChapter: InChapter<Owner> = { chapter: this.home as Chapter<Owner> },
  ): Promise<CaseOutcome | undefined> {
    const { places } = this.#options;
    const { earlier, isTogether = false } = request;
    const { markers } = inChapter.chapter;
    if (earlier === undefined)
      return this.#runStep(request, { ...inChapter, places, markerOf: () => markers.next() });
    const known = new Map<unknown, string>();
    // What says the same is told by the same marker.
    const markerOf = ({ body }: CallRequest): string => {
      const content = contentOf(body);
      const marker = known.get(content) ?? markers.next();
      known.set(content, marker);
      return marker;
    };
    const step = { ...inChapter, places: { ...places, sharedKey: places.freshKey() }, markerOf };
    const steps = [...earlier, request];
    const send = (each: CallRequest, at: number): Promise<CaseOutcome | undefined> => {
      const others = steps.filter((_, index) => (isTogether ? index !== at : index < at));
      const isAgain = usesSharedKey(each) && others.some(usesSharedKey);
      return this.#runStep(each, { ...step, isAgain });
    };
    const all: (CaseOutcome | undefined)[] = isTogether ? await Promise.all(steps.map(send)) : [];
    // One after the other.
    if (!isTogether) for (const [at, each] of steps.entries()) all.push(await send(each, at));
    const last = all.at(-1);
    if (last === undefined) return undefined;
    const failures = all.flatMap((each) => each?.verdict.failures ?? []);
    return { ...last, verdict: { ...last.verdict, failures } };
  }

  async #runStep<Owner>(
    request: CallRequest,
    { chapter, owner, places, markerOf, isAgain = false }: Step<Owner>,
  ): Promise<CaseOutcome | undefined> {
    const { facts, form, shown } = this.#options;
    const resolved = resolve(request, places, () => markerOf(request));
    if (resolved === undefined) return undefined;
    const { sent } = resolved;
    const asked = expectationOf(sent, facts);
    const { draft } = asked;
    // What comes of a key that was used before is told by all that was sent under it.
    const expected: Expected =
      isAgain && asked.expected.kind === 'accept' ? { ...asked.expected, mayBe: 'any 4xx' } : asked.expected;
    // An escape in front of the marker, or another field around it, and no message is told by it.
    const isTold = draft === undefined || draft.content.includes(resolved.marker ?? '');
    const marker = isTold ? resolved.marker : undefined;
    const exchange = await this.#send(request, sent, { chapter, isMarked: marker !== undefined });
    chapter.record(exchange, { owner, marker, expected: asked });
    const verdict = judgeAnswer(exchange, expected, form);
    const failures = verdict.kind === 'judged' ? judgeShown(exchange, shown) : [];
    return {
      expected: expected.kind,
      verdict: failures.length === 0 ? verdict : { ...verdict, failures: [...verdict.failures, ...failures] },
      exchange,
      marker,
    };
  }

  #send<Owner>(
    request: CallRequest,
    sent: SentRequest,
    { chapter, isMarked }: { readonly chapter: Chapter<Owner>; readonly isMarked: boolean },
  ): Promise<Exchange> {
    const { client, chapters, signal } = this.#options;
    const waitS = waitSecondsOf(sent);
    const answer = client.exchange(speakerOf(request), sent, {
      signal,
      noteTry: (exchange) => chapters.noteLimited(exchange, chapter),
      ...(waitS > 0 ? { answerMs: waitS * 1000 + pollGraceMs } : {}),
    });
    // What a poll shows late nothing hangs on.
    if (sent.call !== 'send') return waitS > 0 ? answer : chapter.during(answer);
    return chapter.during(isMarked ? answer : chapters.unmarked(answer, chapter));
  }

  /** Sends one case in a chapter of its own and waits for all that can be known of it: nothing else fills the streams that show it. */
  async runToEnd(request: CaseRequest): Promise<WholeOutcome | undefined> {
    const [whole] = await this.#runInChapter([request], 'few');
    return whole;
  }

  /** Sends some cases side by side in a chapter of their own. What nobody sent counts for a case that is alone there. */
  runAllToEnd(requests: readonly CaseRequest[]): Promise<readonly (WholeOutcome | undefined)[]> {
    // What a baseline request stands for is what nobody asked for: that is to be looked for everywhere.
    return this.#runInChapter(requests, requests.some(isBaselineRequest) ? 'few' : 'brief');
  }

  async #runInChapter(
    requests: readonly CaseRequest[],
    kind: ChapterKind,
  ): Promise<readonly (WholeOutcome | undefined)[]> {
    const { chapter, close } = await this.#options.chapters.open<number>(kind);
    const outcomes = await Promise.all(
      requests.map((request, owner) => this.run(request, { chapter, owner })),
    );
    const { shown, isWhole } = await close();
    return outcomes.map((outcome, at) => {
      if (outcome === undefined) return undefined;
      const own = shown.filter(({ owner }) => owner === at || (owner === undefined && requests.length === 1));
      return {
        ...answered(outcome),
        failures: [...outcome.verdict.failures, ...own.flatMap(({ failures }) => failures)],
        isDecided: outcome.verdict.kind === 'judged' && isWhole,
        shownBy: new Map(
          own.flatMap(({ failures, exchanges }) => failures.map((each) => [each, exchanges] as const)),
        ),
      };
    });
  }

  /** Sends one case of which only the answer counts. */
  async runForAnswer(request: CaseRequest): Promise<WholeOutcome | undefined> {
    const outcome = await this.run(request);
    return outcome === undefined ? undefined : answered(outcome);
  }
}

/** A case with what was read afterwards. */
export interface WholeOutcome {
  readonly outcome: CaseOutcome;
  readonly failures: readonly CaseFailure[];
  readonly isDecided: boolean;
  /** The exchanges behind what was read afterwards. */
  readonly shownBy: ReadonlyMap<CaseFailure, readonly Exchange[]>;
}

function answered(outcome: CaseOutcome): WholeOutcome {
  const { failures, kind } = outcome.verdict;
  return { outcome, failures, isDecided: kind === 'judged', shownBy: new Map() };
}

function usesSharedKey({ headers }: CallRequest): boolean {
  return headers['idempotency-key'] === sharedKey;
}

/** The content of the body of a step; the body itself where it is no JSON. */
function contentOf(body: CallRequest['body']): unknown {
  try {
    const fields: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
    return isRecord(fields) ? fields['content'] : body;
  } catch {
    return body;
  }
}
