import { columnOfCheck } from '../../harness/results/column.ts';
import type { Shown } from '../../harness/output/printable.ts';
import { countOf, formatCount } from '../quantities.ts';
import type { RunSoFar } from '../run-so-far.ts';
import { layOut, paintLine, row, span, type Row } from './rows.ts';

/** Erases the current line and goes to its first column. */
const erase = '\u001b[2K\u001b[1G' as Shown;

/** Elapsed time goes on while checks wait. */
const tickMs = 1000;

/** Where a live line is drawn. */
interface LiveScreen {
  readonly write: (text: Shown) => void;
  readonly columns: number;
  readonly hasColor: boolean;
}

/** One line, rewritten in place, that says how far a run or a campaign is. */
export class LiveLine {
  readonly #screen: () => LiveScreen;
  readonly #timer: NodeJS.Timeout;
  readonly #text: () => Row;

  constructor(text: () => Row, screen: () => LiveScreen) {
    this.#text = text;
    this.#screen = screen;
    this.#timer = setInterval(() => this.draw(), tickMs);
    // A forgotten footer must not keep the process alive.
    this.#timer.unref();
    this.draw();
  }

  draw(): void {
    const { write, columns, hasColor } = this.#screen();
    // The last column stays free: some terminals wrap when it is written.
    const [line = []] = layOut([this.#text()], columns - 1);
    write(`${erase}${paintLine(line, hasColor)}` as Shown);
  }

  /** Leaves an empty line, as if nothing had been there. */
  erase(): void {
    this.#screen().write(erase);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.erase();
  }
}

/** So few checks at work are named: those that everything waits for. */
const mostCountsNamed = 3;

/** How far a run is that began `elapsedMs` ago, and what is left; for how long nothing that ended before tells. */
export function runProgress(
  { header, checks }: RunSoFar,
  underWay: ReadonlySet<string>,
  elapsedMs: number,
): Row {
  const all = Math.max(header?.checks ?? 0, checks.length);
  const failed = checks.filter((check) => columnOfCheck(check) === 'failed').length;
  const requests = checks.reduce((sum, check) => sum + check.requests, 0);
  return row(
    `${formatCount(checks.length)} of ${countOf(all, 'check')}  `,
    span(failed === 0 ? 'plain' : 'failed', `${formatCount(failed)} failed`),
    `  ${countOf(requests, 'request')}  ${clock(elapsedMs)}  ${leftInWords(all - checks.length, underWay)}`,
  );
}

/** `12 left, 5 at work`; of few that are, their names. */
function leftInWords(left: number, underWay: ReadonlySet<string>): string {
  const count = `${formatCount(left)} left`;
  if (underWay.size === 0) return count;
  if (underWay.size > mostCountsNamed) return `${count}, ${formatCount(underWay.size)} at work`;
  return `${count}, at work: ${[...underWay].join(', ')}`;
}

/** `0:07`, `12:34`, `90:00`: minutes and seconds. */
export function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
