import { setTimeout as sleep } from 'node:timers/promises';
import { isRecord, jsonIn } from '../../spec/calls/index.ts';
import { requestName } from '../../history/clients/traffic.ts';
import type { KnownSecrets } from '../../harness/output/known-secrets.ts';
import type { Send } from '../../history/operation.ts';
import { isUuid } from '../../spec/index.ts';
import type { Scenario, Step } from '../scenario.ts';
import { ClientProcess } from '../stage/client-process.ts';
import { openStage, type Stage, type StoredMessage } from '../stage/stage.ts';

/** How often it is looked whether the client is as far as it should be, in ms. */
const lookMs = 25;
/** Who has asked so often for nothing will not come to it. */
const askedOften = 20;
/** However busy a machine is: so many times the patience, and no longer. */
const longest = 6;
/** Until it asks something for the first time it may take so many times its patience. */
const longestStart = 3;
/** What it has done once too often is seen within this, in ms. */
const afterMs = 400;
/** The longest that a single line of a client may be, in characters: what is longer is no message. */
const longestLine = 4_000_000;

/** How a client is played with. */
export interface PlayOptions {
  readonly command: readonly [program: string, ...args: string[]];
  readonly env: NodeJS.ProcessEnv;
  /** So long without any progress, and the client is given up, in ms. */
  readonly patienceMs: number;
  readonly secrets: KnownSecrets;
  readonly signal: AbortSignal;
}

/** A message that is to be taken, answered or sent: by its id where it is to be read, else by its channel and its content. */
export interface Due {
  readonly name: string;
  readonly content: string;
}

/** The name of what is to be sent to the channel of the client, or to another. */
function sentAs(content: string, isElsewhere = false): Due {
  return { name: isElsewhere ? `elsewhere: ${content}` : content, content };
}

/** What was played, and what came of it. */
export interface Played {
  readonly scenario: Scenario;
  readonly stage: Pick<Stage, 'history' | 'operations' | 'exchanges'>;
  /** In the order in which they were due; one that is due twice stands there twice. */
  readonly due: readonly Due[];
  /** What the client has taken, answered or sent, by the same names. */
  readonly taken: readonly Due[];
  /** Messages that mention nobody. */
  readonly others: readonly Due[];
  /** How the process ended before its time; `undefined` where it did not. */
  readonly end: string | undefined;
  readonly errors: string;
  readonly durationMs: number;
}

/** Plays a scenario with a client. Everything that it has started has ended when this resolves. */
export async function play(scenario: Scenario, options: PlayOptions): Promise<Played> {
  const stage = await openStage(scenario, options.secrets);
  const playing = new Playing(scenario, stage, options);
  try {
    return await playing.go();
  } finally {
    await playing.stop();
    await stage.close();
  }
}

class Playing {
  readonly #scenario: Scenario;
  readonly #stage: Stage;
  readonly #options: PlayOptions;
  readonly #client: ClientProcess;
  readonly #startedMs = performance.now();
  /** When the client was started last. */
  #launchedMs = 0;
  #isGivenUp = false;
  readonly #due: Due[] = [];
  readonly #others: Due[] = [];
  /** What it says that it has read; the content where it shows that. */
  readonly #lines: (Pick<Due, 'name'> & Partial<Due>)[] = [];

  constructor(scenario: Scenario, stage: Stage, options: PlayOptions) {
    this.#scenario = scenario;
    this.#stage = stage;
    this.#options = options;
    const { task, list = [] } = scenario;
    this.#due.push(...list.map((content) => sentAs(content)));
    this.#client = new ClientProcess({
      command: options.command,
      env: { ...options.env, ...stage.env },
      input: list.map((content) => `${JSON.stringify({ content })}\n`).join(''),
      isEndless: task !== 'send',
      waitsUntil: () => {
        const limited = stage.operations.findLast(({ retryAfter }) => retryAfter !== undefined);
        return limited === undefined ? 0 : limited.endedMs + 1_000 * (limited.retryAfter ?? 0);
      },
      onLine: (line) => this.#hear(line),
    });
  }

  async go(): Promise<Played> {
    for (const step of this.#scenario.steps) {
      await this.#take(step);
      // What comes later would tell of something else.
      if (this.#options.signal.aborted || this.#isGivenUp) break;
    }
    await sleep(afterMs);
    const { end, errors } = this.#client;
    await this.stop();
    const { history, operations, exchanges } = this.#stage;
    return {
      scenario: this.#scenario,
      stage: { history, operations, exchanges },
      due: this.#due,
      taken: this.#scenario.task === 'read' ? this.#read() : ownOf(await this.#stage.messages(), this.#stage),
      others: this.#others,
      end,
      errors,
      durationMs: performance.now() - this.#startedMs,
    };
  }

  stop(): Promise<void> {
    return this.#client.stop();
  }

  async #take(step: Step): Promise<void> {
    if ('pauseMs' in step) return sleep(step.pauseMs);
    if ('until' in step) {
      await this.#catchUp();
      return step.until === 'settled' && !this.#isGivenUp ? this.#settle() : undefined;
    }
    switch (step.who) {
      case 'colleague': {
        const isMention = 'mentions' in step;
        const isElsewhere = isMention && step.isElsewhere === true;
        for (const content of isMention ? step.mentions : step.says) {
          const id = await this.#stage.say(content, { isMention, isElsewhere });
          const said = this.#scenario.task === 'read' ? { name: id, content } : sentAs(content, isElsewhere);
          (isMention ? this.#due : this.#others).push(said);
        }
        return undefined;
      }
      case 'operator':
        return step.does === 'restart' ? this.#stage.restart() : this.#stage.swapNames();
      case 'client':
        if (step.does === 'restart') await this.#client.stop();
        this.#launchedMs = performance.now();
        this.#client.start();
    }
  }

  /** Until all that is due was taken, or nothing more comes of what it asks. */
  async #catchUp(): Promise<void> {
    let [left, sinceMs] = [Infinity, performance.now()];
    while (!this.#options.signal.aborted) {
      const missing = missingOf(this.#due, this.#takenSoFar()).length;
      // A list is delivered when the client says so.
      if (this.#client.end !== undefined || (missing === 0 && this.#scenario.task !== 'send')) return;
      if (missing < left) [left, sinceMs] = [missing, performance.now()];
      this.#isGivenUp = this.#isHopeless(sinceMs);
      if (this.#isGivenUp) return;
      await sleep(lookMs);
    }
  }

  /** Nothing has come for long, though the client asked often, or because it asks nothing any more. */
  #isHopeless(sinceMs: number): boolean {
    const [elapsedMs, patienceMs] = [performance.now() - sinceMs, this.#patienceMs];
    const since = this.#stage.operations.filter(({ startedMs }) => startedMs >= sinceMs);
    const lastMs = Math.max(sinceMs, this.#stage.operations.at(-1)?.endedMs ?? 0);
    const isSilent = performance.now() - lastMs > patienceMs;
    return (
      elapsedMs > patienceMs && (isSilent || since.length >= askedOften || elapsedMs > longest * patienceMs)
    );
  }

  /** Until it has asked twice more, or asks nothing for long. */
  async #settle(): Promise<void> {
    const sinceMs = performance.now();
    const { signal } = this.#options;
    const asked = (): number => this.#stage.operations.filter(({ startedMs }) => startedMs >= sinceMs).length;
    while (!signal.aborted && this.#client.end === undefined && asked() < 2) {
      if (performance.now() - sinceMs > this.#patienceMs) return;
      await sleep(lookMs);
    }
  }

  /** A client that takes long to start, as on a busy machine, takes long for everything. */
  get #patienceMs(): number {
    const { patienceMs } = this.#options;
    const first = this.#stage.operations.find(({ endedMs }) => endedMs >= this.#launchedMs);
    if (first === undefined) return longestStart * patienceMs;
    return Math.max(patienceMs, 2 * (first.startedMs - this.#launchedMs));
  }

  /** Of what it has sent only the number is known yet. */
  #takenSoFar(): readonly Due[] {
    if (this.#scenario.task === 'read') return this.#read();
    const sent = this.#stage.operations.filter(
      ({ kind, outcome }) => kind === 'send' && outcome === 'accepted',
    );
    return this.#due.slice(0, new Set(sent.map((each) => requestName(each as Send))).size);
  }

  /** A line that is a JSON object with the id of a message says that it was read; any other line is the client's own business. */
  #hear(line: string): void {
    const value = line.length > longestLine ? undefined : jsonIn(line);
    if (this.#scenario.task !== 'read' || !isRecord(value)) return;
    const { id, content } = value;
    if (typeof id === 'string' && isUuid(id))
      this.#lines.push({ name: id.toLowerCase(), ...(typeof content === 'string' ? { content } : {}) });
  }

  /** Where it does not show the content, that is taken for the right one; with an id that is not known it is no message. */
  #read(): readonly Due[] {
    const known = new Map([...this.#due, ...this.#others].map(({ name, content }) => [name, content]));
    return this.#lines.flatMap(({ name, content = known.get(name) }) =>
      content === undefined ? [] : [{ name, content }],
    );
  }
}

function ownOf(messages: readonly StoredMessage[], { agentId }: Stage): readonly Due[] {
  return messages.flatMap(({ authorId, content, isElsewhere }) =>
    authorId === agentId ? [sentAs(content, isElsewhere)] : [],
  );
}

/** What is due and was not taken, or not so often. */
export function missingOf(due: readonly Due[], taken: readonly Due[]): readonly Due[] {
  const left = countsOf(taken);
  return due.filter(({ name }) => {
    const count = left.get(name) ?? 0;
    left.set(name, count - 1);
    return count <= 0;
  });
}

function countsOf(all: readonly Due[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { name } of all) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
