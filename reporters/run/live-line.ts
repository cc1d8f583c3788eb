import { columnOfCheck } from '../../harness/results/column.ts';
import type { Shown } from '../../harness/output/printable.ts';
import type { TerminalOutput } from '../../harness/output/terminal.ts';
import { countOf, formatCount } from '../quantities.ts';
import type { RunSoFar } from '../run-so-far.ts';
import { layOut, paintLine, row, span, type Row } from './rows.ts';

/** Erases the current line and goes to its first column. */
const erase = '\u001b[2K\u001b[1G' as Shown;

/** Elapsed time goes on while checks wait. */
const tickMs = 1000;

/** Columns of a pseudo-terminal that has no width. */
const defaultColumns = 80;

/** One line, rewritten in place, that says how far a run or a campaign is. */
export class LiveLine {
  readonly #text: () => Row;
  readonly #out: TerminalOutput;
  readonly #columns: () => number;
  readonly #hasColor: boolean;
  readonly #timer: NodeJS.Timeout;

  constructor(
    text: () => Row,
    out: TerminalOutput,
    { columns = () => out.columns || defaultColumns, hasColor = false } = {},
  ) {
    this.#text = text;
    this.#out = out;
    this.#columns = columns;
    this.#hasColor = hasColor;
    this.#timer = setInterval(() => this.draw(), tickMs);
    // A forgotten footer must not keep the process alive.
    this.#timer.unref();
    this.draw();
  }

  draw(): void {
    // The last column stays free: some terminals wrap when it is written.
    const [line = []] = layOut([this.#text()], this.#columns() - 1);
    this.#out.write(`${erase}${paintLine(line, this.#hasColor)}` as Shown);
  }

  /** Leaves an empty line, as if nothing had been there. */
  erase(): void {
    this.#out.write(erase);
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
