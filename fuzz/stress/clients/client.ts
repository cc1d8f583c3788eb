import { setTimeout as sleep } from 'node:timers/promises';
import { parameterOf, type CallRequest, type SentRequest } from '../../../spec/calls/index.ts';
import { answerLimitOf, Client } from '../../../harness/client/client.ts';
import { headerOf, type Exchange } from '../../../harness/client/exchange.ts';
import type { KnownBodies } from '../../../harness/client/known-bodies.ts';
import type { Target } from '../../../harness/config/target.ts';
import type { Operation } from '../../../history/operation.ts';
import { remembered } from '../../../spec/groups.ts';
import type { Agent } from '../scene/agents.ts';
import { cutRequest, type Cut } from './cut-request.ts';
import { Health } from '../../../harness/watch/health.ts';

/** How long an answer is waited for that was not asked to be held back, in ms. */
const answerMs = 10_000;
/** A client that got no connection, or was told to wait without a time, tries again so much later, in ms. */
const pauseMs = 25;
/** The longest `Retry-After` that a client obeys, in ms. */
const longestPauseMs = 2_000;

/** What all clients of a run share. */
export interface ClientTools {
  readonly target: Target;
  /** Takes down what a client was answered; `undefined` for what no history keeps. */
  readonly record: (client: string, exchange: Exchange) => Operation | undefined;
  readonly health: Health;
  readonly env: NodeJS.ProcessEnv;
  /** How many clients share a ceiling of requests a second. */
  readonly sharers: number;
  readonly bodies: KnownBodies;
}

/** One client of a concurrent run: one connection, one request after another, and nothing is tried again unasked. */
export class StressClient {
  readonly name: string;
  readonly agent: Agent;
  readonly #tools: ClientTools;
  readonly #http: Client;
  #beside: StressClient | undefined;
  readonly #others = new Map<Agent, StressClient>();

  constructor(name: string, agent: Agent, tools: ClientTools) {
    this.name = name;
    this.agent = agent;
    this.#tools = tools;
    const { target, sharers } = tools;
    const { ratePerSecond } = target.limits;
    const limits = {
      ...target.limits,
      ...(ratePerSecond === undefined ? {} : { ratePerSecond: ratePerSecond / sharers }),
    };
    this.#http = new Client({
      target: { ...target, limits },
      timeouts: { connectMs: 5_000, answerMs },
      env: tools.env,
      bodies: tools.bodies,
      maxTries: 1,
      heedsSignal: false,
    });
  }

  /** A second connection of this client, for what it does at once. */
  get beside(): StressClient {
    return (this.#beside ??= new StressClient(`${this.name} beside`, this.agent, this.#tools));
  }

  /** A connection as somebody else; that this one is turned away says nothing of the server's health. */
  as(agent: Agent): StressClient {
    return remembered(this.#others, agent, () => {
      const tools = { ...this.#tools, health: new Health() };
      return new StressClient(`${this.name} as ${agent.name}`, agent, tools);
    });
  }

  /** Sends a request and writes it down. */
  async ask(request: CallRequest): Promise<Operation | undefined> {
    return (await this.exchange(request)).operation;
  }

  /** The same, with the answer; a client that was refused a connection or told to slow down pauses before it goes on. */
  async exchange(
    request: CallRequest,
  ): Promise<{ readonly exchange: Exchange; readonly operation: Operation | undefined }> {
    const exchange = await this.#http.exchange(this.agent.name, this.#signed(request), {
      obeysRateLimit: false,
      ...answerLimitOf(Number(parameterOf(request.query, 'wait') ?? 0)),
    });
    const operation = this.#tools.record(this.name, exchange);
    await this.#recover(exchange);
    return { exchange, operation };
  }

  /** Sends a request whose connection is cut; nobody knows what became of it. */
  async askAndCut(request: CallRequest, cut: Cut): Promise<Operation | undefined> {
    const signed = this.#signed(request);
    const startedMs = performance.now();
    await cutRequest(this.#tools.target, signed, cut);
    const fault = { kind: 'reset', message: 'the client cut the connection', tries: 1 } as const;
    const exchange: Exchange = {
      id: 0,
      actor: this.agent.name,
      request: signed,
      response: undefined,
      fault,
      startedMs,
      endedMs: performance.now(),
    };
    return this.#tools.record(this.name, exchange);
  }

  async close(): Promise<void> {
    const others = [...this.#others.values()].map((each) => each.close());
    await Promise.all([this.#http.close(), this.#beside?.close(), ...others]);
  }

  #signed(request: CallRequest): SentRequest {
    const { headers, body } = request;
    const own = { accept: 'application/json', authorization: `Bearer ${this.agent.token}` };
    return { ...request, headers: { ...own, ...headers }, body };
  }

  async #recover(exchange: Exchange): Promise<void> {
    this.#tools.health.note(exchange);
    const { fault, response } = exchange;
    if (fault !== undefined) await sleep(pauseMs);
    else if (response?.status === 429) {
      const seconds = Number(headerOf(exchange, 'retry-after'));
      await sleep(Math.min(longestPauseMs, Number.isFinite(seconds) ? seconds * 1000 : pauseMs));
    }
  }
}
