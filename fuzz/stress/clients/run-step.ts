import { randomUUID } from 'node:crypto';
import { listMentions, readChannel, sendMessage } from '../../../spec/calls/index.ts';
import { reportRequest } from '../../../harness/record/request-parts.ts';
import type { Operation } from '../../../history/operation.ts';
import type {
  DropStep,
  From,
  PollStep,
  ReadStep,
  ReportStep,
  SendStep,
  Step,
  TrespassStep,
} from '../scene/plan.ts';
import { channelStream, feedOf, targetFor } from '../scene/agents.ts';
import type { Scene, SentOnce } from '../scene/scene.ts';
import type { StressClient } from './client.ts';

/** Does one step as a client, in a scene of so many channels and agents of the plan; gives the operations that it was. */
export async function runStep(
  step: Step,
  client: StressClient,
  scene: Scene,
  extent: { readonly channels: number; readonly agents: number },
): Promise<readonly Operation[]> {
  const doer = new Doer(client, scene, extent);
  if (step.do === 'send') return doer.send(step);
  if (step.do === 'drop') return doer.drop(step);
  if (step.do === 'report') return doer.report(step);
  if (step.do === 'trespass') return doer.trespass(step);
  return step.do === 'poll' ? doer.poll(step) : doer.read(step);
}

/** What a message is made of. */
interface Message extends Pick<SendStep, 'text' | 'targets'> {
  readonly parts: SendStep['parts'] | undefined;
}

class Doer {
  readonly #client: StressClient;
  readonly #scene: Scene;
  readonly #extent: { readonly channels: number; readonly agents: number };

  constructor(client: StressClient, scene: Scene, extent: { channels: number; agents: number }) {
    this.#client = client;
    this.#scene = scene;
    this.#extent = extent;
  }

  async read({ stream, from, limit }: ReadStep): Promise<Operation[]> {
    const query = limit === 'none' ? {} : { limit };
    if (stream !== 'feed') return this.#readChannel(stream, from, query);
    const feed = feedOf(this.#client.agent);
    const after = this.#cursor(feed, from);
    return this.#note(await this.#client.ask(listMentions({ after, ...query })), feed, from);
  }

  poll({ channel, from, wait }: PollStep): Promise<Operation[]> {
    return this.#readChannel(channel, from, { limit: 100, wait });
  }

  async send({ channel, text, targets, parts, key }: SendStep): Promise<Operation[]> {
    const { agent } = this.#client;
    const message = { text, targets, parts };
    if (key === 'fresh') return this.#post(this.#fresh(channel, message));
    if (key === 'twice') return this.#postTwice(this.#fresh(channel, message));
    const earlier = this.#scene.sent.earlier(agent, 'again' in key ? key.again : key.changed);
    if (earlier === undefined) return this.#post(this.#fresh(channel, message));
    if ('again' in key) return this.#post(earlier);
    const body = this.#draft(message);
    return body === undefined ? [] : this.#post({ ...earlier, body });
  }

  async drop({ channel, text, targets, parts, cut }: DropStep): Promise<Operation[]> {
    const sent = this.#fresh(channel, { text, targets, parts });
    if (sent === undefined) return [];
    const cutShort = this.#scene.canCut ? await this.#client.askAndCut(requestOf(sent), cut) : undefined;
    return [...(cutShort === undefined ? [] : [cutShort]), ...(await this.#post(sent))];
  }

  async report({ channel }: ReportStep): Promise<Operation[]> {
    const { bindings, channels, cursors } = this.#scene;
    const id = channels[channel % this.#extent.channels] ?? '';
    const message = cursors.newestOf(channelStream(id));
    if (message === undefined) return [];
    const operation = await this.#client.ask(reportRequest(bindings, id, [message], randomUUID()));
    return operation === undefined ? [] : [operation];
  }

  /** Asks as somebody who has no access to the channel. */
  async trespass({ what, channel, who }: TrespassStep): Promise<Operation[]> {
    const { intruders, channels, bodies } = this.#scene;
    const intruder = intruders[who % Math.max(intruders.length, 1)];
    const id = channels[channel % this.#extent.channels];
    if (intruder === undefined || id === undefined) return [];
    const client = this.#client.as(intruder);
    const body = what === 'send' ? bodies.of({ kind: 'plain', bytes: 0 }, []) : undefined;
    if (what === 'send' && body === undefined) return [];
    const request =
      body === undefined ? readChannel(id, { after: 0, limit: 100 }) : sendMessage(id, body, randomUUID());
    const operation = await client.ask(request);
    return operation === undefined ? [] : [operation];
  }

  /** Two connections send the same at once. */
  async #postTwice(sent: SentOnce | undefined): Promise<Operation[]> {
    if (sent === undefined) return [];
    const both = await Promise.all([this.#post(sent), this.#client.beside.ask(requestOf(sent))]);
    return both.flatMap((each) => each ?? []);
  }

  async #post(sent: SentOnce | undefined): Promise<Operation[]> {
    if (sent === undefined) return [];
    const operation = await this.#client.ask(requestOf(sent));
    if (operation !== undefined && sent.outcome !== 'accepted') sent.outcome = operation.outcome;
    return operation === undefined ? [] : [operation];
  }

  /** A message of its own under a key of its own; `undefined` once the run has written what it may. */
  #fresh(channel: number, message: Message): SentOnce | undefined {
    const id = this.#scene.channels[channel % this.#extent.channels];
    const body = this.#draft(message);
    if (id === undefined || body === undefined) return undefined;
    const sent: SentOnce = {
      agent: this.#client.agent,
      channel: id,
      key: randomUUID(),
      body,
      outcome: undefined,
    };
    this.#scene.sent.add(sent);
    return sent;
  }

  /** A body with a marker of its own; `undefined` once the run has written what it may. */
  #draft({ text, targets, parts }: Message): string | undefined {
    const agents = this.#scene.agents.slice(0, this.#extent.agents);
    const known = targets.flatMap((target) => targetFor(target, agents) ?? []);
    return this.#scene.bodies.of(text, known, parts);
  }

  async #readChannel(
    channel: number,
    from: From,
    query: Readonly<Record<string, number>>,
  ): Promise<Operation[]> {
    const id = this.#scene.channels[channel % this.#extent.channels];
    // A chapter that one channel was refused to has fewer than its plan.
    if (id === undefined) return [];
    const stream = channelStream(id);
    const after = this.#cursor(stream, from);
    return this.#note(await this.#client.ask(readChannel(id, { after, ...query })), stream, from);
  }

  #cursor(stream: string, from: From): number | bigint | undefined {
    return this.#scene.cursors.cursorFor(this.#client.name, stream, from);
  }

  #note(operation: Operation | undefined, stream: string, from: From): Operation[] {
    if (operation?.kind === 'read') this.#scene.cursors.note(this.#client.name, stream, operation, from);
    return operation === undefined ? [] : [operation];
  }
}

/** The request that sends a body again as it was sent. */
export function requestOf({ channel, body, key }: SentOnce): ReturnType<typeof sendMessage> {
  return sendMessage(channel, body, key);
}
