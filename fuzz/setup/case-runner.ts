import { idIn, pairsOf } from '../../calls/index.ts';
import type { SentRequest } from '../../calls/index.ts';
import type { Client } from '../../harness/client/client.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import { resolve, speakerOf } from '../cases/case-request.ts';
import type { CaseRequest, Places } from '../cases/case-request.ts';
import { expectationOf } from '../../oracles/requests/expectation.ts';
import type { OracleFacts } from '../../oracles/requests/expectation.ts';
import type { Expected } from '../../oracles/requests/expected.ts';
import type { CaseFailure } from '../judge/failure.ts';
import type { FormFacts } from '../judge/form-of-answer.ts';
import { judgeAnswer } from '../judge/judge-answer.ts';
import type { AnswerVerdict } from '../judge/judge-answer.ts';
import { judgeShown } from '../judge/judge-shown.ts';
import type { ShownFacts } from '../judge/judge-shown.ts';
import type { Markers } from '../cases/markers.ts';
import type { ReadBack, SendOutcome } from '../judge/read-back.ts';

/** Whoever wants to know what is read afterwards. */
export type ReadBackListener = (failures: readonly CaseFailure[], isDecided: boolean) => void;

/** One case, sent and judged as far as its answer goes. */
export interface CaseOutcome {
  readonly expected: Expected['kind'];
  readonly verdict: AnswerVerdict;
  readonly exchange: Exchange;
  /** True when the channel will tell more about it: its listener is going to be called. */
  readonly isWatched: boolean;
}

interface CaseRunnerOptions {
  readonly client: Client;
  readonly places: Places;
  readonly facts: OracleFacts;
  readonly form: FormFacts;
  readonly shown: ShownFacts;
  readonly markers: Markers;
  /** `undefined` where the target has no channel to send to. */
  readonly readBack: ReadBack<ReadBackListener> | undefined;
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

  constructor(options: CaseRunnerOptions) {
    this.#options = options;
  }

  /** Sends one case; `undefined` when the target lacks what it needs. */
  async run(request: CaseRequest, onReadBack: ReadBackListener): Promise<CaseOutcome | undefined> {
    const { client, places, facts, form, shown, markers, readBack, signal } = this.#options;
    const resolved = resolve(request, places, () => markers.next());
    if (resolved === undefined) return undefined;
    const { sent, marker } = resolved;
    const outcome = expectationOf(sent, facts);
    const { expected } = outcome;
    // Under another spelling it may be another channel that holds the message.
    const storing = idIn('send', sent.path) === places.channelId ? outcome.storing : undefined;
    // An escape in front of the marker, or another field around it, and no message is told by it.
    const tells = marker !== undefined && (storing === undefined || storing.content.includes(marker));
    const isWatched = tells && readBack !== undefined && sent.call === 'send';
    if (isWatched) {
      await readBack.room();
      // An accepted request that should have been refused is wrong already: nothing more is required of its answer.
      readBack.watch(marker, onReadBack, {
        speaker: speakerOf(request),
        storing: expected.kind === 'reject' ? undefined : storing,
      });
    }
    const waitS = waitSecondsOf(sent);
    const exchange = await client.exchange(speakerOf(request), sent, {
      signal,
      ...(waitS > 0 ? { answerMs: waitS * 1000 + pollGraceMs } : {}),
    });
    if (isWatched) readBack.answered(marker, outcomeOf(exchange));
    const verdict = judgeAnswer(exchange, expected, form);
    const failures = verdict.kind === 'judged' ? judgeShown(exchange, shown) : [];
    return {
      expected: expected.kind,
      verdict: failures.length === 0 ? verdict : { ...verdict, failures: [...verdict.failures, ...failures] },
      exchange,
      isWatched,
    };
  }

  /** Sends one case and waits for all that can be known of it. */
  async runToEnd(request: CaseRequest): Promise<WholeOutcome | undefined> {
    let decide: (whole: ReadBackView) => void = () => undefined;
    const readBack = new Promise<ReadBackView>((done) => {
      decide = done;
    });
    const outcome = await this.run(request, (failures, isDecided) => decide({ failures, isDecided }));
    if (outcome === undefined) return undefined;
    const { failures, isDecided } = outcome.isWatched ? await readBack : { failures: [], isDecided: true };
    return {
      outcome,
      failures: [...outcome.verdict.failures, ...failures],
      isDecided: outcome.verdict.kind === 'judged' && isDecided,
    };
  }
}

interface ReadBackView {
  readonly failures: readonly CaseFailure[];
  readonly isDecided: boolean;
}

/** A case with what was read afterwards. */
export interface WholeOutcome extends ReadBackView {
  readonly outcome: CaseOutcome;
}

function outcomeOf({ response, fault }: Exchange): SendOutcome {
  if (fault !== undefined || response === undefined) return 'unknown';
  if (response.status >= 200 && response.status <= 299) return 'accepted';
  return response.status >= 400 && response.status <= 499 ? 'refused' : 'unknown';
}
