import { areaOf, type Check } from '../harness/check/check.ts';
import type { Target } from '../harness/config/target.ts';
import { runWideChecks } from '../harness/judging/run-wide-checks.ts';
import type {
  CheckEvent,
  FooterEvent,
  ResultEvent,
  FindingEvent,
} from '../harness/results/generated/events.ts';
import { runChecks, type RunOptions } from '../harness/run/run-checks.ts';
import { exitCodes } from '../harness/verdict/exit-code.ts';
import { conclude } from '../reporters/conclusion.ts';
import { RunCollector } from '../reporters/run-so-far.ts';
import { brokenClauses } from '../harness/results/broken-clauses.ts';
import { columnOfCheck } from '../harness/results/column.ts';
import { push } from '../spec/groups.ts';

/** A target, and how to let go of it when the run has ended. */
export interface OpenedTarget {
  readonly target: Target;
  readonly close?: () => Promise<void>;
}

/** Gives the target of a run when the run begins. */
export type OpenTarget = () => OpenedTarget | Promise<OpenedTarget>;

/** How a run goes about its checks, for a runner that is told of each check as a test. */
export type AdapterOptions = Omit<RunOptions, 'onEvent'>;

/** One test of a runner. */
export interface AdapterTest {
  readonly name: string;
  /** What came of it, as soon as the run knows; an error says why it never will. */
  readonly outcome: () => Promise<TestOutcome>;
}

/** One run of checks of which each is a test of some runner: the engine runs them as it always does, and a test only waits. */
export class TestsOfRun {
  readonly #checks: readonly Check[];
  readonly #openTarget: OpenTarget;
  readonly #options: AdapterOptions;
  readonly #ended: ReadonlyMap<string, Deferred<CheckEvent>>;
  readonly #told = new RunCollector();
  #opened: OpenedTarget | undefined;
  #run: Promise<FooterEvent> | undefined;

  constructor(checks: readonly Check[], openTarget: OpenTarget, options: AdapterOptions) {
    this.#checks = checks;
    this.#openTarget = openTarget;
    this.#options = { env: process.env, ...options };
    this.#ended = new Map([...checks, ...runWideChecks].map(({ id }) => [id, deferred<CheckEvent>()]));
  }

  /** The tests of each area: those of the checks, of the checks that watch the whole run, and of what the run comes to. */
  get areas(): ReadonlyMap<string, readonly AdapterTest[]> {
    const areas = new Map<string, AdapterTest[]>();
    for (const check of this.#checks) push(areas, areaOf(check), this.#testOf(check));
    for (const check of runWideChecks) push(areas, check.area, this.#testOf(check));
    push(areas, 'run', { name: 'run: ends with exit code 0', outcome: () => this.#conclusion() });
    return areas;
  }

  /** Starts the run, and returns before it ends. A target that does not open fails every test with the reason. */
  async start(): Promise<void> {
    try {
      this.#opened = await this.#openTarget();
    } catch (error) {
      this.#giveUp(error instanceof Error ? error.message : String(error));
      return;
    }
    this.#run = runChecks(this.#checks, this.#opened.target, {
      ...this.#options,
      onEvent: (event) => this.#hear(event),
    });
  }

  /** Waits for the end of the run, and closes the target. */
  async end(): Promise<void> {
    await this.#run;
    await this.#opened?.close?.();
  }

  #testOf({ id, title }: Pick<Check, 'id' | 'title'>): AdapterTest {
    return {
      name: `${id}: ${title}`,
      outcome: async () => {
        const event = await this.#ended.get(id)?.promise;
        if (event === undefined) throw new Error(`${id} is not a check of this run`);
        // What was found is told when all of it is known.
        const isStrict = this.#isStrict;
        if (isFailing(event, isStrict)) await this.#run?.catch(() => undefined);
        return outcomeOf(event, this.#told.findings, { isStrict });
      },
    };
  }

  /** Red too where no check is: when nothing was concluded, or an entry of the baseline no longer holds. */
  async #conclusion(): Promise<TestOutcome> {
    const footer = await this.#run;
    if (footer === undefined) throw new Error('the run did not begin');
    if (footer.exitCode === exitCodes.conforms) return { is: 'passed' };
    return { is: 'failed', message: conclude(this.#told, this.#isStrict).text };
  }

  get #isStrict(): boolean {
    return this.#options.profile?.strict === true;
  }

  #hear(event: ResultEvent): void {
    this.#told.add(event);
    if (event.type === 'check') this.#ended.get(event.check)?.resolve(event);
    if (event.type === 'preflight' && !event.isOk)
      this.#giveUp(event.lines.map(({ text }) => text).join('; '));
    if (event.type === 'footer') this.#giveUp(event.reason ?? 'the run ended before this check');
  }

  #giveUp(reason: string): void {
    for (const each of this.#ended.values()) each.reject(new Error(reason));
  }
}

interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  // Nobody may be waiting yet, or ever, when a run gives up.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}

/** What a test of a runner says of its check: passed, failed with a message for people, or skipped with the reason. */
type TestOutcome =
  | { readonly is: 'passed' }
  | { readonly is: 'failed'; readonly message: string }
  | { readonly is: 'skipped'; readonly reason: string };

/** A warning fails a strict run. */
function isFailing(event: CheckEvent, isStrict: boolean): boolean {
  const column = columnOfCheck(event);
  return column === 'failed' || (isStrict && column === 'warned');
}

/** The outcome of a check that has ended; inconclusive and known ones are skipped with their reason. */
export function outcomeOf(
  event: CheckEvent,
  findings: readonly FindingEvent[],
  { isStrict = false } = {},
): TestOutcome {
  if (isFailing(event, isStrict))
    return { is: 'failed', message: describeFailures(event, findings, isStrict) };
  switch (columnOfCheck(event)) {
    case 'known':
      return skipped('known to fail: ', knownReasons(event));
    case 'notScored':
      return skipped('not scored: ', [event.verdict]);
    case 'notApplicable':
      return skipped('does not apply: ', inapplicableReasons(event));
    case 'inconclusive':
      return skipped('', inconclusiveReasons(event));
    default:
      return { is: 'passed' };
  }
}

function skipped(why: string, reasons: readonly string[]): TestOutcome {
  return { is: 'skipped', reason: `${why}${[...new Set(reasons)].join(' | ')}` };
}

function knownReasons({ clauses }: CheckEvent): string[] {
  return clauses.flatMap(({ known }) => known ?? []);
}

function inapplicableReasons({ clauses }: CheckEvent): string[] {
  return clauses.flatMap(({ inapplicable }) => inapplicable ?? []);
}

function inconclusiveReasons({ clauses }: CheckEvent): string[] {
  return clauses
    .filter(({ verdict, inapplicable }) => verdict === 'inconclusive' && inapplicable === undefined)
    .map(({ reason, enable }) => [reason, enable].filter(Boolean).join('; '));
}

function describeFailures(
  { check, clauses }: CheckEvent,
  findings: readonly FindingEvent[],
  isStrict: boolean,
): string {
  const broken = clauses.filter(
    ({ verdict, known }) =>
      (verdict === 'failed' || (isStrict && verdict === 'warned')) && known === undefined,
  );
  const lines = broken.map(({ clause }) => {
    const finding = findings.find((each) => brokenClauses(each).some((other) => other.clause === clause));
    return finding === undefined ? clause : describeFinding(clause, finding);
  });
  return [`${check} failed`, ...lines].join('\n');
}

function describeFinding(clause: string, finding: FindingEvent): string {
  const { text, source, expected, actual, exchanges } = finding;
  return [
    `${clause}: ${text} (${source})`,
    `  expected ${expected}`,
    `  got ${actual}`,
    ...exchanges.map(
      ({ curl, whyNoCurl, request }) =>
        `  ${curl ?? `${request.method} ${request.path} (no curl line: ${whyNoCurl})`}`,
    ),
  ].join('\n');
}
