import type { Change, History, Operation, Read, Send } from '../operation.ts';
import type { SeenMessage } from '../seen-message.ts';
import { dimensions, type Values } from './dimensions.ts';
import { Spans } from '../world/sorted.ts';
import { asText } from '../../spec/oracles/values/json-texts.ts';

/** Tells what a history's reads and messages are in each dimension. */
export class Situations {
  readonly #history: History;
  readonly #agentIds: ReadonlyMap<string, string>;
  readonly #changes: readonly Change[];
  readonly #firstChannel: string | undefined;
  readonly #concurrent: ReadonlySet<Operation>;
  readonly #cursors = new Map<string, { readonly issued: Set<string>; lowest: bigint | undefined }>();

  constructor(history: History) {
    this.#history = history;
    this.#agentIds = agentIdsOf(history);
    this.#changes = history.operations.filter(
      (each) => each.kind === 'change' && each.outcome === 'accepted',
    ) as Change[];
    this.#firstChannel = mostRead(history);
    this.#concurrent = concurrentOf(history.operations);
    for (const each of history.operations) if (each.kind === 'read') this.#note(each);
  }

  /** How a page was asked for. */
  ofRead(read: Read): Values {
    const { call, agent, limit, wait } = read;
    return known({
      call,
      reader: roleOf(agent),
      of:
        call === 'mentions'
          ? 'feed'
          : this.#isFirst(read.stream.slice('channel '.length))
            ? 'first'
            : 'second',
      cursor: this.#cursorOf(read),
      limit: limit === undefined ? 'none' : [1, 99, 100].includes(limit) ? String(limit) : 'middle',
      wait: wait === undefined ? 'none' : String(wait),
      clients: this.#concurrent.has(read) ? 'concurrent' : 'alone',
    });
  }

  /** What a message was sent as. */
  ofSend(send: Send): Values {
    const { agent, channel, content, contentType, files, session, host } = send;
    return known({
      sender: roleOf(agent),
      channel: this.#isFirst(channel) ? 'first' : 'second',
      target: this.#targetOf(send),
      text: content?.form,
      length: content === undefined ? undefined : lengthOf(content.bytes),
      type: contentType ?? 'default',
      files: filesOf(files.length),
      session: session === undefined ? 'none' : sessionOf(session),
      host: host === undefined ? 'none' : host.length === 1 ? '1 character' : `${host.length} characters`,
    });
  }

  /** What had happened to what a message names, between its send and a read. */
  after(send: Send, message: SeenMessage, read: Read): Values {
    const { author, files } = message;
    const own = new Set([author?.id, author?.human?.id, author?.machine?.id, ...files]);
    const last = this.#changes.findLast(
      ({ change, subject, startedMs, endedMs }) =>
        startedMs > send.endedMs && endedMs < read.startedMs && (change === 'restart' || own.has(subject)),
    );
    const words: Readonly<Record<string, Values['after']>> = {
      rename: 'rename',
      file: 'deletion',
      restart: 'restart',
    };
    return { after: words[last?.change ?? ''] ?? 'nothing' };
  }

  #isFirst(channel: string): boolean {
    return channel === this.#firstChannel;
  }

  #note({ stream, agent, items, nextAfter }: Read): void {
    const key = `${stream} ${agent}`;
    const cursors = this.#cursors.get(key) ?? { issued: new Set<string>(), lowest: undefined };
    if (nextAfter !== undefined) cursors.issued.add(String(nextAfter));
    for (const { sequence } of items) {
      if (sequence !== undefined && (cursors.lowest === undefined || BigInt(sequence) < cursors.lowest))
        cursors.lowest = BigInt(sequence);
    }
    this.#cursors.set(key, cursors);
  }

  #cursorOf({ after, items, stream, agent }: Read): Values['cursor'] {
    if (after === undefined) return 'none';
    if (after === 0) return '0';
    if (items.length === 0) return 'end';
    const cursors = this.#cursors.get(`${stream} ${agent}`);
    if (cursors?.lowest === BigInt(after)) return 'first';
    return cursors?.issued.has(String(after)) === true ? 'issued' : 'middle';
  }

  #targetOf({ agent, targets }: Send): Values['target'] {
    if (targets.length === 0) return 'none';
    if (targets.length > 1) return 'several';
    const [kind = '', id = ''] = targets[0]?.split(':') ?? [];
    if (kind !== 'agent') return kind === 'user' || kind === 'machine' ? kind : undefined;
    if (this.#agentIds.get(agent) === id) return 'self';
    return [this.#agentIds.get('reader'), this.#agentIds.get('author')].includes(id)
      ? 'agent'
      : 'other-agent';
  }

  /** The history that is looked at. */
  get history(): History {
    return this.#history;
  }
}

/** Whose feed names which agent in its header. */
function agentIdsOf({ operations }: History): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const each of operations) {
    if (each.kind === 'read' && each.agentId !== undefined) ids.set(each.agent, each.agentId);
  }
  return ids;
}

/** The channel that was read most often: the one that the target names first. */
function mostRead({ operations }: History): string | undefined {
  const counts = new Map<string, number>();
  for (const each of operations) {
    if (each.kind !== 'read' || each.call === 'mentions') continue;
    const channel = each.stream.slice('channel '.length);
    counts.set(channel, (counts.get(channel) ?? 0) + 1);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0];
}

/** Reads during which somebody sent something. */
function concurrentOf(operations: readonly Operation[]): ReadonlySet<Operation> {
  const sends = new Spans(operations.filter(({ kind }) => kind === 'send'));
  return new Set(operations.filter((each) => each.kind === 'read' && sends.count(each) > 0));
}

/** The role that a credential was first used in; others of its kind are numbered. */
function roleOf(agent: string): string {
  return agent.replace(/ \(\d+\)$/, '');
}

function filesOf(count: number): string {
  if (count === 0) return 'none';
  if (count === 1) return 'one';
  return count < 20 ? '2 to 19' : String(count);
}

function lengthOf(bytes: number): Values['length'] {
  if (bytes === 1) return '1 byte';
  if (bytes < 1_000) return 'short';
  if (bytes < 16_384) return '1 kB';
  return bytes < 400_000 ? '16 kB' : '500 kB';
}

/** A session is kept as the entries of its fields. */
function sessionOf(session: string): string {
  const entries: unknown = JSON.parse(session);
  const fields = Array.isArray(entries) ? (entries as (readonly [string, unknown])[]) : [];
  const { provider, surface } = Object.fromEntries(fields);
  return `${asText(provider)} ${asText(surface)}`;
}

/** Those values that a dimension declares. */
function known(values: Readonly<Record<string, string | undefined>>): Values {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) =>
        value !== undefined &&
        (dimensions as Readonly<Record<string, readonly string[]>>)[name]?.includes(value),
    ),
  );
}
