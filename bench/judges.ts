// `npm run bench:judges [-- operations …]`: how long the judges take for synthetic histories of 10^4, 10^5 and 10^6 operations,
// how much memory, and how the time grows. Ends with 1 when the largest took longer than the goal or the time grows faster than
// n log n allows.
import { availableParallelism, loadavg } from 'node:os';
import { judgeHistory } from '../history/judges/index.ts';
import type { History, Operation, Read, Send } from '../history/operation.ts';
import type { Item, SeenMessage } from '../history/seen-message.ts';

/** Of 10^6 operations on one core. */
const goalSeconds = 10;
const goalMegabytes = 2048;
/** Of 10 times the operations: n log n gives 12 at most, and a busy machine measures no closer. */
const mostGrowth = 20;
/** Of the fewer operations the median of so many rounds counts. */
const rounds = 3;

const sizes = process.argv.slice(2).map(Number);
const chosen = sizes.length > 0 ? sizes : [10_000, 100_000, 1_000_000];

print(['operations', 'items', 'CPU s', 'growth', 'wall s', 'MB', 'anomalies', '']);
let before: { readonly operations: number; readonly seconds: number } | undefined;
for (const operations of chosen) {
  const history = syntheticHistory(operations);
  const items = history.operations.reduce(
    (sum, operation) => sum + (operation.kind === 'read' ? operation.items.length : 0),
    0,
  );
  const times = Array.from({ length: operations > 500_000 ? 1 : rounds }, () => timeOf(history));
  const seconds =
    times.map((each) => each.seconds).toSorted((one, other) => one - other)[times.length >> 1] ?? 0;
  const megabytes = Math.max(...times.map((each) => each.megabytes));
  const growth = before === undefined ? undefined : seconds / before.seconds;
  const tenfold = before === undefined ? 1 : operations / before.operations / 10;
  const isKept =
    seconds < goalSeconds * Math.max(1, operations / 1_000_000) &&
    megabytes < goalMegabytes &&
    (growth ?? 0) < mostGrowth * tenfold;
  if (!isKept) process.exitCode = 1;
  print([
    operations.toLocaleString('en'),
    items.toLocaleString('en'),
    seconds.toFixed(2),
    growth === undefined ? '' : `×${growth.toFixed(1)}`,
    Math.min(...times.map((each) => each.wallSeconds)).toFixed(2),
    megabytes.toFixed(0),
    String(times[0]?.anomalies),
    isKept ? 'kept' : 'missed',
  ]);
  before = { operations, seconds };
}
process.stdout.write(`load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} processors\n`);

function timeOf(history: History): {
  readonly seconds: number;
  readonly wallSeconds: number;
  readonly megabytes: number;
  readonly anomalies: number;
} {
  const startedMs = performance.now();
  const before = process.cpuUsage();
  const { anomalies } = judgeHistory(history);
  const { user, system } = process.cpuUsage(before);
  return {
    // What the collector does on other cores counts as well: on a busy machine no other clock says the same twice.
    seconds: (user + system) / 1e6,
    wallSeconds: (performance.now() - startedMs) / 1000,
    megabytes: process.memoryUsage().rss / 1e6,
    anomalies: anomalies.length,
  };
}

/**
 * A conforming service under 16 agents: two of five operations append to one of 20 channels, the others follow a channel from a
 * cursor of their own, begin again at 0, or list mentions. Every third message names another agent.
 */
function syntheticHistory(count: number): History {
  const channels = Array.from({ length: 20 }, (_, number) => ({
    name: `channel-${number}`,
    items: [] as Item[],
  }));
  const agents = Array.from({ length: 16 }, (_, number) => ({
    name: `agent-${number}`,
    mentions: [] as Item[],
    cursors: new Map<string, number>(),
  }));
  const operations: Operation[] = [];
  const random = randomOf(7);
  let sent = 0;
  for (let index = 0; index < count; index += 1) {
    const agent = pick(agents, random);
    const channel = pick(channels, random);
    const common = {
      index,
      client: agent.name,
      agent: agent.name,
      startedMs: index * 0.4,
      endedMs: index * 0.4 + random() * 2,
      outcome: 'accepted' as const,
      status: 200,
    };
    const kind = random();
    if (kind < 0.4) {
      sent += 1;
      const named = sent % 3 === 0 ? pick(agents, random) : undefined;
      const send = sendOf(common, channel.name, sent, named?.name);
      const message = messageOf(send, channel.items.length + 1, sent);
      channel.items.push({
        sequence: channel.items.length + 1,
        id: message.id,
        message,
        receipts: undefined,
      });
      if (named !== undefined && named !== agent)
        named.mentions.push({ sequence: sent, id: message.id, message, receipts: undefined });
      operations.push(send);
    } else if (kind < 0.9) {
      const after = kind < 0.42 ? 0 : (agent.cursors.get(channel.name) ?? 0);
      // Everything sent a few operations ago is there.
      const items = channel.items.slice(after, after + 1 + Math.floor(random() * 20));
      const read = readOf(
        common,
        `channel ${channel.name}`,
        after,
        items,
        after + items.length < channel.items.length,
      );
      agent.cursors.set(channel.name, after + items.length);
      operations.push(read);
    } else {
      const after = agent.cursors.get('feed') ?? 0;
      const items = agent.mentions.slice(after, after + 20);
      const last = agent.mentions[after - 1]?.sequence ?? 0;
      const hasMore = after + items.length < agent.mentions.length;
      const read = readOf(common, `feed ${agent.name}`, Number(last), items, hasMore);
      agent.cursors.set('feed', after + items.length);
      operations.push({ ...read, call: 'mentions', agentId: agent.name });
    }
  }
  operations.sort((one, other) => one.endedMs - other.endedMs);
  const byEnd = operations.map((operation, index): Operation => ({ ...operation, index }));
  return { facts: { runId: 'bench', settleMs: 400, isDurable: true }, operations: byEnd };
}

type Common = Pick<Read, 'index' | 'client' | 'agent' | 'startedMs' | 'endedMs' | 'outcome' | 'status'>;

function sendOf(common: Common, channel: string, number: number, named: string | undefined): Send {
  return {
    ...common,
    kind: 'send',
    // What is there at once was appended as soon as its send began.
    endedMs: common.startedMs,
    channel,
    key: `key ${number}`,
    content: { digest: `text-${number}`, bytes: 60, marker: `bench-${number}.` },
    contentType: undefined,
    targets: named === undefined ? [] : [`agent:${named}`],
    files: [],
    session: undefined,
    host: undefined,
    isBaseline: true,
    shown: undefined,
  };
}

function messageOf(send: Send, sequence: number, number: number): SeenMessage {
  return {
    id: `message-${number}`,
    workspace: 'workspace',
    channel: send.channel,
    sequence,
    author: {
      id: send.agent,
      displayName: send.agent,
      host: undefined,
      human: null,
      machine: null,
      session: undefined,
    },
    content: send.content,
    contentType: 'text/plain',
    sizeBytes: 60,
    createdAt: '2026-01-01T00:00:00Z',
    targets: send.targets,
    files: [],
  };
}

function readOf(
  common: Common,
  stream: string,
  after: number,
  items: readonly Item[],
  hasMore: boolean,
): Read {
  const last = items.at(-1)?.sequence ?? after;
  return {
    ...common,
    kind: 'read',
    call: 'channel-read',
    stream,
    after,
    limit: undefined,
    wait: undefined,
    isBaseline: true,
    items,
    nextAfter: last,
    hasMore,
    highWatermark: undefined,
    agentId: undefined,
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

function print(cells: readonly string[]): void {
  const widths = [12, 12, 9, 8, 9, 7, 11, 0];
  process.stdout.write(
    `${cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join(' ')
      .trimEnd()}\n`,
  );
}
