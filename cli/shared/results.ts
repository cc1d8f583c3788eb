import { Scoring } from '../../harness/gate/scoring.ts';
import { requiredClauses } from '../../harness/gate/required-clauses.ts';
import type { FooterEvent, ResultEvent } from '../../harness/results/generated/events.ts';
import { standardOutputName } from '../../harness/output/clean-file.ts';
import { ndjsonReporter } from '../../reporters/ndjson.ts';
import { RunTerminal, type TerminalOptions } from '../../reporters/run/terminal-reporter.ts';
import { verdictReporter } from '../../reporters/verdict-reporter.ts';
import { type Clause, clauses, clientClauses, type JudgedClauseId } from '../../spec/index.ts';
import { againCommands } from './again-commands.ts';
import { KeptFiles, type KeptFileFlags } from './kept-files.ts';
import { out, secrets } from './output.ts';
import { type Outputs, probeOutputs } from './probe-outputs.ts';
import { openReports, type ResultOptions } from './report-options.ts';
import type { Reports } from './reports.ts';

/** What prints a run, and hears of it. */
export interface ResultPrinter {
  readonly onEvent: (event: ResultEvent) => void;
  readonly onUnderWay: (check: string, isUnderWay: boolean) => void;
  /** Leaves a run that nobody is to hear of: what it still rewrites goes. */
  readonly leave: () => void;
}

/** What prints results as the options ask for it; `isLive` where a line may be rewritten meanwhile. */
export function printerOf(
  { strict, quiet, verbose }: Pick<ResultOptions, 'strict' | 'quiet'> & { readonly verbose?: boolean },
  { isLive, traces = () => [] }: { readonly isLive: boolean; readonly traces?: TerminalOptions['traces'] },
): ResultPrinter {
  if (quiet === true) return { onEvent: verdictReporter(out), onUnderWay: () => {}, leave: () => {} };
  const terminal = new RunTerminal(out, {
    color: out.hasColor,
    live: isLive,
    traces,
    ...againCommands,
    strict: strict === true,
    verbose: verbose === true,
  });
  return {
    onEvent: (event) => terminal.event(event),
    onUnderWay: (check, isUnderWay) => terminal.underWay(check, isUnderWay),
    leave: () => terminal.leave(),
  };
}

/** Whom a history that is judged by itself tells of: concurrent clients are the suite's own, recorded ones somebody's. */
type Judged = 'server' | 'server and clients';

/**
 * What counts of a history that is judged by itself; every check of it is scored.
 * @throws InvalidTarget naming what is wrong with a file that the options name
 */
export async function judgedScoring(
  { baseline, require, strict }: ResultOptions,
  judged: Judged,
): Promise<Scoring> {
  const register: readonly Clause<JudgedClauseId>[] =
    judged === 'server' ? clauses : [...clauses, ...clientClauses];
  const required = requiredClauses(require, process.cwd(), register);
  if (baseline === undefined) return new Scoring({ required }, { isStrict: strict === true });
  // The checks, which a baseline may name, take time to load.
  const { baselineIn } = await import('./scoring-options.ts');
  const known = baselineIn(baseline, process.cwd());
  return new Scoring({ required, baseline: known }, { isStrict: strict === true });
}

/** What says where results go. */
type Wanted = Pick<ResultOptions, 'out' | 'quiet'> & Partial<Pick<ResultOptions, 'report'>> & KeptFileFlags;

/** Where the events of a command go: the screen, the file of the stream, reports, and what is kept for later runs. */
export class Results {
  readonly kept: KeptFiles;
  readonly #options: Wanted;
  readonly #print: (event: ResultEvent) => void;
  readonly #reports: Reports | undefined;
  #stream: ReturnType<typeof ndjsonReporter> | undefined;
  /** The end of the stream, once it was told. */
  footer: FooterEvent | undefined;

  private constructor(options: Wanted, print: (event: ResultEvent) => void, reports: Reports | undefined) {
    this.#options = options;
    this.#print = print;
    this.#reports = reports;
    this.kept = new KeptFiles(options, process.cwd());
  }

  /**
   * `folder` is where a campaign keeps its failures.
   * @throws InvalidTarget on options that name no format, or files that are there and should not be
   */
  static async open(
    options: Wanted,
    print: (event: ResultEvent) => void,
    where: { readonly folder?: string } = {},
  ): Promise<Results> {
    const { report } = options;
    return new Results(options, print, report && (await openReports(report, where)));
  }

  /** True where more of the results is wanted than the screen shows. */
  get isKept(): boolean {
    return this.#options.out !== undefined || this.#reports !== undefined;
  }

  /**
   * Tries whether all of it can be written, and what else the command is going to write.
   * @throws InvalidTarget when something cannot, or is a file that this command reads
   */
  probe({ files, ...others }: Outputs = {}): void {
    const { out: path } = this.#options;
    const own = {
      '--out': path === standardOutputName ? undefined : path,
      ...this.kept.outputs,
      ...this.#reports?.outputs,
    };
    probeOutputs({ files: { ...own, ...files }, ...others });
  }

  /** Tells of an event. */
  add(event: ResultEvent): void {
    if (event.type === 'footer') this.footer = event;
    this.#print(event);
    const { out: path } = this.#options;
    if (path !== undefined) (this.#stream ??= ndjsonReporter(path, secrets)).event(event);
    this.kept.add(event);
    this.#reports?.add(event);
  }

  /** Writes what later runs need, and says so. `isWhole` is false for a part of the suite. */
  keep(footer: FooterEvent, { isWhole }: { readonly isWhole: boolean }): void {
    const notes = this.kept.write(footer, { isWhole });
    if (this.#options.quiet !== true) for (const line of notes) out.say(`${line}\n`);
  }

  /** Writes the reports. */
  end(): void {
    this.#reports?.write();
  }
}
