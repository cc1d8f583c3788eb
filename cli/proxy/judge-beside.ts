import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { PassedExchange } from '../../harness/front/recorded.ts';
import type { FindingEvent, ResultEvent } from '../../harness/results/generated/events.ts';
import type { Breach } from '../../harness/traffic/judged-traffic.ts';
import type { FromJudge, JudgingInput, ToJudge } from './judging-process.ts';
import { KnownSecrets } from '../../harness/output/known-secrets.ts';
import { judgedScoring } from '../shared/results.ts';
import { batchOf, Digests, sizeOf } from '../../harness/traffic/exchange-batch.ts';
import { ScarceTime } from './scarce-time.ts';

/** Exchanges are handed over so many at once, or so many bytes, or after so long, in ms. */
const mostOfBatch = { exchanges: 128, bytes: 1_000_000 };
const longestMs = 25;
/** Of what waits to be judged so much is kept, in bytes and exchanges; once it is more, what follows is skipped until half is left. */
const mostWaiting = { bytes: 12_000_000, exchanges: 10_000 };
/** Memory that judging may take, in MB; its garbage is collected by the thread of low priority, and by no other. */
const execArgv = ['--max-old-space-size=128', '--max-semi-space-size=8', '--single-threaded-gc'];
/** What glibc would keep of freed memory for itself goes back to the system; others take no notice. */
const memoryEnv = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
};
const whyUnread = 'a body of theirs was not kept as a whole, or is in no form that can be read';
/** Exchanges that are left out in a row are told of when they are so many, and at their end. */
const mostUntold = 1_000;
/** A process that has ended for whatever reason is followed by another after so long, in ms. */
const restartMs = 1_000;

/** What is heard of judging. */
interface Listeners {
  readonly onFinding: (finding: FindingEvent) => void;
  readonly onBreach: (breach: Breach) => void;
  readonly onLost: (file: string, lost: string) => void;
  /** So many exchanges went through unjudged: time was scarce, judging fell behind, the process failed, or they were not kept as a whole. */
  readonly onSkipped: (count: number, why: string) => void;
}

/** Judges in a process of its own, so that what passes does not wait for it, nor end with it. */
export class JudgeBeside {
  readonly #input: JudgingInput;
  readonly #listeners: Listeners;
  readonly #time: Pick<ScarceTime, 'hasTimeForNext' | 'end'>;
  readonly #digests = new Digests();
  #child: ChildProcess | undefined;
  #batch: PassedExchange[] = [];
  #batchBytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #restart: NodeJS.Timeout | undefined;
  readonly #waiting: { readonly exchanges: number; readonly bytes: number }[] = [];
  #bytes = 0;
  #exchanges = 0;
  /** Taken since the last chapter was judged. */
  #unjudged = 0;
  /** Whether the exchange before was left out. */
  #isSkipping = false;
  #untold = 0;
  #whySkipped = '';
  readonly #told: FindingEvent[] = [];
  #isEndedAgain = false;
  #ended: ((events: readonly ResultEvent[]) => void) | undefined;

  constructor(
    input: JudgingInput,
    listeners: Listeners,
    time: Pick<ScarceTime, 'hasTimeForNext' | 'end'> = new ScarceTime(),
  ) {
    this.#input = input;
    this.#listeners = listeners;
    this.#time = time;
    this.#start();
  }

  /** Whether what goes through now is to be kept. */
  get isRecording(): boolean {
    return !this.#isSkipping && this.#child !== undefined;
  }

  add(exchange: PassedExchange): void {
    const why = this.#whyUnjudged();
    if (why !== undefined) return this.#skip(why);
    if (this.#isSkipping) this.#resume();
    this.#batch.push(exchange);
    this.#batchBytes += sizeOf(exchange);
    if (this.#batch.length >= mostOfBatch.exchanges || this.#batchBytes >= mostOfBatch.bytes) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), longestMs);
  }

  /** Judges what is left; resolves to the end of the stream. */
  async end(): Promise<readonly ResultEvent[]> {
    this.#time.end();
    this.#flush();
    if (this.#child === undefined) this.#start();
    if (this.#isSkipping) this.#resume();
    const events = await new Promise<readonly ResultEvent[]>((resolve) => {
      this.#ended = resolve;
      this.#post({ end: true });
    });
    const child = this.#child;
    this.#child = undefined;
    child?.kill('SIGKILL');
    return events.length > 0 ? events : this.#endUnjudged();
  }

  /** The end of the stream where nobody is left to judge: what was told counts. */
  async #endUnjudged(): Promise<readonly ResultEvent[]> {
    // Where all goes well, this process judges nothing.
    const { JudgedTraffic } = await import('../../harness/traffic/judged-traffic.ts');
    const { target, settleMs, options } = this.#input;
    const traffic = new JudgedTraffic({
      target,
      settleMs,
      scoring: await judgedScoring(options, 'server and clients'),
      secrets: new KnownSecrets(),
      earlier: this.#told,
      onFinding: () => undefined,
    });
    return traffic.end('the process that judges ended at the end, and so did the one in its place');
  }

  /** What keeps the next exchange from being judged. */
  #whyUnjudged(): string | undefined {
    const hasTime = this.#time.hasTimeForNext();
    if (this.#child === undefined) return 'nothing judged them';
    if (this.#isFull(this.#isSkipping ? 2 : 1)) return 'judging fell behind';
    return hasTime ? undefined : 'no processor had time to spare';
  }

  /** What was found counts without what the last process was asked to judge at its end: another one tells of it, if that can. */
  #endAgain(ended: (events: readonly ResultEvent[]) => void): void {
    if (this.#isEndedAgain) return ended([]);
    this.#isEndedAgain = true;
    this.#start();
    this.#post({ end: true });
  }

  #isFull(divisor: number): boolean {
    return this.#bytes > mostWaiting.bytes / divisor || this.#exchanges > mostWaiting.exchanges / divisor;
  }

  #skip(why: string): void {
    if (!this.#isSkipping) this.#flush();
    this.#isSkipping = true;
    if (why !== this.#whySkipped || this.#untold >= mostUntold) this.#tellSkipped();
    this.#whySkipped = why;
    this.#untold += 1;
  }

  #tellSkipped(): void {
    if (this.#untold > 0) this.#listeners.onSkipped(this.#untold, this.#whySkipped);
    this.#untold = 0;
  }

  #resume(): void {
    this.#tellSkipped();
    this.#isSkipping = false;
    this.#post({ gap: true });
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#batch.length === 0) return;
    const [exchanges, bytes] = [this.#batch, this.#batchBytes];
    this.#batch = [];
    this.#batchBytes = 0;
    this.#waiting.push({ exchanges: exchanges.length, bytes });
    this.#bytes += bytes;
    this.#exchanges += exchanges.length;
    const batch = batchOf(exchanges, this.#digests);
    this.#post({ batch });
  }

  #post(told: JudgingInput | ToJudge): void {
    // What it did not take is counted when it is known to be gone.
    if (this.#child?.connected === true) this.#child.send(told, () => undefined);
  }

  #start(): void {
    clearTimeout(this.#restart);
    const child = fork(fileURLToPath(new URL('./judging-process.js', import.meta.url)), {
      execArgv,
      env: { ...process.env, ...memoryEnv },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#child = child;
    child.on('message', (said: FromJudge) => {
      if ('failed' in said) this.#fail(child, said.failed);
      else this.#hear(said);
    });
    child.on('error', ({ message }) => this.#fail(child, message));
    child.on('exit', (code, signal) => this.#fail(child, signal ?? `exit code ${code}`));
    this.#post({ ...this.#input, earlier: this.#told });
  }

  #hear(said: Exclude<FromJudge, { failed: string }>): void {
    if ('event' in said) {
      this.#told.push(said.event);
      this.#listeners.onFinding(said.event);
    } else if ('breach' in said) this.#listeners.onBreach(said.breach);
    else if ('lost' in said) this.#listeners.onLost(...said.lost);
    else if ('ended' in said) this.#ended?.(said.ended);
    else if ('judged' in said) this.#unjudged = 0;
    else if ('unread' in said) this.#listeners.onSkipped(said.unread, whyUnread);
    else {
      const { exchanges = 0, bytes = 0 } = this.#waiting.shift() ?? {};
      this.#bytes -= bytes;
      this.#exchanges -= exchanges;
      this.#unjudged = said.unjudged;
    }
  }

  /** What waited is lost, and what was taken of a chapter that was not judged; traffic goes on, and so does judging after a while. */
  #fail(child: ChildProcess, message: string): void {
    if (child !== this.#child) return;
    this.#child = undefined;
    child.kill('SIGKILL');
    const lost = this.#unjudged + this.#exchanges + this.#batch.length;
    this.#unjudged = 0;
    this.#batch = [];
    this.#batchBytes = 0;
    this.#waiting.length = 0;
    this.#bytes = 0;
    this.#exchanges = 0;
    this.#listeners.onSkipped(lost, `the process that judges ended (${message})`);
    if (this.#ended !== undefined) return this.#endAgain(this.#ended);
    this.#restart = setTimeout(() => this.#start(), restartMs).unref();
  }
}
