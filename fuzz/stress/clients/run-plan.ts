import { setTimeout as sleep } from 'node:timers/promises';
import type { Operation } from '../../../history/operation.ts';
import { delaySlotMs, type Plan, type Round, type Turn } from '../scene/plan.ts';
import type { Scene } from '../scene/scene.ts';
import type { StressClient } from './client.ts';
import { runStep } from './run-step.ts';
import { push } from '../../../spec/groups.ts';

/** Which turn of a plan an operation was part of. */
export interface Place {
  readonly plan: number;
  readonly round: number;
  readonly turn: number;
}

/** How a plan is run. */
interface PlanRun {
  readonly scene: Scene;
  readonly clients: readonly StressClient[];
  /** Of the plan among those of its chapter. */
  readonly number: number;
  readonly onOperation: (operation: Operation, place: Place) => void;
  /** True once no further round is to begin. */
  readonly isOver: () => boolean;
  /** Restarts the server. */
  readonly restart: () => Promise<void>;
}

/**
 * Runs a plan, one round after the other; resolves once all its turns are done. A poll holds up no round: whoever still waits
 * for one when a round begins takes no part in it.
 */
export async function runPlan(plan: Plan, run: PlanRun): Promise<void> {
  const lines = run.clients.map((client) => new ClientLine(client));
  const restarts: Promise<void>[] = [];
  for (const [number, round] of plan.rounds.entries()) {
    if (run.isOver()) break;
    for (const fault of plan.faults) {
      if (fault.round % plan.rounds.length !== number) continue;
      const restarted = sleep(fault.delay * delaySlotMs).then(run.restart);
      // It is heard at the end.
      restarted.catch(() => undefined);
      restarts.push(restarted);
    }
    await runRound(round, { plan, number, lines, run });
  }
  await Promise.all([...lines.map((line) => line.done), ...restarts]);
}

/** What one client is at. */
class ClientLine {
  readonly client: StressClient;
  done: Promise<void> = Promise.resolve();
  isBusy = false;

  constructor(client: StressClient) {
    this.client = client;
  }

  begin(work: () => Promise<void>): void {
    this.isBusy = true;
    this.done = work().finally(() => {
      this.isBusy = false;
    });
  }
}

interface RoundParts {
  readonly plan: Plan;
  readonly number: number;
  readonly lines: readonly ClientLine[];
  readonly run: PlanRun;
}

async function runRound({ par }: Round, { plan, number, lines, run }: RoundParts): Promise<void> {
  const turns = new Map<ClientLine, (readonly [number, Turn])[]>();
  for (const [index, turn] of par.entries()) {
    const line = lines[turn.client % lines.length];
    if (line !== undefined && !line.isBusy) push(turns, line, [index, turn]);
  }
  const awaited: Promise<void>[] = [];
  for (const [line, own] of turns) {
    line.begin(async () => {
      for (const [index, turn] of own) {
        if (turn.delay > 0) await sleep(turn.delay * delaySlotMs);
        const operations = await runStep(turn.step, line.client, run.scene, plan);
        const place = { plan: run.number, round: number, turn: index };
        for (const operation of operations) run.onOperation(operation, place);
      }
    });
    if (own.every(([, { step }]) => step.do !== 'poll')) awaited.push(line.done);
  }
  await Promise.all(awaited);
}
