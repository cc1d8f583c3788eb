import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sleep } from './pacing/clock.ts';

/** One answer larger than this is not read to its end: a page of a hundred of the largest contents, as they are, fits. */
export const maxAnswerBytes = 52_000_000;
/** What answers, and what is made of them, may take at once, in bytes; one that is nearly alone may always be read. */
const mostBytes = 180_000_000;
const nearlyAlone = 10_000_000;
/** Large answers that are read at the same time come to no more than this in sum; a larger one is read alone. */
const mostBytesAtOnce = 16_000_000;
/** An answer of no more than this is read without waiting for a turn. */
export const smallBytes = 256 * 1024;
/** What takes more than this is not left to the engine to collect: no usual answer does. */
const leastLargest = 15_000_000;
const mostOfLargest = 80_000_000;
/** To collect is expensive: what was read in vain may come to so much. */
const mostWasted = 60_000_000;
/** To collect is expensive: it waits for so much more, which may be taken beyond the bound meanwhile. */
const leastCollected = 30_000_000;
/** What takes no more than this is not counted. */
const leastCounted = 64 * 1024;
/** While an answer waits for room it is looked so often whether anything was let go, in ms. */
const lookEveryMs = 100;
/** Nothing was let go for so long, in ms: whoever holds the rest may wait for this very answer. */
const stalledMs = 500;

interface WaitingBody {
  readonly bytes: number;
  readonly go: () => void;
}

/** What is counted: what it takes while it is read, and what of that stays as long as anybody looks at it. */
interface Weight {
  readonly reading: number;
  readonly staying: number;
}

/** How room is taken. */
interface Taking {
  /** Gives up what can be read again. */
  readonly letGo?: () => void;
  /** True for an answer that a server may give by the contract: it waits for room. */
  readonly mayWait?: boolean;
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
}

/**
 * Keeps the sum of large answers within what a process may take: so many are read at once as have room together, and what
 * they became counts until nobody looks at it any more.
 */
export class LargeBodies {
  readonly #queue: WaitingBody[] = [];
  readonly #collect: () => void;
  readonly #gone = new FinalizationRegistry<number>((bytes) => (this.#held -= bytes));
  readonly #bytesOf = new WeakMap<object, number>();
  /** Runs under way in this process. */
  #runs = 0;
  #reserved = 0;
  #held = 0;
  /** What has been read since unused memory was last given back, and is held no longer than that. */
  #passed = 0;
  /** What answers of the largest kind have taken since then. */
  #ofLargest = 0;
  /** What was read in vain since then. */
  #wasted = 0;
  /** When an answer that had waited for room was read. */
  #wentOnMs = -Infinity;
  /** What all counted answers have. */
  #sinceCollected = 0;

  /** `collect` gives unused memory back. */
  constructor(collect = collectGarbage) {
    this.#collect = collect;
  }

  /**
   * Waits until there is room for an answer of so many bytes; resolves to what gives the room back.
   * @throws the reason of the signal, when that ends the waiting
   */
  async turn(bytes: number, signal: AbortSignal): Promise<() => void> {
    const wanted = Math.min(bytes, maxAnswerBytes);
    if (this.#queue.length > 0 || !this.#hasRoom(wanted)) await this.#wait(wanted, signal);
    else this.#reserved += wanted;
    return () => {
      this.#reserved -= wanted;
      this.#next();
    };
  }

  /**
   * Takes the room to make something of an answer; false where there is none. What `mayWait` waits until others let go
   * of theirs, and takes it all the same once nothing is let go any more: to wait for oneself would have no end.
   * @throws the reason of the signal, when that ends the waiting
   */
  async take({ reading, staying }: Weight, { letGo, mayWait, signal }: Taking = {}): Promise<boolean> {
    const needed = reading + staying;
    if (needed <= leastCounted) return true;
    if (needed > leastLargest) this.#ofLargest += needed;
    this.#sinceCollected += needed;
    const isFull =
      this.#held + this.#passed + needed > this.#mostBytes && this.#sinceCollected > leastCollected;
    if (isFull) letGo?.();
    if (isFull || this.#ofLargest > mostOfLargest) {
      await this.#collected();
      this.#sinceCollected = needed;
      this.#ofLargest = Math.min(needed, leastLargest);
    }
    if (this.#isBeyond(needed)) {
      if (mayWait !== true) return false;
      await this.#untilLetGo(needed, signal);
    }
    this.#passed += reading;
    return true;
  }

  /** Counts what nobody looks at any more, and collects it where it is much: the engine may put that off for hundreds of megabytes. */
  async waste(bytes: number): Promise<void> {
    this.#wasted += bytes;
    if (this.#wasted <= mostWasted) return;
    this.#wasted = 0;
    await this.#collected();
  }

  /** Until there is so much room, or nothing is let go any more: then one of those that wait goes on, and the next after a while. */
  async #untilLetGo(needed: number, signal: AbortSignal | undefined): Promise<void> {
    let leastHeld = this.#held;
    let letGoMs = performance.now();
    // To collect takes most of a second where there is much: what time alone would call stalled was looked at once.
    let looks = 0;
    while (this.#isBeyond(needed)) {
      const stalledFor = performance.now() - Math.max(letGoMs, this.#wentOnMs);
      if (looks >= stalledMs / lookEveryMs && stalledFor >= stalledMs) break;
      looks += 1;
      await sleep(lookEveryMs);
      signal?.throwIfAborted();
      await this.#collected();
      if (this.#held < leastHeld) [letGoMs, looks] = [performance.now(), 0];
      leastHeld = Math.min(leastHeld, this.#held);
    }
    this.#wentOnMs = performance.now();
  }

  async #collected(): Promise<void> {
    this.#collect();
    this.#passed = 0;
    // What was collected is told of a little later.
    await turnOfEvents();
    await turnOfEvents();
  }

  #isBeyond(needed: number): boolean {
    return this.#held > nearlyAlone && this.#held + needed > this.#mostBytes + leastCollected;
  }

  /** Counts what an answer became, of so many bytes, until it is gone. */
  hold(value: object, bytes: number): void {
    if (bytes <= leastCounted) return;
    this.#held += bytes;
    this.#bytesOf.set(value, bytes);
    this.#gone.register(value, bytes, value);
  }

  /** Counts no longer what somebody means to keep, and has the memory for. */
  letStay(value: object): void {
    if (!this.#gone.unregister(value)) return;
    this.#held -= this.#bytesOf.get(value) ?? 0;
    this.#bytesOf.delete(value);
  }

  /** One more run shares this process, which is allowed as much again: they would keep answers from one another. Gives what ends that. */
  share(): () => void {
    this.#runs += 1;
    return () => {
      this.#runs -= 1;
    };
  }

  /** What is held at the moment, in bytes. */
  get heldBytes(): number {
    return this.#held;
  }

  get #mostBytes(): number {
    return mostBytes * this.#shares;
  }

  /** A campaign, or a command that asks little, is no run, and has its share. */
  get #shares(): number {
    return Math.max(1, this.#runs);
  }

  #hasRoom(bytes: number): boolean {
    return this.#reserved === 0 || this.#reserved + bytes <= mostBytesAtOnce * this.#shares;
  }

  #wait(bytes: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#queue.splice(this.#queue.indexOf(waiting), 1);
        reject(signal.reason as Error);
        this.#next();
      };
      const waiting = {
        bytes,
        go: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      if (signal.aborted) return reject(signal.reason as Error);
      this.#queue.push(waiting);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** Lets those go that have room now, in the order in which they came. */
  #next(): void {
    for (let [first] = this.#queue; first !== undefined; [first] = this.#queue) {
      if (!this.#hasRoom(first.bytes)) return;
      this.#queue.shift();
      this.#reserved += first.bytes;
      first.go();
    }
  }
}

/** Those of this process: it is one memory that they fill, whoever asks. */
export const largeBodies = new LargeBodies();

let collect: (() => void) | undefined;

/** The engine puts off giving memory back for as long as it may have more: with answers of this size that is too long. */
function collectGarbage(): void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}

function turnOfEvents(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
