import type { TerminalOutput } from '../../harness/output/terminal.ts';
import type { HeaderEvent, PreflightLine, ResultEvent } from '../../harness/results/generated/events.ts';
import type { AgainCommands } from '../story/again.ts';
import { countOf } from '../quantities.ts';
import { isStrictRun, RunCollector } from '../run-so-far.ts';
import type { Trace } from './exchange-lines.ts';
import { finalReport } from './final-report.ts';
import { LiveLine, runProgress } from './live-line.ts';
import { usualColumns, layOut, paint, prose, reportColumns, type Row, span } from './rows.ts';

export interface TerminalOptions extends AgainCommands {
  /** Decided by the caller, who knows `NO_COLOR` and `FORCE_COLOR`. */
  readonly color: boolean;
  /** A line that is rewritten while the run goes on; only on a TTY. */
  readonly live: boolean;
  /** What is warned counts, and is shown, as what failed; so it is anyway when the header says that the run is strict. */
  readonly strict: boolean;
  /** Lists observations and what preflight only informs about. */
  readonly verbose?: boolean;
  /** What was traced, asked for when the run is over. */
  readonly traces?: () => readonly Trace[];
}

/** Prints a run for people: a sign of life while it goes on, then all of it, what failed first. */
export class RunTerminal {
  readonly #out: TerminalOutput;
  readonly #options: TerminalOptions;
  readonly #run = new RunCollector();
  readonly #underWay = new Set<string>();
  #live: LiveLine | undefined;
  #hasReported = false;

  constructor(out: TerminalOutput, options: TerminalOptions) {
    this.#out = out;
    this.#options = options;
  }

  /** Takes the events in order; the footer prints the report. */
  event(event: ResultEvent): void {
    this.#run.add(event);
    if (event.type === 'header') this.#start(event);
    if (event.type === 'preflight')
      this.#print(lineRows(event.lines, 'preflight ', this.#options.verbose === true));
    if (event.type === 'notice') this.#print(lineRows([event], '', this.#options.verbose === true));
    if (event.type === 'check') this.#live?.draw();
    if (event.type === 'footer') this.end();
  }

  /** Whether a check is at work, for the line that is rewritten. */
  underWay(check: string, isUnderWay: boolean): void {
    if (isUnderWay) this.#underWay.add(check);
    else this.#underWay.delete(check);
  }

  /** The stream has ended: prints what is known, as a part of a run, when there was no footer. */
  end(): void {
    if (this.#hasReported) return;
    this.#hasReported = true;
    this.#live?.stop();
    this.#live = undefined;
    const { color, strict, verbose } = this.#options;
    const isStrict = strict || isStrictRun(this.#run);
    const settings = {
      ...this.#options,
      columns: this.#columns,
      isStrict,
      isVerbose: verbose === true,
    };
    this.#out.write(paint(finalReport(this.#run, settings), color));
  }

  /** Nobody is to hear of the run any more: nothing more is printed of it. */
  leave(): void {
    this.#hasReported = true;
    this.#live?.stop();
    this.#live = undefined;
  }

  get #columns(): number {
    return reportColumns(this.#out.columns);
  }

  #start(header: HeaderEvent): void {
    this.#print([startRow(header)]);
    if (this.#options.live && this.#out.isTTY === true) {
      const startedMs = performance.now();
      const text = (): Row => runProgress(this.#run, this.#underWay, performance.now() - startedMs);
      this.#live = new LiveLine(text, this.#out, {
        columns: () => Math.min(this.#columns, this.#out.columns ?? usualColumns),
        hasColor: this.#options.color,
      });
    }
  }

  #print(rows: readonly Row[]): void {
    if (rows.length === 0) return;
    this.#live?.erase();
    this.#out.write(paint(layOut(rows, this.#columns), this.#options.color));
    this.#live?.draw();
  }
}

function startRow({ suiteVersion, contractVersion, baseUrl, checks, profile, orderSeed }: HeaderEvent): Row {
  const switches = [
    ...(profile.strict ? ['strict'] : []),
    ...(profile.readOnly ? ['read-only'] : []),
    ...profile.selection,
    ...(orderSeed === undefined ? [] : [`--order random=${orderSeed}`]),
  ];
  return prose(
    '',
    span('strong', `conform ${suiteVersion}`),
    `: testing ${baseUrl} against contract ${contractVersion}: ${countOf(checks, 'check')}`,
    ...(switches.length === 0 ? [] : [span('faint', ` (${switches.join(', ')})`)]),
  );
}

function lineRows(lines: readonly PreflightLine[], origin: string, isVerbose: boolean): Row[] {
  return lines
    .filter(({ severity }) => isVerbose || severity !== 'info')
    .map(({ severity, text }) => {
      const tone = severity === 'error' ? 'failed' : severity === 'warning' ? 'warned' : 'faint';
      const lead = `${origin}${severity}: `;
      return { lead: [span(tone, lead)], follow: '  ', text: [text], fit: 'words' };
    });
}
