import { Worker } from 'node:worker_threads';
import type { PassedExchange } from '../../front/recorded.ts';
import type { FindingEvent, ResultEvent } from '../../harness/results/generated/events.ts';
import type { Breach } from '../../harness/traffic/judged-traffic.ts';
import type { FromJudge, JudgingInput, ToJudge } from './judging-thread.ts';
import { batchOf, Digests, sizeOf } from '../../harness/traffic/posted.ts';

/** Exchanges are handed over so many at once, or after so long, in ms. */
const mostOfBatch = 128;
const longestMs = 25;
/** Of what waits to be judged so much is kept, in bytes and exchanges; once it is more, what follows is skipped until half is left. */
const mostWaiting = { bytes: 24_000_000, exchanges: 10_000 };
/** Memory that judging may take, in MB. */
const limits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };
/** A thread that has ended for whatever reason is followed by another after so long, in ms. */
const restartMs = 1_000;

/** What is heard of judging. */
interface Listeners {
  readonly onFinding: (finding: FindingEvent) => void;
  readonly onBreach: (breach: Breach) => void;
  readonly onLost: (file: string, code: string) => void;
  /** Judging fell behind, and so many exchanges went through unjudged, or the thread failed. */
  readonly onSkipped: (count: number, why: string) => void;
}

/** Judges in a thread of its own, so that what passes does not wait for it. */
export class JudgeBeside {
  readonly #input: JudgingInput;
  readonly #listeners: Listeners;
  readonly #digests = new Digests();
  #worker: Worker | undefined;
  #batch: PassedExchange[] = [];
  #timer: NodeJS.Timeout | undefined;
  #restart: NodeJS.Timeout | undefined;
  readonly #waiting: { readonly exchanges: number; readonly bytes: number }[] = [];
  #bytes = 0;
  #exchanges = 0;
  #skipped = 0;
  #whySkipped = '';
  readonly #told: FindingEvent[] = [];
  #ended: ((events: readonly ResultEvent[]) => void) | undefined;

  constructor(input: JudgingInput, listeners: Listeners) {
    this.#input = input;
    this.#listeners = listeners;
    this.#start();
  }

  /** Whether what goes through now is to be kept. */
  get isRecording(): boolean {
    return this.#skipped === 0 && this.#worker !== undefined;
  }

  add(exchange: PassedExchange): void {
    if (this.#worker === undefined || this.#isFull(1) || (this.#skipped > 0 && this.#isFull(2))) {
      this.#flush();
      this.#skipped += 1;
      if (this.#skipped === 1)
        this.#whySkipped = this.#worker === undefined ? 'nothing judged them' : 'judging fell behind';
      return;
    }
    if (this.#skipped > 0) this.#resume();
    this.#batch.push(exchange);
    if (this.#batch.length >= mostOfBatch) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), longestMs);
  }

  /** Judges what is left; resolves to the end of the stream, or to nothing where the thread is gone. */
  async end(): Promise<readonly ResultEvent[]> {
    this.#flush();
    if (this.#worker === undefined) this.#start();
    if (this.#skipped > 0) this.#resume();
    const events = await new Promise<readonly ResultEvent[]>((resolve) => {
      this.#ended = resolve;
      this.#post({ end: true });
    });
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
    return events;
  }

  #isFull(divisor: number): boolean {
    return this.#bytes > mostWaiting.bytes / divisor || this.#exchanges > mostWaiting.exchanges / divisor;
  }

  #resume(): void {
    this.#listeners.onSkipped(this.#skipped, this.#whySkipped);
    this.#skipped = 0;
    this.#post({ gap: true });
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#batch.length === 0) return;
    const exchanges = this.#batch;
    this.#batch = [];
    const bytes = exchanges.reduce((sum, each) => sum + sizeOf(each), 0);
    this.#waiting.push({ exchanges: exchanges.length, bytes });
    this.#bytes += bytes;
    this.#exchanges += exchanges.length;
    const batch = batchOf(exchanges, this.#digests);
    this.#post({ batch }, [batch.bytes.buffer]);
  }

  #post(told: ToJudge, transferred: ArrayBuffer[] = []): void {
    this.#worker?.postMessage(told, transferred);
  }

  #start(): void {
    clearTimeout(this.#restart);
    const worker = new Worker(new URL('./judging-thread.js', import.meta.url), {
      workerData: { ...this.#input, earlier: this.#told } satisfies JudgingInput,
      resourceLimits: limits,
    });
    this.#worker = worker;
    worker.on('message', (said: FromJudge) => this.#hear(said));
    worker.on('error', ({ message }) => this.#fail(worker, message));
  }

  #hear(said: FromJudge): void {
    if ('event' in said) {
      this.#told.push(said.event);
      this.#listeners.onFinding(said.event);
    } else if ('breach' in said) this.#listeners.onBreach(said.breach);
    else if ('lost' in said) this.#listeners.onLost(...said.lost);
    else if ('ended' in said) this.#ended?.(said.ended);
    else {
      const { exchanges = 0, bytes = 0 } = this.#waiting.shift() ?? {};
      this.#bytes -= bytes;
      this.#exchanges -= exchanges;
    }
  }

  /** What waited is lost; traffic goes on, and so does judging after a while. */
  #fail(worker: Worker, message: string): void {
    if (worker !== this.#worker) return;
    this.#worker = undefined;
    const lost = this.#exchanges + this.#batch.length;
    this.#batch = [];
    this.#waiting.length = 0;
    this.#bytes = 0;
    this.#exchanges = 0;
    this.#listeners.onSkipped(lost, `the thread that judges ended (${message})`);
    if (this.#ended !== undefined) return this.#ended([]);
    this.#restart = setTimeout(() => this.#start(), restartMs).unref();
  }
}
