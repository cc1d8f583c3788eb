import { setTimeout as sleep } from 'node:timers/promises';
import { isRecord, parameterOf, type CallRequest, jsonIn } from '../../spec/calls/index.ts';
import type { Read } from '../../history/operation.ts';
import type { Sequence } from '../../history/sequence.ts';
import {
  isOperators,
  sharedKey,
  speakerOf,
  stepsOf,
  type CaseRequest,
  type OperatorStep,
  type Places,
  type RequestStep,
} from '../cases/case-request.ts';
import type { ChapterMarkers } from '../cases/markers.ts';
import { remembered } from '../../spec/groups.ts';

/** What is known of a step when it is sent. */
export interface StepPlace {
  readonly places: Places;
  readonly markerOf: (request: CallRequest) => string;
  /** Whether its key was used before, or is at the same time. */
  readonly isAgain: boolean;
}

/** How the steps of a case are done. */
interface Doing<Outcome> {
  readonly places: Places;
  readonly markers: ChapterMarkers;
  /** Sends one; `undefined` where the target lacks what it needs. */
  readonly send: (request: CallRequest, place: StepPlace) => Promise<Outcome | undefined>;
  /** Has the operator do something; false where nobody can. */
  readonly operate: (step: OperatorStep) => Promise<boolean>;
  /** Looks at every view: what is there before something changes, and after it. */
  readonly look: () => Promise<void>;
  readonly settleMs: number;
}

/** What goes out beside a wait goes out so much later, in ms: whoever waits is to wait by then. */
const staggerMs = 40;

/**
 * Does the steps of a case, one after another or beside each other; what came of those requests that could be sent, the last one's last.
 * `undefined` where the operator cannot do what a step asks for.
 */
export async function runSteps<Outcome extends { readonly read: Read | undefined }>(
  request: CaseRequest,
  doing: Doing<Outcome>,
): Promise<readonly Outcome[] | undefined> {
  const memory = new StepMemory(doing.markers);
  const key = doing.places.freshKey();
  const outcomes: Outcome[] = [];
  const before: RequestStep[] = [];
  let isSeen = false;
  const change = async <Value>(act: () => Promise<Value>): Promise<Value> => {
    if (!isSeen) await doing.look();
    isSeen = true;
    const value = await act();
    await doing.look();
    return value;
  };
  const send = async (step: RequestStep, group: readonly RequestStep[]): Promise<Outcome | undefined> => {
    const others = [...before, ...group].filter((each) => each !== step);
    const places = { ...doing.places, ...memory.places, sharedKey: key };
    const isAgain = usesSharedKey(step) && others.some(usesSharedKey);
    const { isBeside: _isBeside, ...sent } = step;
    const outcome = await doing.send(sent, { places, isAgain, markerOf: memory.markerOf });
    if (outcome?.read !== undefined) memory.note(step, outcome.read);
    return outcome;
  };
  for (const group of groupsOf(request)) {
    const [first] = group;
    if (first !== undefined && isOperators(first)) {
      if (!(await change(() => doing.operate(first)))) return undefined;
      continue;
    }
    const requests = group.filter((step): step is RequestStep => !isOperators(step));
    const begin = (step: RequestStep): Promise<Outcome | undefined> => send(step, requests);
    const sendAll = (): Promise<readonly (Outcome | undefined)[]> =>
      requests.some(waits) ? besideWaits(requests, begin, doing) : Promise.all(requests.map(begin));
    const all = requests.some(isReport) ? await change(sendAll) : await sendAll();
    outcomes.push(...all.flatMap((each) => each ?? []));
    before.push(...requests);
  }
  return outcomes;
}

/** While some wait the others go one after another; a wait that goes on when those have settled is looked past by everybody. */
async function besideWaits<Outcome>(
  requests: readonly RequestStep[],
  begin: (step: RequestStep) => Promise<Outcome | undefined>,
  { look, settleMs }: Pick<Doing<Outcome>, 'look' | 'settleMs'>,
): Promise<readonly (Outcome | undefined)[]> {
  const [waiting, others] = [requests.filter(waits), requests.filter((step) => !waits(step))];
  const waited = Promise.all(waiting.map(begin));
  const outcomes = new Map<RequestStep, Outcome | undefined>();
  if (others.length > 0) await sleep(staggerMs);
  // One after another.
  for (const step of others) outcomes.set(step, await begin(step));
  for (let looks = 0; looks < 2 && others.length > 0; looks += 1) {
    const isOver = await Promise.race([waited.then(() => true), sleep(settleMs, false, { ref: false })]);
    if (!isOver) await look();
  }
  const all = await waited;
  for (const [at, step] of waiting.entries()) outcomes.set(step, all[at]);
  return requests.map((step) => outcomes.get(step));
}

/** Steps that go out beside each other; the operator's are each by themselves. */
function groupsOf(request: CaseRequest): readonly (readonly (RequestStep | OperatorStep)[])[] {
  const groups: (RequestStep | OperatorStep)[][] = [];
  for (const step of stepsOf(request)) {
    const last = groups.at(-1);
    const isBeside = !isOperators(step) && step.isBeside === true;
    if (isBeside && last !== undefined && !last.some(isOperators)) last.push(step);
    else groups.push([step]);
  }
  return groups;
}

function usesSharedKey({ headers }: CallRequest): boolean {
  return headers['idempotency-key'] === sharedKey;
}

function isReport({ call }: CallRequest): boolean {
  return call === 'other';
}

function waits({ query }: CallRequest): boolean {
  return Number(parameterOf(query, 'wait') ?? 0) > 0;
}

/** What a case was shown so far, for steps that refer to it. */
class StepMemory {
  readonly #markers: ChapterMarkers;
  readonly #byContent = new Map<unknown, string>();
  readonly #cursors = new Map<string, { readonly first: Sequence; readonly last: Sequence }>();
  #shown: string | undefined;

  constructor(markers: ChapterMarkers) {
    this.#markers = markers;
  }

  get places(): Pick<Places, 'cursor' | 'shownMessage'> {
    return {
      cursor: (which, request) => {
        const held = this.#cursors.get(streamOf(request));
        return String(held?.[which === 'first' ? 'first' : 'last'] ?? 0);
      },
      shownMessage: () => this.#shown,
    };
  }

  /** What says the same is told by the same marker. */
  readonly markerOf = ({ body }: CallRequest): string => {
    return remembered(this.#byContent, contentOf(body), () => this.#markers.next());
  };

  note(request: CallRequest, { items, nextAfter }: Read): void {
    const stream = streamOf(request);
    if (nextAfter !== undefined) {
      const { first = nextAfter } = this.#cursors.get(stream) ?? {};
      this.#cursors.set(stream, { first, last: nextAfter });
    }
    const own = new Set([...this.#byContent.values()].map((marker) => marker.slice(0, -1)));
    for (const { message } of items)
      if (own.has(message.content?.marker ?? '')) this.#shown = message.id ?? this.#shown;
  }
}

/** A channel is the same to everybody, a feed is of whoever asks. */
function streamOf(request: CallRequest): string {
  return request.call === 'mentions' ? `feed ${speakerOf(request)}` : request.path;
}

/** The content of the body of a step; the body itself where it is no JSON. */
function contentOf(body: CallRequest['body']): unknown {
  const fields = typeof body === 'string' ? jsonIn(body) : undefined;
  return isRecord(fields) ? fields['content'] : body;
}
