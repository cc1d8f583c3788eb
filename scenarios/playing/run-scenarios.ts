import type { CheckEvent, ClauseVerdict } from '../../harness/results/generated/events.ts';
import type { Sighted } from '../../harness/verdict/findings.ts';
import { verdictWhenBroken } from '../../harness/verdict/outcome.ts';
import { verdictOfCheck } from '../../harness/verdict/tally.ts';
import { writtenIn, type Written } from '../../harness/totals/footprint.ts';
import { clauseOf, type ClientClauseId } from '../../spec/index.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import { play, type Played, type PlayOptions } from './play.ts';
import { type Scenario, type Task, testedClauses } from '../scenario.ts';

/** A scenario that was played, as a check of a stream. */
export interface PlayedCheck {
  readonly check: CheckEvent;
  readonly sighted: readonly Sighted[];
  /** What the client wrote to a reference that is gone by now. */
  readonly written: Written;
}

interface RunScenariosOptions extends PlayOptions {
  /** Scenarios that are played at the same time. */
  readonly concurrency: number;
  /** Told of each as it ends. */
  readonly onEnd?: (played: PlayedCheck) => void;
}

/**
 * Plays scenarios with a client, several at a time. The first one of a task goes before its others: a client that cannot do it is not
 * asked for them.
 */
export async function runScenarios(
  scenarios: readonly Scenario[],
  options: RunScenariosOptions,
): Promise<readonly PlayedCheck[]> {
  const results = new Map<Scenario, PlayedCheck>();
  const undone = new Map<Task, string>();
  const one = async (scenario: Scenario): Promise<void> => {
    if (options.signal.aborted) return;
    const why = undone.get(scenario.task);
    const result = why === undefined ? await playedCheck(scenario, options, undone) : unplayed(scenario, why);
    results.set(scenario, result);
    options.onEnd?.(result);
  };
  const firsts = scenarios.filter(
    ({ task }, index) => scenarios.findIndex((each) => each.task === task) === index,
  );
  for (const wave of [firsts, scenarios.filter((each) => !firsts.includes(each))]) {
    const queue = [...wave];
    const worker = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) await one(next);
    };
    await Promise.all(Array.from({ length: options.concurrency }, worker));
  }
  return scenarios.flatMap((each) => results.get(each) ?? []);
}

async function playedCheck(
  scenario: Scenario,
  options: PlayOptions,
  undone: Map<Task, string>,
): Promise<PlayedCheck> {
  const played = await play(scenario, options);
  const outcome = outcomeOf(played);
  if (outcome.kind === 'undone') undone.set(scenario.task, outcome.why);
  return checkOf(played, outcome);
}

function checkOf(played: Played, outcome: Outcome): PlayedCheck {
  const { scenario, stage, durationMs } = played;
  const { operations, exchanges } = stage;
  const shown = outcome.kind === 'judged' ? outcome.shown : [];
  const broken = new Set(shown.map(({ clause }) => clause));
  const verdicts =
    outcome.kind === 'undone'
      ? testedClauses(scenario).map((clause) => open(clause, outcome.why))
      : [...new Set([...outcome.judged.keys(), ...broken])].map((clause): ClauseVerdict => {
          const { level } = clauseOf(clause);
          const judged = outcome.judged.get(clause) ?? 0;
          return { clause, level, judged, verdict: broken.has(clause) ? verdictWhenBroken(level) : 'passed' };
        });
  return {
    check: {
      ...eventOf(scenario, verdicts),
      requests: operations.length,
      durationMs,
    },
    written: writtenIn(operations),
    sighted: shown.map(({ witness, times, name, ...what }) => ({
      ...what,
      check: scenario.id,
      anomaly: name,
      seen: { times },
      exchanges: exchanges.of(witness.toSorted((one, other) => one.startedMs - other.startedMs)),
      // Each scenario is a world of its own, so that nothing of two of them has one cause.
      shownBy: { own: [scenario.id], others: [scenario.id] },
    })),
  };
}

function unplayed(scenario: Scenario, why: string): PlayedCheck {
  const verdicts = testedClauses(scenario).map((clause) => open(clause, why));
  return {
    check: eventOf(scenario, verdicts),
    sighted: [],
    written: writtenIn([]),
  };
}

function open(clause: ClientClauseId, reason: string): ClauseVerdict {
  return { clause, level: clauseOf(clause).level, judged: 0, verdict: 'inconclusive', reason };
}

function eventOf({ id, title, task }: Scenario, clauses: readonly ClauseVerdict[]): CheckEvent {
  return {
    type: 'check',
    check: id,
    title,
    area: task,
    verdict: verdictOfCheck(clauses),
    clauses,
    requests: 0,
    judged: clauses.reduce((sum, { judged }) => sum + judged, 0),
    attempts: 1,
    durationMs: 0,
  };
}
