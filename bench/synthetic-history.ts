import type { History, Operation, Read, Send } from '../history/operation.ts';
import type { Item, SeenAuthor, SeenMessage } from '../history/seen-message.ts';

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

/**
 * A conforming service under 16 agents: two of five operations append to one of 20 channels, the others follow a channel from a
 * cursor of their own, begin again at 0, or list mentions. Every third message names another agent.
 */
export function syntheticHistory(count: number): History {
  const channels = Array.from({ length: 20 }, (_, number) => channelOf(`channel-${number}`));
  const agents = Array.from({ length: 16 }, (_, number) => agentOf(`agent-${number}`));
  const operations: { index: number; readonly endedMs: number }[] = [];
  const random = randomOf(7);
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
      operations.push(follow(moment, channel, after, 1 + Math.floor(random() * 20)));
    } else operations.push(list(moment));
  }
  operations.sort((one, other) => one.endedMs - other.endedMs);
  operations.forEach((operation, index) => {
    operation.index = index;
  });
  return {
    facts: { runId: 'bench', settleMs: 400, isDurable: true },
    operations: operations as unknown as readonly Operation[],
  };
}

function channelOf(name: string): Channel {
  return { name, stream: `channel ${name}`, items: [] };
}

function agentOf(name: string): Agent {
  const author = {
    id: name,
    displayName: name,
    host: undefined,
    human: null,
    machine: null,
    session: undefined,
  };
  return { name, feed: `feed ${name}`, author, mentions: [], cursors: new Map() };
}

/** A send, whose message is there as soon as it began. */
function append(moment: Moment, channel: Channel, number: number, named: Agent | undefined): Send {
  const { agent } = moment;
  const send = sendOf(moment, channel, number, named);
  const message = messageOf(send, channel.items.length + 1, number, agent.author);
  const { id } = message;
  channel.items.push({ sequence: channel.items.length + 1, id, message, receipts: undefined });
  if (named !== undefined && named !== agent)
    named.mentions.push({ sequence: number, id, message, receipts: undefined });
  return send;
}

/** A read of a channel from a cursor on; everything sent before is there. */
function follow(moment: Moment, { name, stream, items: all }: Channel, after: number, limit: number): Read {
  const items = all.slice(after, after + limit);
  const end = after + items.length;
  moment.agent.cursors.set(name, end);
  return readOf(moment, { call: 'channel-read', stream, after, items, hasMore: end < all.length });
}

/** A listing of the mentions that an agent has not yet seen. */
function list(moment: Moment): Read {
  const { feed, mentions, cursors } = moment.agent;
  const seen = cursors.get(feed) ?? 0;
  const items = mentions.slice(seen, seen + 20);
  cursors.set(feed, seen + items.length);
  const after = Number(mentions[seen - 1]?.sequence ?? 0);
  const hasMore = seen + items.length < mentions.length;
  return readOf(moment, { call: 'mentions', stream: feed, after, items, hasMore });
}

function sendOf(
  { agent, startedMs }: Moment,
  { name }: Channel,
  number: number,
  named: Agent | undefined,
): Send {
  return {
    kind: 'send',
    index: 0,
    client: agent.name,
    agent: agent.name,
    startedMs,
    endedMs: startedMs,
    outcome: 'accepted',
    status: 200,
    channel: name,
    key: `key ${number}`,
    content: { digest: `text-${number}`, bytes: 60, marker: `bench-${number}.` },
    contentType: undefined,
    targets: named === undefined ? [] : [`agent:${named.name}`],
    files: [],
    session: undefined,
    host: undefined,
    isBaseline: true,
    shown: undefined,
  };
}

function messageOf(send: Send, sequence: number, number: number, author: SeenAuthor): SeenMessage {
  return {
    id: `message-${number}`,
    workspace: 'workspace',
    channel: send.channel,
    sequence,
    author,
    content: send.content,
    contentType: 'text/plain',
    sizeBytes: 60,
    createdAt: '2026-01-01T00:00:00Z',
    targets: send.targets,
    files: [],
  };
}

type Answer = Pick<Read, 'call' | 'stream' | 'items' | 'hasMore'> & { readonly after: number };

function readOf({ agent, startedMs, endedMs }: Moment, answer: Answer): Read {
  const { call, stream, after, items, hasMore } = answer;
  return {
    kind: 'read',
    index: 0,
    client: agent.name,
    agent: agent.name,
    startedMs,
    endedMs,
    outcome: 'accepted',
    status: 200,
    call,
    stream,
    after,
    limit: undefined,
    wait: undefined,
    isBaseline: true,
    items,
    nextAfter: items.at(-1)?.sequence ?? after,
    hasMore,
    highWatermark: undefined,
    agentId: call === 'mentions' ? agent.name : undefined,
  };
}

/** Numbers from 0 up to 1, the same for a seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function pick<T>(values: readonly T[], random: () => number): T {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new Error('nothing to pick from');
  return value;
}
