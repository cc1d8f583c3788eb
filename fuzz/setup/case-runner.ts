import { pairsOf, type CallRequest, type SentRequest } from '../../spec/calls/index.ts';
import { answerLimitOf, type Client } from '../../harness/client/client.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import { isBaselineRequest } from '../cases/baseline-requests.ts';
import {
  isOperators,
  resolve,
  speakerOf,
  stepsOf,
  type CaseRequest,
  type OperatorStep,
  type Places,
} from '../cases/case-request.ts';
import { expectationOf, type OracleFacts } from '../../spec/oracles/requests/expectation.ts';
import type { Expected } from '../../spec/oracles/requests/expected.ts';
import type { Chapter, ChapterKind } from '../chapter/chapter.ts';
import type { Chapters } from '../chapter/chapters.ts';
import type { Read } from '../../history/operation.ts';
import type { CaseFailure } from '../judge/failure.ts';
import type { FormFacts } from '../judge/form-of-answer.ts';
import { judgeAnswer, type AnswerVerdict } from '../judge/judge-answer.ts';
import { judgeShown, type ShownFacts } from '../judge/judge-shown.ts';
import { runSteps, type StepPlace } from './case-steps.ts';

/** One case, sent and judged as far as its answer goes. */
export interface CaseOutcome {
  readonly expected: Expected['kind'];
  readonly verdict: AnswerVerdict;
  readonly exchange: Exchange;
  /** The marker of the message that it sent; `undefined` where there is none. */
  readonly marker: string | undefined;
  /** What it read, where it was a page. */
  readonly read: Read | undefined;
  /** False where a step of it could not be sent, or came to no answer: then it is not what it was drawn, or kept, to be. */
  readonly isWhole: boolean;
  /** The exchange behind each failure that an answer shows: of several steps it may be any. */
  readonly shownBy: ShownBy;
}

/** The exchanges behind failures, the cause first. */
type ShownBy = ReadonlyMap<CaseFailure, readonly Exchange[]>;

/** Where cases take place: a workspace, and what is known of it. */
export interface CasePlace {
  readonly places: Places;
  readonly facts: OracleFacts;
  readonly shown: ShownFacts;
  readonly chapters: Chapters;
  /** How long what is sent may take to show, in ms. */
  readonly settleMs: number;
  /** Whether a role has its access back after it had lost it. */
  readonly isBack: (role: string) => boolean;
  /** Has the operator do something there, as part of a chapter; false where that cannot be. */
  readonly operate: (step: OperatorStep, chapter: Chapter<unknown>) => Promise<boolean>;
}

/** A chapter that a case is part of, and who is told of what it breaks there. */
interface InChapter<Owner> {
  readonly chapter: Chapter<Owner>;
  readonly owner?: Owner;
  /** Where it is; the target itself unless given. */
  readonly place?: CasePlace;
  /** Looks at every view there. */
  readonly look?: () => Promise<void>;
}

interface CaseRunnerOptions {
  readonly client: Client;
  readonly form: FormFacts;
  readonly place: CasePlace;
  /** Makes a workspace of its own for a case, or as little as the target allows; `undefined` when that fails. */
  readonly apart: () => Promise<CasePlace | undefined>;
  readonly signal: AbortSignal;
}

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
    const { place = this.#options.place, chapter, look = async () => undefined } = inChapter;
    const { markers } = chapter;
    const { places } = place;
    if (request.earlier === undefined) {
      const alone = { places, isAgain: false, markerOf: () => markers.next() };
      return this.#runStep(request, { ...inChapter, place }, alone);
    }
    const all = await runSteps(request, {
      places,
      markers,
      look,
      settleMs: place.settleMs,
      send: (step, at) => this.#runStep(step, { ...inChapter, place }, at),
      operate: (step) => place.operate(step, chapter),
    });
    const last = all?.at(-1);
    if (all === undefined || last === undefined) return undefined;
    return {
      ...last,
      verdict: { ...last.verdict, failures: all.flatMap((each) => each.verdict.failures) },
      isWhole: all.length === requestsOf(request) && all.every((each) => each.isWhole),
      shownBy: new Map(all.flatMap((each) => [...each.shownBy])),
    };
  }

  async #runStep<Owner>(
    request: CallRequest,
    { chapter, owner, place }: InChapter<Owner> & { readonly place: CasePlace },
    { places, markerOf, isAgain }: StepPlace,
  ): Promise<CaseOutcome | undefined> {
    const { form } = this.#options;
    const { facts, shown } = place;
    const resolved = resolve(request, places, () => markerOf(request));
    if (resolved === undefined) return undefined;
    const { sent } = resolved;
    const asked = expectationOf(sent, facts);
    const { draft } = asked;
    // What comes of a key that was used before is told by all that was sent under it.
    const usual: Expected =
      isAgain && asked.expected.kind === 'accept' ? { ...asked.expected, mayBe: 'any 4xx' } : asked.expected;
    // An escape in front of the marker, or another field around it, and no message is told by it.
    const isTold = draft === undefined || draft.content.includes(resolved.marker ?? '');
    const marker = isTold ? resolved.marker : undefined;
    const isMarked = marker !== undefined;
    const exchange = await this.#send(request, sent, { chapter, chapters: place.chapters, isMarked });
    const operation = chapter.record(exchange, { owner, marker, expected: asked });
    const shutOut = place.isBack(exchange.actor) ? refusalOfReturned(exchange, usual) : undefined;
    const expected: Expected = shutOut === undefined ? usual : { kind: 'open' };
    const verdict = judgeAnswer(exchange, expected, form);
    const more = verdict.kind === 'judged' ? [...(shutOut ?? []), ...judgeShown(exchange, shown)] : [];
    const failures = [...verdict.failures, ...more];
    return {
      expected: expected.kind,
      verdict: { ...verdict, failures },
      exchange,
      marker,
      read: operation?.kind === 'read' ? operation : undefined,
      isWhole: verdict.kind === 'judged',
      shownBy: new Map(failures.map((each) => [each, [exchange]])),
    };
  }

  #send<Owner>(
    request: CallRequest,
    sent: SentRequest,
    {
      chapter,
      chapters,
      isMarked,
    }: { readonly chapter: Chapter<Owner>; readonly chapters: Chapters; readonly isMarked: boolean },
  ): Promise<Exchange> {
    const { client, signal } = this.#options;
    const waitS = waitSecondsOf(sent);
    const answer = client.exchange(speakerOf(request), sent, {
      signal,
      noteTry: (exchange) => chapters.noteLimited(exchange, chapter),
      ...answerLimitOf(waitS),
    });
    // What a poll shows late nothing hangs on.
    if (sent.call !== 'send') return waitS > 0 ? answer : chapter.during(answer);
    return chapter.during(isMarked ? answer : chapters.unmarked(answer, chapter));
  }

  /** Sends one case in a chapter of its own and waits for all that can be known of it: nothing else fills the streams that show it. */
  async runToEnd(request: CaseRequest): Promise<WholeOutcome | undefined> {
    if (request.isApart === true) return this.#runApart(request);
    const [whole] = await this.#runInChapter([request], 'few');
    return whole;
  }

  /** Sends some cases side by side in a chapter of their own. What nobody sent counts for a case that is alone there. */
  runAllToEnd(requests: readonly CaseRequest[]): Promise<readonly (WholeOutcome | undefined)[]> {
    if (requests.some(({ isApart }) => isApart))
      return Promise.all(requests.map((each) => this.runToEnd(each)));
    // What a baseline request stands for is what nobody asked for: that is to be looked for everywhere.
    return this.#runInChapter(requests, requests.some(isBaselineRequest) ? 'few' : 'brief');
  }

  async #runApart(request: CaseRequest): Promise<WholeOutcome | undefined> {
    const place = await this.#options.apart();
    if (place === undefined) return undefined;
    const [whole] = await this.#runInChapter([request], 'apart', place);
    return whole;
  }

  async #runInChapter(
    requests: readonly CaseRequest[],
    kind: ChapterKind,
    place = this.#options.place,
  ): Promise<readonly (WholeOutcome | undefined)[]> {
    const { chapter, close, look } = await place.chapters.open<number>(kind);
    const outcomes = await Promise.all(
      requests.map((request, owner) => this.run(request, { chapter, owner, place, look })),
    );
    const { shown, isWhole } = await close();
    return outcomes.map((outcome, at) => {
      if (outcome === undefined) return undefined;
      const own = shown.filter(
        ({ owners: [owner] }) => owner === at || (owner === undefined && requests.length === 1),
      );
      return {
        ...answered(outcome),
        failures: [...outcome.verdict.failures, ...own.flatMap(({ failures }) => failures)],
        isDecided: outcome.isWhole && isWhole,
        shownBy: new Map([
          ...outcome.shownBy,
          ...own.flatMap(({ failures, exchanges }) => failures.map((each) => [each, exchanges] as const)),
        ]),
      };
    });
  }

  /** Sends one case of which only the answer counts. */
  async runForAnswer(request: CaseRequest): Promise<WholeOutcome | undefined> {
    if (request.isApart === true) return this.#runApart(request);
    const outcome = await this.run(request);
    return outcome === undefined ? undefined : answered(outcome);
  }
}

/** A case with what was read afterwards. */
export interface WholeOutcome {
  readonly outcome: CaseOutcome;
  readonly failures: readonly CaseFailure[];
  readonly isDecided: boolean;
  /** The exchanges behind each failure. */
  readonly shownBy: ShownBy;
}

function answered(outcome: CaseOutcome): WholeOutcome {
  const { verdict, isWhole, shownBy } = outcome;
  return { outcome, failures: verdict.failures, isDecided: isWhole, shownBy };
}

/** Requests among the steps of a case. */
function requestsOf(request: CaseRequest): number {
  return stepsOf(request).filter((step) => !isOperators(step)).length;
}

/** What is wrong where somebody who has its access back is refused: its credential may have gone with it, or the channel from its sight. */
function refusalOfReturned(
  { request, response }: Exchange,
  usual: Expected,
): readonly CaseFailure[] | undefined {
  const status = response?.status ?? 0;
  if (![401, 403, 404].includes(status)) return undefined;
  // Who never left may be refused it as well.
  if (usual.kind !== 'accept' || usual.mayBe === 'any 4xx' || usual.mayBe.includes(status)) return undefined;
  return [
    {
      clause: 'auth.access-comes-back',
      part: 'refused',
      call: request.call,
      seenIn: 'answer',
      isOutcome: true,
      expected: 'let in again',
      actual: `answered ${status}`,
    },
  ];
}
