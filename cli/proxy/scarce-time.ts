import { cpus } from 'node:os';
import { performance } from 'node:perf_hooks';

/** Whatever judging takes it takes from passing where the event loop, or the whole machine, was busy for this share of a second: more is hardly ever reached. */
const busy = 0.9;
/** Nothing is left out any more once it was busy for no more than this: judging fits into the rest. */
const free = 0.75;
/** Below so many exchanges a second judging costs next to nothing, and others keep the machine busy. */
const fewExchanges = 1_000;
/** After so many such seconds in a row judging makes room. */
const mostSeconds = 3;
/** From then on it takes so many exchanges, a chapter of them, and leaves out seven times as many. */
const takenInTurn = 4_000;
const leftOutInTurn = 28_000;

/** Says for what share of the time since it was asked last, from 0 to 1, the event loop of this thread had no pause, or all processors had none. */
function busyShare(): () => number {
  let loop = performance.eventLoopUtilization();
  let machine = processorTimes();
  return () => {
    const [loopNow, machineNow] = [performance.eventLoopUtilization(), processorTimes()];
    const { utilization } = performance.eventLoopUtilization(loopNow, loop);
    const idle = (machineNow.idle - machine.idle) / (machineNow.all - machine.all);
    [loop, machine] = [loopNow, machineNow];
    return Math.max(utilization, Number.isFinite(idle) ? 1 - idle : 0);
  };
}

/** Of all processors together since the machine began, in ms. */
function processorTimes(): { readonly idle: number; readonly all: number } {
  const times = cpus().map((cpu) => cpu.times);
  return {
    idle: times.reduce((sum, { idle }) => sum + idle, 0),
    all: times.flatMap((each) => Object.values(each)).reduce((sum, each) => sum + each, 0),
  };
}

/** Tells when time is too scarce for all that goes through to be judged too, and of which exchanges that is. */
export class ScarceTime {
  readonly #timer: NodeJS.Timeout;
  readonly #busyShare: () => number;
  #exchanges = 0;
  #busySeconds = 0;
  #inTurn = 0;

  constructor(share = busyShare()) {
    this.#busyShare = share;
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
    const isScarce = this.#busySeconds >= mostSeconds;
    const isBusy = this.#busyShare() > (isScarce ? free : busy) && this.#exchanges >= fewExchanges;
    this.#busySeconds = isBusy ? this.#busySeconds + 1 : 0;
    this.#exchanges = 0;
    if (!isBusy) this.#inTurn = 0;
  }
}
