import { isRecord, jsonIn } from '../spec/calls/index.ts';
import type { ClauseId } from '../spec/index.ts';
import { buildChange, buildRead, buildReport, buildSend } from './build-operation.ts';
import { isSameAuthor } from './intern.ts';
import { Fields, Texts, WrongField } from './ndjson-fields.ts';
import { historyVersion } from './ndjson.ts';
import type { Due, History, HistoryFacts, Operation, Read, Send } from './operation.ts';
import type {
  Item,
  SeenAuthor,
  SeenMessage,
  SeenPrincipal,
  SeenReceipts,
  TextDigest,
} from './seen-message.ts';
import { textForms } from './text-form.ts';

/** A line of a history that cannot be read. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError';
  readonly lineNumber: number;

  constructor(lineNumber: number, what: string) {
    super(`line ${lineNumber}: ${what}`);
    this.lineNumber = lineNumber;
  }
}

/**
 * Reads a history back, line by line.
 * @throws HistoryError that names the line and what is wrong with it
 */
export class HistoryReader {
  readonly #messages: SeenMessage[] = [];
  readonly #items: Item[] = [];
  readonly #operations: Operation[] = [];
  readonly #texts = new Texts();
  readonly #digests = new Map<string, TextDigest>();
  readonly #authors = new Map<string | undefined, SeenAuthor>();
  #facts: HistoryFacts | undefined;
  #lines = 0;
  #highest = -1;

  /** Takes the next line; an empty one says nothing. */
  add(text: string): void {
    this.#lines += 1;
    if (text.trim() === '') return;
    try {
      this.#take(this.#parse(text));
    } catch (error) {
      if (error instanceof WrongField) this.#fail(error.message);
      throw error;
    }
  }

  /** What was read. */
  history(): History {
    if (this.#facts === undefined)
      throw new HistoryError(
        Math.max(1, this.#lines),
        'it is empty; `--history FILE` of a run writes a history',
      );
    const missing = this.#highest + 1 - this.#operations.length;
    // A run knows all that was sent with its markers: what is left out looks like what nobody asked for. Of recordings nobody knows all.
    if (missing > 0 && this.#facts.isPartial !== true)
      throw new HistoryError(
        this.#lines,
        `it is not whole: up to here ${missing} ${missing === 1 ? 'operation is' : 'operations are'} missing, as the numbers of the others tell; judge it as it was written`,
      );
    return { facts: this.#facts, operations: this.#operations };
  }

  #take(line: Fields): void {
    if (this.#facts === undefined) this.#facts = this.#factsOf(line);
    else if (line.has('kind')) this.#operations.push(this.#operationOf(line));
    else if (line.has('item')) this.#items.push(this.#itemOf(line));
    else if (line.has('message')) this.#messages.push(this.#messageOf(line));
    else if (line.has('history')) this.#fail('a second header; a file holds one history');
    else this.#fail('neither an operation, nor a message, nor an item');
  }

  #parse(text: string): Fields {
    const value = jsonIn(text);
    return isRecord(value) ? new Fields(value, this.#texts) : this.#fail('not a JSON object');
  }

  #factsOf(line: Fields): HistoryFacts {
    if (!line.has('history'))
      this.#fail(`not a history of version ${historyVersion}; \`--history FILE\` of a run writes one`);
    const version = line.number('history');
    if (version !== historyVersion)
      this.#fail(
        `a history of version ${version}, and this program reads version ${historyVersion}; judge it with the program that wrote it`,
      );
    const runId = line.text('runId');
    if (runId === undefined || !line.has('settleMs'))
      return this.#fail('its header lacks `runId` or `settleMs`');
    const isPartial = line.flag('isPartial') === true;
    const facts = { runId, settleMs: line.given('settleMs'), isDurable: line.flag('isDurable') === true };
    const carried = line.inside('carried');
    return {
      ...facts,
      ...(isPartial && { isPartial }),
      ...(carried && {
        carried: { operations: carried.given('operations'), older: carried.given('older') },
      }),
    };
  }

  #operationOf(line: Fields): Operation {
    this.#highest = Math.max(this.#highest, line.number('index') ?? -1);
    const common = {
      index: this.#operations.length,
      client: line.name('client'),
      agent: line.name('agent'),
      startedMs: line.given('startedMs'),
      endedMs: line.given('endedMs'),
      outcome: line.oneOf('outcome', outcomes),
      status: line.number('status'),
      retryAfter: line.number('retryAfter'),
    };
    switch (line.oneOf('kind', kinds)) {
      case 'send':
        return this.#sendOf(common, line);
      case 'read':
        return this.#readOf(common, line);
      case 'report':
        return buildReport(common, { channel: line.name('channel'), messages: line.list('messages') });
      case 'change':
        return buildChange(common, {
          change: line.name('change'),
          subject: line.name('subject'),
          detail: line.text('detail'),
        });
    }
  }

  #sendOf(common: Common, line: Fields): Send {
    const shown = line.number('shown');
    return buildSend(common, {
      channel: line.name('channel'),
      key: line.text('key'),
      content: this.#digestOf(line.inside('content')),
      contentType: line.name('contentType'),
      targets: line.list('targets'),
      files: line.list('files'),
      session: line.name('session'),
      host: line.name('host'),
      expected: expectedIn(line),
      refusedFor: line.name('refusedFor') as ClauseId | undefined,
      // Older histories say of a send whether it was a baseline one.
      stores: line.has('stores')
        ? line.oneOf('stores', stored)
        : line.flag('isBaseline') === false
          ? 'content'
          : 'all',
      shown: shown === undefined ? undefined : this.#at(this.#messages, shown, 'message'),
    });
  }

  #readOf(common: Common, line: Fields): Read {
    return buildRead(common, {
      call: line.oneOf('call', calls),
      stream: line.name('stream'),
      after: line.sequence('after'),
      limit: line.number('limit'),
      wait: line.number('wait'),
      query: line.text('query'),
      expected: expectedIn(line),
      refusedFor: line.name('refusedFor') as ClauseId | undefined,
      isBaseline: line.flag('isBaseline') ?? true,
      items: line.numbers('items').map((number) => this.#at(this.#items, number, 'item')),
      nextAfter: line.sequence('nextAfter'),
      hasMore: line.flag('hasMore'),
      highWatermark: line.sequence('highWatermark'),
      agentId: line.name('agentId'),
    });
  }

  #itemOf(line: Fields): Item {
    const message = this.#at(this.#messages, line.given('message'), 'message');
    const id = line.text('id');
    const receipts = line.inside('receipts');
    return {
      sequence: line.sequence('sequence'),
      id: id === message.id ? message.id : id,
      message,
      receipts: receipts && receiptsIn(receipts),
    };
  }

  #messageOf(line: Fields): SeenMessage {
    const name = line.name('leftOut');
    const leftOut = name === undefined ? undefined : line.oneOf('leftOut', leftOuts);
    return {
      id: line.text('id'),
      workspace: line.name('workspace'),
      channel: line.name('channel'),
      sequence: line.sequence('sequence'),
      author: this.#authorOf(line.inside('author')),
      content: this.#digestOf(line.inside('content')),
      contentType: line.name('contentType'),
      sizeBytes: line.sequence('sizeBytes'),
      createdAt: line.text('createdAt'),
      targets: line.list('targets'),
      files: line.list('files'),
      ...(leftOut === undefined ? {} : { leftOut }),
      ...(line.flag('repeatsTarget') === true ? { repeatsTarget: true } : {}),
    };
  }

  /** One object for all that show an author alike: that is every message of an agent, mostly. */
  #authorOf(fields: Fields | undefined): SeenAuthor | undefined {
    if (fields === undefined) return undefined;
    const author = {
      id: fields.name('id'),
      displayName: fields.name('displayName'),
      host: fields.name('host'),
      human: principalIn(fields, 'human'),
      machine: principalIn(fields, 'machine'),
      session: fields.name('session'),
    };
    const known = this.#authors.get(author.id);
    if (known !== undefined && isSameAuthor(known, author)) return known;
    this.#authors.set(author.id, author);
    return author;
  }

  /** One object for a text, whether it was sent or shown. */
  #digestOf(fields: Fields | undefined): TextDigest | undefined {
    if (fields === undefined) return undefined;
    const digest = fields.text('digest') ?? this.#fail('a text without `digest`');
    const known = this.#digests.get(digest);
    if (known !== undefined) return known;
    const made: TextDigest = {
      digest,
      bytes: fields.given('bytes'),
      ...(fields.has('form') && { form: fields.oneOf('form', textForms) }),
      ...(fields.flag('hasAt') === true && { hasAt: true }),
      marker: fields.text('marker'),
    };
    this.#digests.set(digest, made);
    return made;
  }

  #at<T>(values: readonly T[], number: number, what: string): T {
    return values[number] ?? this.#fail(`it refers to ${what} ${number}, which no line before it has`);
  }

  #fail(what: string): never {
    throw new HistoryError(this.#lines, what);
  }
}

type Common = Parameters<typeof buildSend>[0];

const kinds = ['send', 'read', 'report', 'change'] as const;
const calls = ['channel-read', 'mentions'] as const;
const leftOuts = ['targets', 'files', 'both'] as const;
const stored = ['all', 'content', 'nothing'] as const;
const expectations = ['accept', 'reject', 'open'] as const;
const outcomes = ['accepted', 'refused', 'indeterminate'] as const;

/** Older histories do not say what is expected. */
function expectedIn(line: Fields): Due {
  return line.has('expected') ? line.oneOf('expected', expectations) : 'open';
}

/** One object for all that show nobody. */
const nobody: SeenReceipts = { agents: [], hasMore: false };

function receiptsIn(fields: Fields): SeenReceipts {
  const made = { agents: fields.list('agents'), hasMore: fields.flag('hasMore') === true };
  return made.agents.length === 0 && !made.hasMore ? nobody : made;
}

function principalIn(fields: Fields, name: string): SeenPrincipal | null | undefined {
  if (fields.isNull(name)) return null;
  const inside = fields.inside(name);
  return (
    inside && {
      id: inside.name('id'),
      displayName: inside.isNull('displayName') ? null : inside.name('displayName'),
    }
  );
}
