import { shownLine } from '../../harness/output/printable.ts';
import type { TerminalOutput } from '../../harness/output/terminal.ts';
import { clock, LiveLine } from '../../reporters/run/live-line.ts';
import { row, type Row } from '../../reporters/run/rows.ts';

/** Something that a stress run does, and for how long at most, in ms. */
interface Activity {
  readonly what: string;
  readonly sinceMs: number;
  readonly mostMs: number;
}

/** What a stress run prints while it goes on: lines that stay, and below them, on a terminal, one that says what is left. */
export class StressScreen {
  readonly #out: TerminalOutput;
  readonly #startedMs = performance.now();
  #activity: Activity | undefined;
  #live: LiveLine | undefined;

  constructor(out: TerminalOutput) {
    this.#out = out;
  }

  /** Begins something, in place of what was before. */
  begin(what: string, mostMs: number): void {
    this.#activity = { what, mostMs, sinceMs: performance.now() };
    if (this.#out.isTTY !== true) return;
    this.#live ??= new LiveLine(() => this.#text(), this.#out);
    this.#live.draw();
  }

  say(line: string): void {
    this.#live?.erase();
    this.#out.write(shownLine(line));
    this.#live?.draw();
  }

  stop(): void {
    this.#live?.stop();
    this.#live = undefined;
  }

  #text(): Row {
    const nowMs = performance.now();
    const { what, sinceMs, mostMs } = this.#activity ?? { what: '', sinceMs: nowMs, mostMs: 0 };
    const leftMs = sinceMs + mostMs - nowMs;
    const left = leftMs > 0 ? `${clock(Math.ceil(leftMs / 1000) * 1000)} left` : 'finishing';
    return row(`${clock(nowMs - this.#startedMs)}  ${left}  ${what}`);
  }
}
