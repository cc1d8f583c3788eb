import { columnOfCheck } from '../../harness/results/column.ts';
import { countOf, formatCount } from '../quantities.ts';
import type { RunSoFar } from '../run-so-far.ts';
import { layOut, paintLine, row, span } from './rows.ts';

/** Erases the current line and goes to its first column. */
const erase = '\u001b[2K\u001b[1G';

/** Elapsed time goes on while checks wait. */
const tickMs = 1000;

/** Where a live line is drawn. */
export interface LiveScreen {
  readonly write: (text: string) => void;
  readonly columns: number;
  readonly hasColor: boolean;
}

/** One line, rewritten in place, that says how far a run is. */
export class LiveLine {
  readonly #screen: () => LiveScreen;
  readonly #startedMs = performance.now();
  readonly #timer: NodeJS.Timeout;
  #run: RunSoFar;

  constructor(run: RunSoFar, screen: () => LiveScreen) {
    this.#run = run;
    this.#screen = screen;
    this.#timer = setInterval(() => this.draw(), tickMs);
    // A forgotten footer must not keep the process alive.
    this.#timer.unref();
    this.draw();
  }

  draw(): void {
    const { write, columns, hasColor } = this.#screen();
    // The last column stays free: some terminals wrap when it is written.
    const [line = []] = layOut([row(...this.#text())], columns - 1);
    write(`${erase}${paintLine(line, hasColor)}`);
  }

  /** Leaves an empty line, as if nothing had been there. */
  erase(): void {
    this.#screen().write(erase);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.erase();
  }

  #text(): Parameters<typeof row> {
    const { header, checks } = this.#run;
    const failed = checks.filter((check) => columnOfCheck(check) === 'failed').length;
    const requests = checks.reduce((sum, check) => sum + check.requests, 0);
    return [
      `${formatCount(checks.length)} of ${countOf(Math.max(header?.checks ?? 0, checks.length), 'check')}  `,
      span(failed === 0 ? 'plain' : 'failed', `${formatCount(failed)} failed`),
      `  ${countOf(requests, 'request')}  ${clock(performance.now() - this.#startedMs)}`,
    ];
  }
}

/** `0:07`, `12:34`, `90:00`: minutes and seconds. */
function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
