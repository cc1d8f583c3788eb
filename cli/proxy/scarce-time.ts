import { performance } from 'node:perf_hooks';

/** Passing takes all of its processor where its event loop had no pause for this share of a second. */
const mostBusy = 0.95;
/** Below so many exchanges a second judging costs next to nothing; a loop that is busy all the same waits for others. */
const fewExchanges = 1_000;
/** After so many such seconds in a row judging makes room. */
const mostSeconds = 3;
/** From then on it takes so many exchanges, a chapter of them, and leaves out twice as many. */
const takenInTurn = 4_000;
const leftOutInTurn = 8_000;

/** Says for what share of the time since it was asked last, from 0 to 1, the event loop of this thread had no pause. */
function busyShareOfThread(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}

/** Tells when time is too scarce for all that goes through to be judged too, and of which exchanges that is. */
export class ScarceTime {
  readonly #timer: NodeJS.Timeout;
  readonly #busyShare: () => number;
  #exchanges = 0;
  #busySeconds = 0;
  #inTurn = 0;

  constructor(busyShare = busyShareOfThread()) {
    this.#busyShare = busyShare;
    this.#timer = setInterval(() => this.#look(), 1_000).unref();
  }

  end(): void {
    clearInterval(this.#timer);
  }

  /** Counts an exchange; whether there is time to judge it. */
  hasTimeForNext(): boolean {
    this.#exchanges += 1;
    if (this.#busySeconds < mostSeconds) return true;
    this.#inTurn = (this.#inTurn + 1) % (takenInTurn + leftOutInTurn);
    return this.#inTurn < takenInTurn;
  }

  #look(): void {
    const isBusy = this.#busyShare() >= mostBusy && this.#exchanges >= fewExchanges;
    this.#busySeconds = isBusy ? this.#busySeconds + 1 : 0;
    this.#exchanges = 0;
    if (!isBusy) this.#inTurn = 0;
  }
}
