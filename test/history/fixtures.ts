import { type Anomaly, type Judged, judgeHistory } from '../../history/judges/index.ts';
import { HistoryReader } from '../../history/ndjson-reader.ts';
import { HistoryLines } from '../../history/ndjson.ts';
import { buildChange, buildRead, buildReport, buildSend } from '../../history/build-operation.ts';
import type {
  Change,
  History,
  HistoryFacts,
  Operation,
  Read,
  Report,
  Send,
} from '../../history/operation.ts';
import type { Item, SeenAuthor, SeenMessage, SeenReceipts } from '../../history/seen-message.ts';
import type { Sequence } from '../../history/sequence.ts';

/** Ids as short as they can be. */
export const ids = {
  workspace: '00000000-0000-4000-8000-00000000000e',
  channel: '00000000-0000-4000-8000-0000000000c1',
  other: '00000000-0000-4000-8000-0000000000c2',
  author: '00000000-0000-4000-8000-0000000000a1',
  reader: '00000000-0000-4000-8000-0000000000a2',
  peer: '00000000-0000-4000-8000-0000000000a3',
  human: '00000000-0000-4000-8000-0000000000b1',
  machine: '00000000-0000-4000-8000-0000000000d1',
  file: '00000000-0000-4000-8000-0000000000f1',
} as const;

/** What a message carries that names the reader alone. */
export const toReader = { targets: [`agent:${ids.reader}`] };

/** How long a write may take to show in these stories, in ms. */
export const settleMs = 100;

type Times = Partial<Pick<Operation, 'startedMs' | 'endedMs'>>;

/** A history written by hand, one operation after another, each 10 ms long with 10 ms in between unless times are given. */
export class Story {
  readonly #operations: Operation[] = [];
  readonly #facts: HistoryFacts;
  #clockMs = 0;
  #sends = 0;

  constructor(facts: Partial<HistoryFacts> = {}) {
    this.#facts = { runId: 'run', settleMs, isDurable: false, ...facts };
  }

  /** What was written, by the order of ends. */
  get history(): History {
    const operations = this.#operations.toSorted((one, other) => one.endedMs - other.endedMs);
    operations.forEach((operation, index) => Object.assign(operation, { index }));
    return { facts: this.#facts, operations };
  }

  /** Lets time pass. */
  wait(ms: number = 2 * settleMs): this {
    this.#clockMs += ms;
    return this;
  }

  /** An accepted send of the author to the channel, with a marker and a key of its own. */
  send(fields: Partial<Send> = {}): Send {
    this.#sends += 1;
    const marker = `run-${this.#sends}.`;
    const content = { digest: `digest of ${marker}`, bytes: 20, marker };
    const status = fields.outcome === 'refused' ? 400 : 201;
    const own = { channel: ids.channel, key: `key ${this.#sends}`, content, ...fields };
    return this.#add(buildSend({ ...this.#common('author', fields), status, ...fields }, own));
  }

  /** Sends like that, each as an item at its place of the channel. */
  items<const At extends readonly Sequence[]>(
    sequences: At,
    fields: Partial<Send> = {},
  ): { [Index in keyof At]: Item } {
    return sequences.map((sequence) => itemOf(this.send(fields), sequence)) as { [Index in keyof At]: Item };
  }

  /** A complete read of the channel by the reader, from 0. */
  read(items: readonly Item[], fields: Partial<Read> = {}): Read {
    return this.#read('channel-read', `channel ${fields.stream ?? ids.channel}`, items, fields);
  }

  /** A complete listing of mentions of the reader, from 0. */
  feed(items: readonly Item[], fields: Partial<Read> = {}): Read {
    const agent = fields.agent ?? 'reader';
    const agentId = idOf(agent);
    return this.#read('mentions', `feed ${agent}`, items, { agentId, ...fields });
  }

  /** A report of retrievals by the reader. */
  report(messages: readonly (string | undefined)[], fields: Partial<Report> = {}): Report {
    const known = messages.filter((each) => each !== undefined);
    const common = { ...this.#common('reader', fields), ...fields };
    return this.#add(buildReport(common, { channel: ids.channel, messages: known, ...fields }));
  }

  /** What the operator did. */
  change(change: string, fields: Partial<Change> = {}): Change {
    return this.#add(buildChange({ ...this.#common('operator', fields), ...fields }, { change, ...fields }));
  }

  #read(call: Read['call'], stream: string, items: readonly Item[], fields: Partial<Read>): Read {
    const last = items.at(-1)?.sequence;
    const after = 'after' in fields ? fields.after : 0;
    const page = { call, items, nextAfter: last ?? after ?? 0, hasMore: false, ...fields, after, stream };
    return this.#add(buildRead({ ...this.#common('reader', fields), ...fields }, page));
  }

  #common(agent: string, times: Times) {
    const startedMs = times.startedMs ?? this.#clockMs + 10;
    const endedMs = times.endedMs ?? startedMs + 10;
    return { client: 'client', agent, startedMs, endedMs, status: 200 };
  }

  #add<T extends Operation>(operation: T): T {
    this.#operations.push(operation);
    this.#clockMs = Math.max(this.#clockMs, operation.endedMs);
    return operation;
  }
}

function idOf(agent: string): string | undefined {
  return agent === 'author' || agent === 'reader' || agent === 'peer' ? ids[agent] : undefined;
}

/** The author of a message, by itself and in these fields another. */
export function authorWith(fields: Partial<SeenAuthor>): { readonly author: SeenAuthor } {
  const bare = { host: undefined, human: null, machine: null, session: undefined };
  return { author: { id: ids.author, displayName: 'author', ...bare, ...fields } };
}

/** The message of a send at a place of its channel, as a conforming server shows it. */
export function messageOf(send: Send, sequence: Sequence, fields: Partial<SeenMessage> = {}): SeenMessage {
  return {
    id: `message of ${String(send.content?.digest)}`,
    workspace: ids.workspace,
    channel: send.channel,
    sequence,
    ...authorWith({
      id: idOf(send.agent),
      displayName: send.agent,
      host: send.host,
      session: send.session,
    }),
    content: send.content,
    contentType: send.contentType ?? 'text/plain',
    sizeBytes: send.content?.bytes,
    createdAt: '2026-01-01T00:00:00Z',
    targets: send.targets,
    files: send.files,
    ...fields,
  };
}

/** That message as an item of its channel. */
export function itemOf(send: Send, sequence: Sequence, fields: Partial<SeenMessage> = {}): Item {
  const message = messageOf(send, sequence, fields);
  return { sequence: message.sequence, id: message.id, message, receipts: undefined };
}

/** An item of a channel as a mention of a feed, at its place there. */
export function mentionOf(item: Item, sequence: Sequence): Item {
  return { ...item, sequence };
}

/** An item with the retrievals that it shows. */
export function retrievedBy(item: Item, agents: readonly string[], hasMore = false): Item {
  const receipts: SeenReceipts = { agents, hasMore };
  return { ...item, receipts };
}

/** What the judges make of a story. */
export function judged(story: Story): Judged {
  return judgeHistory(story.history);
}

/** The anomalies of a story, those aside that follow from another, as `name clause`. */
export function found(story: Story): readonly string[] {
  return judged(story)
    .anomalies.filter(({ explainedBy }) => explainedBy === undefined)
    .map(inShort)
    .toSorted();
}

/** All anomalies of a story, those that follow from another among them. */
export function allFound(story: Story): readonly string[] {
  return judged(story).anomalies.map(inShort).toSorted();
}

/** The names that the witness of an anomaly shows when it is judged by itself. */
export function alone({ facts }: History, { witness }: Anomaly): readonly string[] {
  const operations = witness
    .toSorted((one, other) => one.endedMs - other.endedMs)
    .map((operation, index) => ({ ...operation, index }));
  return judgeHistory({ facts, operations }).anomalies.map(inShort);
}

/** An anomaly as the tests name it. */
export function inShort({ name, clause }: Anomaly): string {
  return `${name} ${clause}`;
}

/** What is found in a story, once each, where the witness of each anomaly shows it by itself. */
export function foundAndShown(story: Story): readonly string[] {
  const { history } = story;
  const { anomalies } = judgeHistory(history);
  for (const anomaly of anomalies) {
    const names = alone(history, anomaly);
    if (!names.includes(inShort(anomaly)))
      throw new Error(`the witness of ${inShort(anomaly)} shows ${names.join(', ') || 'nothing'}`);
    if (anomaly.witness.length === 0 || anomaly.witness.length > 6)
      throw new Error(`${inShort(anomaly)} has a witness of ${anomaly.witness.length}`);
  }
  return [...new Set(found(story))];
}

/** A history as it is kept. */
export function linesOf({ facts, operations }: History): string {
  const lines = new HistoryLines();
  return [lines.header(facts), ...operations.map((operation) => lines.operation(operation))].join('');
}

/** What was kept. */
export function readBack(text: string): History {
  const reader = new HistoryReader();
  for (const line of text.split('\n')) reader.add(line);
  return reader.history();
}
