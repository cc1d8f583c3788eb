import { randomBytes } from 'node:crypto';
import { proxiesFor } from '../../../harness/client/dispatcher.ts';
import { KnownBodies } from '../../../harness/client/known-bodies.ts';
import type { Exchange } from '../../../harness/client/exchange.ts';
import { requestFactsOfStanding, type Standing } from '../../../harness/config/request-facts.ts';
import { HistoryRecorder } from '../../../harness/record/history-recorder.ts';
import type { BrokenVerdict } from '../../../harness/results/generated/events.ts';
import { CheckStopped, verdictWhenBroken } from '../../../harness/verdict/outcome.ts';
import { judgeHistory } from '../../../history/judges/index.ts';
import type { Anomaly, Judged } from '../../../history/anomalies/judge.ts';
import type { History, Operation } from '../../../history/operation.ts';
import { clauseOf } from '../../../spec/index.ts';
import { StressClient, type ClientTools } from '../clients/client.ts';
import { Health } from '../../../harness/watch/health.ts';
import { runPlan, type Place } from '../clients/run-plan.ts';
import { closeChapter, readOn } from './closing.ts';
import { openScene } from './open-scene.ts';
import { probeFields } from './probe-fields.ts';
import type { Plan } from '../scene/plan.ts';
import type { Agent } from '../scene/agents.ts';
import type { Scene } from '../scene/scene.ts';
import type { Stage } from '../scene/stage.ts';

/** The marker of every chapter begins with this. */
export const chapterMark = 'cs-';

/** Longest that the closing of a chapter may take, in ms. */
const longestClosingMs = 60_000;

/** What is run in one chapter, and for how long. */
interface ChapterOptions {
  readonly clients: number;
  /** The plans one after another; the chapter ends with the last, or when its time is over. */
  readonly plans: Iterable<Plan>;
  /** No plan begins, and no round of one, after so long, in ms; `undefined` means that all of them run. */
  readonly loadMs?: number | undefined;
  /** Is told of each restart that begins. */
  readonly onRestart?: () => void;
  /** Is told of each exchange of the chapter. */
  readonly onExchange?: (exchange: Exchange) => void;
}

/** A history of its own: from anchors to a last look at everything. */
export interface Chapter {
  readonly history: History;
  readonly judged: Judged;
  /** Those that began. */
  readonly plans: readonly Plan[];
  readonly placeOf: ReadonlyMap<Operation, Place>;
  readonly health: Health;
  /** Why nothing can be concluded from it; `undefined` where something can. */
  readonly trouble: string | undefined;
}

/** What went wrong, as the catalogue of anomalies calls it, and whether the contract states the clause that it breaks. */
export interface Wrong {
  readonly name: string;
  readonly verdict: BrokenVerdict;
}

/** What an anomaly is, told apart from others. */
export function wrongOf({ name, clause }: Anomaly): Wrong {
  return { name, verdict: verdictWhenBroken(clauseOf(clause).level) };
}

/** The anomaly by which a chapter shows the same, what only follows from others left aside. */
export function anomalyIn(
  { judged }: Pick<Chapter, 'judged'>,
  { name, verdict }: Wrong,
): Anomaly | undefined {
  return judged.anomalies.find(
    (each) => each.explainedBy === undefined && each.name === name && wrongOf(each).verdict === verdict,
  );
}

/** Runs a chapter and judges its history. */
export async function runChapter(stage: Stage, options: ChapterOptions): Promise<Chapter> {
  return new ChapterRun(stage, options).go();
}

class ChapterRun {
  readonly #stage: Stage;
  readonly #options: ChapterOptions;
  readonly #runId = `${chapterMark}${randomBytes(8).toString('hex')}`;
  readonly #recorder: HistoryRecorder;
  readonly #health = new Health();
  readonly #bodies = new KnownBodies();
  readonly #placeOf = new Map<Operation, Place>();
  readonly #plans: Plan[] = [];
  readonly #open = new Set<StressClient>();
  /** Those that every agent was seen to write to. */
  #channels: readonly string[] = [];
  #trouble: string | undefined;
  #judged: Judged | undefined;
  /** What ends later was cut short by the end of the run, and says nothing. */
  #isClosed = false;

  constructor(stage: Stage, options: ChapterOptions) {
    this.#stage = stage;
    this.#options = options;
    const { settleMs, isDurable, target } = stage;
    const facts = { runId: this.#runId, settleMs, isDurable };
    const asked = requestFactsOfStanding(target, standingsIn(stage), () => this.#channels);
    this.#recorder = new HistoryRecorder(facts, target, { asked });
  }

  async go(): Promise<Chapter> {
    const stop = (): void => {
      this.#isClosed = true;
      for (const client of this.#open) void client.close();
    };
    this.#stage.signal.addEventListener('abort', stop, { once: true });
    try {
      const scene = await this.#openScene();
      if ('why' in scene) this.#trouble = scene.why;
      else await this.#runIn(scene);
    } finally {
      this.#stage.signal.removeEventListener('abort', stop);
      await Promise.all([...this.#open].map((client) => client.close()));
    }
    const { history } = this.#recorder;
    return {
      history,
      judged: this.#judged ?? judgeHistory(history),
      plans: this.#plans,
      placeOf: this.#placeOf,
      health: this.#health,
      trouble: this.#trouble ?? this.#health.trouble,
    };
  }

  /** Whether to go on shows nothing any more. */
  get #isHopeless(): boolean {
    return this.#stage.signal.aborted || this.#trouble !== undefined || this.#health.loss !== undefined;
  }

  async #openScene(): Promise<Scene | { readonly why: string }> {
    const stage = this.#stage;
    await this.#probeFields();
    const clients = stage.agents.map((agent) => this.#client(`opening ${agent.name}`, agent));
    return openScene({ stage, runId: this.#runId, clients, canCut: !hasProxy(stage) });
  }

  /** What is sent to find out is not judged. */
  async #probeFields(): Promise<void> {
    const [agent] = this.#stage.agents;
    if (agent === undefined) return;
    const { settleMs, target } = this.#stage;
    const recorder = new HistoryRecorder(
      { runId: `${this.#runId}-probe`, settleMs, isDurable: false },
      target,
    );
    const record: ClientTools['record'] = (client, exchange) => recorder.add(client, exchange);
    await probeFields(this.#client('probe', agent, { record }), this.#stage);
  }

  async #runIn(scene: Scene): Promise<void> {
    this.#channels = scene.channels;
    const clients = Array.from({ length: this.#options.clients }, (_, index) => {
      const agent = scene.agents[index % scene.agents.length] as Agent;
      return this.#client(`client ${index + 1}`, agent, { sharers: this.#options.clients });
    });
    const { loadMs } = this.#options;
    const endMs = loadMs === undefined ? Infinity : performance.now() + loadMs;
    const isOver = (): boolean => this.#isHopeless || performance.now() >= endMs;
    for (const plan of this.#options.plans) {
      const number = this.#plans.push(plan) - 1;
      await runPlan(plan, {
        scene,
        clients,
        number,
        isOver,
        restart: () => this.#restart(),
        onOperation: (operation, place) => this.#placeOf.set(operation, place),
      });
      if (isOver()) break;
    }
    if (this.#isHopeless) return;
    const overMs = performance.now() + longestClosingMs;
    const closing = {
      stage: this.#stage,
      scene,
      isOver: () => this.#isHopeless || performance.now() > overMs,
      freshClient: (name: string, agent: Agent) => this.#client(name, agent),
    };
    await closeChapter(closing);
    this.#judged = await this.#stage.patience.judge({
      history: this.#recorder.history,
      readOn: () => readOn(closing),
    });
  }

  /** A hook that fails ends the chapter: nobody knows what the server is at. */
  async #restart(): Promise<void> {
    const startedMs = performance.now();
    try {
      this.#options.onRestart?.();
      await this.#stage.restart();
    } catch (error) {
      if (!(error instanceof CheckStopped)) throw error;
      this.#trouble ??= error.message;
      return;
    }
    if (this.#isClosed) return;
    const endedMs = performance.now();
    this.#recorder.change({ client: 'operator', change: 'restart', startedMs, endedMs, isDone: true });
  }

  #client(
    name: string,
    agent: Agent,
    {
      record = (client, exchange) => {
        if (this.#isClosed) return undefined;
        this.#options.onExchange?.(exchange);
        return this.#recorder.add(client, exchange);
      },
      sharers = this.#stage.agents.length,
    }: Partial<Pick<ClientTools, 'record' | 'sharers'>> = {},
  ): StressClient {
    const { target, env } = this.#stage;
    const tools: ClientTools = { target, env, sharers, record, health: this.#health, bodies: this.#bodies };
    const client = new StressClient(name, agent, tools);
    this.#open.add(client);
    return client;
  }
}

/** Who has access, by what stands in `Authorization`. */
function standingsIn({ agents, intruders }: Stage): ReadonlyMap<string, Standing> {
  return new Map([
    ...agents.map(({ token }) => [`Bearer ${token}`, 'member'] as const),
    ...intruders.map(({ token, name }) => [`Bearer ${token}`, name] as const),
  ]);
}

function hasProxy({ target, env }: Stage): boolean {
  return proxiesFor(new URL(target.baseUrl), env, target.connection) !== undefined;
}
