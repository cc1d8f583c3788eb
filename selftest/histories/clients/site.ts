import { answerRequest } from '../../../reference/answer-request.ts';
import type { Answer } from '../../../reference/model/answer.ts';
import type { Sources } from '../../../reference/model/sources.ts';
import type { World } from '../../../reference/model/world.ts';
import { forgetSome, openService } from '../../../reference/open-service.ts';
import { type Operator, operatorOf } from '../../../reference/operator.ts';
import { provision, provisionAgent } from '../../../reference/provision.ts';
import type { Service } from '../../../reference/service/service.ts';
import type { TargetName } from '../../../history/seen-message.ts';
import { queryText, type SentRequest } from '../../../spec/calls/index.ts';
import { combine, type Variant } from '../../variants/index.ts';
import { broughtBy, type Clock, type Work } from '../base/clock.ts';
import type { Random } from '../base/random.ts';
import type { Conditions } from '../choices/conditions.ts';
import { rulesInTime } from '../choices/freedoms.ts';

/** An agent of the site, and how it is let in. */
export interface SiteAgent {
  readonly id: string;
  readonly token: string;
  readonly humanUserId: string | undefined;
  /** The names by which a message can mention it. */
  readonly targets: readonly TargetName[];
}

/** When the site was opened. */
const openedMs = Date.UTC(2031, 0, 1);

/** What one site is made with. */
interface SiteParts {
  readonly conditions: Conditions;
  readonly clock: Clock;
  readonly random: Random;
  /** Sites of different spaces share no id. */
  readonly space: number;
  /** What lies over the reference, each over those before. */
  readonly variants: readonly Variant[];
}

/** The reference in virtual time: nobody needs a socket to ask it, and it waits for no real moment. */
export class Site {
  readonly operator: Operator;
  readonly agents: readonly SiteAgent[];
  /** Whose requests are in no history. */
  readonly stranger: SiteAgent;
  readonly #service: Service;
  readonly #world: World;
  readonly files: readonly string[];
  readonly #random: Random;
  readonly #troubleShare: number;
  #epoch = 0;
  #isDown = false;

  constructor({ conditions, clock, random, space, variants }: SiteParts) {
    this.#troubleShare = conditions.troubleShare;
    this.#random = random;
    const sources = sourcesOf(clock, space);
    const rules = rulesInTime(random.fork());
    const { options } = combine(variants, { seed: random.integer(0, 2 ** 31), rules, sources });
    this.#service = openService({ ...options, sources });
    this.#world = provision(this.#service);
    this.operator = operatorOf(this.#service, () => Promise.resolve());
    this.agents = this.#drawAgents();
    this.stranger = this.#agent('stranger');
    const { workspaceId } = this.#world;
    this.files = [1, 2, 3].map(() => this.operator.uploadFile({ workspaceId }).id);
  }

  /** Ids of its channels. */
  get channels(): readonly string[] {
    return [this.#world.channelId, this.#world.secondChannelId];
  }

  /** The credential of somebody who is known, and may not use the channels. */
  tokenOf(intruder: 'outsider' | 'stranger'): string {
    return this.#world.roles[intruder].token;
  }

  /** The answer to a request; `undefined` where none of the service came. */
  *ask({ method, path, query, headers, body }: SentRequest): Work<Answer | undefined> {
    // What stands in front of a service may answer in its place: a history has no status of that.
    if (this.#isDown || this.#random.chance(this.#troubleShare)) return undefined;
    const epoch = this.#epoch;
    const request = {
      method,
      path,
      query: queryText(query),
      headers,
      fault: undefined,
      connection: {},
      body: () => Promise.resolve(JSON.parse(String(body)) as Readonly<Record<string, unknown>>),
      goneSignal: () => new AbortController().signal,
    };
    // A turn of its own, as a request that comes through a socket has.
    const answer = yield* broughtBy(Promise.resolve().then(() => answerRequest(this.#service, request)));
    const isLost = epoch !== this.#epoch || (answer.ending ?? 'complete') !== 'complete';
    return isLost ? undefined : answer;
  }

  /** Is away for a while; whatever was under way gets no answer. */
  *restart(): Work {
    this.#epoch += 1;
    this.#isDown = true;
    yield this.#random.between(10, 60);
    forgetSome(this.#service);
    this.#isDown = false;
  }

  /** Nobody asks it any more. */
  close(): void {
    this.#service.store.close();
  }

  /** Three or four agents: the first two share a human, the second and third a machine; the last may have neither. */
  #drawAgents(): readonly SiteAgent[] {
    const { reader, author } = this.#world.roles;
    const human = { humanUserId: reader.humanUserId ?? '' };
    const machine = { machineId: author.machineId ?? '' };
    const another = { humanUserId: author.humanUserId ?? '' };
    const three = [
      this.#agent('one', { ...human, machineId: reader.machineId ?? '' }),
      this.#agent('two', { ...human, ...machine }),
      this.#agent('three', { ...machine, ...(this.#random.chance(0.7) && another) }),
    ];
    if (this.#random.chance(0.5)) return three;
    return [...three, this.#agent('four', this.#random.chance(0.5) ? machine : {})];
  }

  #agent(
    name: string,
    links: Readonly<Partial<Record<'humanUserId' | 'machineId', string>>> = {},
  ): SiteAgent {
    const { workspaceId } = this.#world;
    const {
      token,
      agentId = '',
      humanUserId,
      machineId,
    } = provisionAgent(this.#service, workspaceId, name, links);
    const targets = [
      `agent:${agentId}`,
      ...(humanUserId === undefined ? [] : [`user:${humanUserId}`]),
      ...(machineId === undefined ? [] : [`machine:${machineId}`]),
    ];
    return { id: agentId, token, humanUserId, targets };
  }
}

/** Time of the clock, and ids and tokens in the order in which they are asked for. */
function sourcesOf(clock: Clock, space: number): Sources {
  let made = 0;
  const next = (): string => (made += 1).toString(16).padStart(12, '0');
  return {
    now: () => openedMs + Math.floor(clock.nowMs),
    elapsedMs: () => clock.nowMs,
    after: (ms, run) => clock.after(ms, run),
    id: () => `${space.toString(16).padStart(8, '0')}-0000-4000-8000-${next()}`,
    secret: next,
  };
}
