import { namesMeant } from '../../harness/gate/names-meant.ts';
import { readBaseline } from '../../harness/gate/read-baseline.ts';
import { requiredClauses } from '../../harness/gate/required-clauses.ts';
import { Scoring } from '../../harness/gate/scoring.ts';
import { InvalidTarget } from '../../harness/errors.ts';
import { programFault } from '../../harness/preflight/preflight-hooks.ts';
import type { FooterEvent } from '../../harness/results/generated/events.ts';
import { judgedEvents, judgedHeader } from '../../harness/run/judged-stream.ts';
import { exitCodes } from '../../harness/verdict/exit-code.ts';
import { scenarios } from '../../scenarios/catalogue/index.ts';
import { type PlayedCheck, runScenarios } from '../../scenarios/playing/run-scenarios.ts';
import { breakableClauses, type Scenario, tasks, testedClauses } from '../../scenarios/scenario.ts';
import { clientClauses } from '../../spec/index.ts';
import { commandLine } from '../shared/command-line.ts';
import { out, secrets } from '../shared/output.ts';
import { ownCommand } from '../shared/own-command.ts';
import type { ResultOptions } from '../shared/report-options.ts';
import { printerOf, Results } from '../shared/results.ts';
import { withinTime } from '../shared/time/time-limit.ts';

/** Options of `conform client`, as commander parses them. */
export interface ClientCommandOptions extends ResultOptions {
  readonly task: readonly string[];
  readonly scenario: readonly string[];
  readonly list?: true;
  readonly patience: number;
  readonly atOnce: number;
  readonly verbose?: boolean;
  readonly budgetMs?: number;
}

/**
 * Plays scenarios with a client; resolves to the exit code.
 * @throws InvalidTarget where an option names nothing, or no client is given that can be started
 */
export async function client(words: readonly string[], options: ClientCommandOptions): Promise<number> {
  const chosen = chosenOf(options);
  if (options.list === true) {
    for (const { id, title } of chosen) out.say(`${id}  ${title}\n`);
    return exitCodes.conforms;
  }
  const [program, ...args] = words;
  if (program === undefined)
    throw new InvalidTarget(
      `name the client behind \`--\`, as in: ${ownCommand()} client -- python3 client.py`,
    );
  const fault = programFault({ command: [program] }, process.env);
  if (fault !== undefined)
    throw new InvalidTarget(
      `the client cannot be started: \`${program}\` ${fault}; behind \`--\` stands its command, as in: ${ownCommand()} client -- python3 client.py`,
    );
  const scoring = scoringOf(options);
  const results = await Results.open(options, printerOf(options, { isLive: false }).onEvent);
  results.probe();
  const isWhole = chosen.length === scenarios.length;
  const header = judgedHeader('client', `the client ${words.join(' ')}`, {
    isStrict: options.strict === true,
    command: commandLine('client', {}),
    checks: chosen.length,
    selection: [...options.task, ...options.scenario],
  });
  results.add(secrets.cleaned(header));
  const startedMs = performance.now();
  const played: PlayedCheck[] = [];
  const end = (cut?: { readonly reason: string; readonly exitCode: number }): number => {
    const events = judgedEvents(
      { chapters: sourceOf(played, chosen), scoring, secrets, ...(cut && { cut }) },
      { footprint: footprintOf(played), durationMs: performance.now() - startedMs },
    );
    for (const event of events) results.add(secrets.cleaned(event));
    const footer = events.at(-1) as FooterEvent;
    results.keep(footer, { isWhole });
    results.end();
    return footer.exitCode;
  };
  const limited = await withinTime(
    'client',
    options.budgetMs,
    (signal) =>
      runScenarios(chosen, {
        command: [program, ...args],
        env: process.env,
        patienceMs: options.patience,
        concurrency: options.atOnce,
        secrets,
        signal,
        onEnd: (each) => played.push(each),
      }),
    { isSilent: options.quiet === true },
  );
  if (limited.end === 'done') return end();
  return limited.end === 'interrupted'
    ? end({ reason: 'a signal', exitCode: exitCodes.interrupted })
    : end({
        reason: `${limited.limitMs / 1000} s were not enough (--budget-ms)`,
        exitCode: exitCodes.inconclusive,
      });
}

function chosenOf({ task, scenario }: ClientCommandOptions): readonly Scenario[] {
  const wanted = task.length === 0 ? undefined : new Set<string>(namesMeant('task', task, tasks));
  const ids = scenarios.map(({ id }) => id);
  const named = scenario.length === 0 ? undefined : new Set<string>(namesMeant('scenario', scenario, ids));
  const chosen = scenarios.filter(
    (each) => wanted?.has(each.task) !== false && named?.has(each.id) !== false,
  );
  if (chosen.length === 0) throw new InvalidTarget('no scenario of --scenario is one of --task');
  return chosen;
}

function scoringOf({ require, baseline, strict }: ClientCommandOptions): Scoring {
  const cwd = process.cwd();
  const deciders = scenarios.map((each) => ({ id: each.id, clauses: breakableClauses(each) }));
  const today = new Date().toISOString().slice(0, 10);
  const known = baseline === undefined ? undefined : readBaseline({ file: baseline, cwd, deciders, today });
  return new Scoring(
    { required: requiredClauses(require, cwd, clientClauses), ...(known && { baseline: known }) },
    { isStrict: strict === true },
  );
}

function sourceOf(played: readonly PlayedCheck[], chosen: readonly Scenario[]) {
  const checks = played.map(({ check }) => check);
  const told = checks.flatMap(({ clauses }) => clauses.map(({ clause }) => clause));
  const asked = new Set<string>([...chosen.flatMap(testedClauses), ...told]);
  return {
    checks: () => checks,
    sighted: played.flatMap(({ sighted }) => sighted),
    clauses: clientClauses.map(({ id }) => id).filter((id) => asked.has(id)),
  };
}

function footprintOf(played: readonly PlayedCheck[]): FooterEvent['footprint'] {
  const sumOf = (count: (each: PlayedCheck) => number): number =>
    played.reduce((sum, each) => sum + count(each), 0);
  return {
    requests: sumOf(({ check }) => check.requests),
    messages: sumOf(({ written }) => written.messages),
    bytesWritten: sumOf(({ written }) => written.bytesWritten),
  };
}
