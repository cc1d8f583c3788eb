import { buildRead, buildSend } from '../../history/build-operation.ts';
import type { History, Operation, Read, Send } from '../../history/operation.ts';
import type { Item, SeenAuthor, SeenMessage } from '../../history/seen-message.ts';
import { randomFrom } from '../../selftest/variants/base/random.ts';

/** A channel of the synthetic service. */
interface Channel {
  readonly name: string;
  readonly stream: string;
  readonly items: Item[];
}

/** An agent of it: what names it, and how far it has read each stream. */
interface Agent {
  readonly name: string;
  readonly feed: string;
  readonly author: SeenAuthor;
  readonly mentions: Item[];
  readonly cursors: Map<string, number>;
}

/** When an operation took place, and by whom. */
interface Moment {
  readonly agent: Agent;
  readonly startedMs: number;
  readonly endedMs: number;
}

const runId = 'cf-0123456789abcdef';

/**
 * A conforming service under 16 agents: two of five operations append to one of 20 channels, the others follow a channel from a
 * cursor of their own, begin again at 0, or list mentions. Every third message names another agent. Nothing is shorter or plainer than
 * in the history of a run: ids, keys, markers, watermarks, receipts.
 */
export function syntheticHistory(count: number): History {
  const channels = Array.from({ length: 20 }, (_, number) => syntheticChannel(syntheticUuid('c', number)));
  const agents = Array.from({ length: 16 }, (_, number) => syntheticAgent(number));
  const operations: { index: number; readonly endedMs: number }[] = [];
  const random = randomFrom(7);
  let sent = 0;
  for (let index = 0; index < count; index += 1) {
    const agent = pick(agents, random);
    const channel = pick(channels, random);
    const moment = { agent, startedMs: index * 0.4, endedMs: index * 0.4 + random() * 2 };
    const kind = random();
    if (kind < 0.4) {
      sent += 1;
      const named = sent % 3 === 0 ? pick(agents, random) : undefined;
      operations.push(append(moment, channel, sent, named));
    } else if (kind < 0.9) {
      const after = kind < 0.42 ? 0 : (agent.cursors.get(channel.name) ?? 0);
      operations.push(followChannel(moment, channel, after, 1 + Math.floor(random() * 20)));
    } else operations.push(list(moment));
  }
  operations.sort((one, other) => one.endedMs - other.endedMs);
  operations.forEach((operation, index) => {
    operation.index = index;
  });
  return {
    facts: { runId, settleMs: 400, isDurable: true },
    operations: operations as unknown as readonly Operation[],
  };
}

function syntheticChannel(name: string): Channel {
  return { name, stream: `channel ${name}`, items: [] };
}

function syntheticAgent(number: number): Agent {
  const name = `agent ${number}`;
  const author = {
    id: syntheticUuid('a', number),
    displayName: name,
    host: undefined,
    human: { id: syntheticUuid('b', number), displayName: `human ${number}` },
    machine: { id: syntheticUuid('d', number), displayName: `machine ${number}` },
    session: undefined,
  };
  return { name, feed: `feed ${name}`, author, mentions: [], cursors: new Map() };
}

function syntheticUuid(kind: string, number: number): string {
  return `${kind}0000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
}

const nobody = { agents: [], hasMore: false };

/** A send, whose message is there as soon as it began. */
function append(moment: Moment, channel: Channel, number: number, named: Agent | undefined): Send {
  const { agent } = moment;
  const send = sendOf(moment, channel, number, named);
  const message = syntheticMessage(send, channel.items.length + 1, number, agent.author);
  const { id } = message;
  channel.items.push({ sequence: channel.items.length + 1, id, message, receipts: nobody });
  if (named !== undefined && named !== agent)
    named.mentions.push({ sequence: number, id, message, receipts: nobody });
  return send;
}

/** A read of a channel from a cursor on; everything sent before is there. */
function followChannel(
  moment: Moment,
  { name, stream, items: all }: Channel,
  after: number,
  limit: number,
): Read {
  const items = all.slice(after, after + limit);
  const end = after + items.length;
  moment.agent.cursors.set(name, end);
  return syntheticRead(moment, { call: 'channel-read', stream, after, limit, items, all });
}

/** A listing of the mentions that an agent has not yet seen. */
function list(moment: Moment): Read {
  const { feed, mentions, cursors } = moment.agent;
  const seen = cursors.get(feed) ?? 0;
  const items = mentions.slice(seen, seen + 20);
  cursors.set(feed, seen + items.length);
  const after = Number(mentions[seen - 1]?.sequence ?? 0);
  return syntheticRead(moment, { call: 'mentions', stream: feed, after, limit: 20, items, all: mentions });
}

function sendOf(
  { agent, startedMs }: Moment,
  { name }: Channel,
  number: number,
  named: Agent | undefined,
): Send {
  const common = { client: agent.name, agent: agent.name, startedMs, endedMs: startedMs, status: 200 };
  return buildSend(common, {
    channel: name,
    key: syntheticUuid('9', number),
    content: { digest: `text-${number}`, bytes: 60, form: 'ascii', marker: `${runId}-${number}.` },
    targets: named === undefined ? [] : [`agent:${named.author.id}`],
  });
}

function syntheticMessage(send: Send, sequence: number, number: number, author: SeenAuthor): SeenMessage {
  return {
    id: syntheticUuid('e', number),
    workspace: syntheticUuid('f', 1),
    channel: send.channel,
    sequence,
    author,
    content: send.content,
    contentType: 'text/plain',
    sizeBytes: 60,
    createdAt: new Date(1_800_000_000_000 + 1000 * number).toISOString(),
    targets: send.targets,
    files: [],
  };
}

/** What was asked for and is shown, of everything that there is. */
type Answer = Pick<Read, 'call' | 'stream' | 'items' | 'limit'> & {
  readonly after: number;
  readonly all: readonly Item[];
};

function syntheticRead({ agent, startedMs, endedMs }: Moment, answer: Answer): Read {
  const { call, stream, after, limit, items, all } = answer;
  const last = items.at(-1)?.sequence ?? after;
  const end = all.at(-1)?.sequence ?? 0;
  const common = { client: agent.name, agent: agent.name, startedMs, endedMs, status: 200 };
  const agentId = call === 'mentions' ? agent.author.id : undefined;
  const page = { items, nextAfter: last, hasMore: last < end, highWatermark: end };
  return buildRead(common, { call, stream, after, limit, agentId, ...page });
}

function pick<T>(values: readonly T[], random: () => number): T {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new Error('nothing to pick from');
  return value;
}
