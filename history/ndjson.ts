import { Intern } from './intern.ts';
import type { History, HistoryFacts, Operation } from './operation.ts';
import type { Item, SeenMessage } from './seen-message.ts';
import { sequenceOfText } from './sequence.ts';
import type { Sequence } from './sequence.ts';

/**
 * The form of a history in a file: one JSON object a line. The first has the facts; a message or an item stands on a line of its own before
 * the first operation that refers to it by its number. Integers beyond 2^53 are strings of digits.
 */
export const historyVersion = 1;

/** Turns a history into lines, piece by piece, so that a run can write while it goes. */
export class HistoryLines {
  readonly #messages = new Map<SeenMessage, number>();
  readonly #items = new Map<Item, number>();

  /** The first line. */
  header(facts: HistoryFacts): string {
    return line({ history: historyVersion, ...facts });
  }

  /** The lines of one operation, those of what it refers to first. */
  operation(operation: Operation): string {
    const before: string[] = [];
    const own =
      operation.kind === 'read'
        ? { ...operation, items: operation.items.map((item) => this.#item(item, before)) }
        : operation.kind === 'send' && operation.shown !== undefined
          ? { ...operation, shown: this.#message(operation.shown, before) }
          : operation;
    return before.join('') + line(own);
  }

  #item(item: Item, before: string[]): number {
    const known = this.#items.get(item);
    if (known !== undefined) return known;
    const message = this.#message(item.message, before);
    const number = this.#items.size;
    this.#items.set(item, number);
    before.push(line({ item: number, ...item, message }));
    return number;
  }

  #message(message: SeenMessage, before: string[]): number {
    const known = this.#messages.get(message);
    if (known !== undefined) return known;
    const number = this.#messages.size;
    this.#messages.set(message, number);
    before.push(line({ message: number, ...message }));
    return number;
  }
}

/** A line of a history that cannot be read. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError';

  constructor(lineNumber: number, what: string) {
    super(`line ${lineNumber}: ${what}`);
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
  #facts: HistoryFacts | undefined;
  #intern: Intern | undefined;
  #lines = 0;

  /** Takes the next line; an empty one says nothing. */
  add(text: string): void {
    this.#lines += 1;
    if (text.trim() === '') return;
    const value = this.#parse(text);
    if (this.#facts === undefined) this.#facts = this.#factsOf(value);
    else if ('kind' in value) this.#operations.push(this.#operationOf(value));
    else if ('item' in value) this.#items.push(this.#itemOf(value));
    else if ('message' in value) this.#messages.push(this.#messageOf(value));
    else this.#fail('neither an operation, nor a message, nor an item');
  }

  /** What was read. */
  history(): History {
    if (this.#facts === undefined) return this.#fail('it is empty; expected the header of a history');
    return { facts: this.#facts, operations: this.#operations };
  }

  #parse(text: string): Fields {
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
    } catch {
      // Said below.
    }
    return this.#fail('not a JSON object');
  }

  #factsOf(value: Fields): HistoryFacts {
    if (value['history'] !== historyVersion)
      this.#fail(`not a history of version ${historyVersion}; \`conform run --history FILE\` writes one`);
    const { runId, settleMs, isDurable } = value;
    if (typeof runId !== 'string' || typeof settleMs !== 'number')
      return this.#fail('its header lacks `runId` or `settleMs`');
    this.#intern = new Intern({ runId });
    return { runId, settleMs, isDurable: isDurable === true };
  }

  #operationOf(value: Fields): Operation {
    if (!kinds.has(String(value['kind']))) this.#fail(`unknown kind ${JSON.stringify(value['kind'])}`);
    const { startedMs, endedMs, outcome } = value;
    if (typeof startedMs !== 'number' || typeof endedMs !== 'number' || !outcomes.has(String(outcome)))
      this.#fail('an operation without `startedMs`, `endedMs` or `outcome`');
    const common = { ...value, index: this.#operations.length };
    if (value['kind'] === 'send') {
      const shown = value['shown'];
      const lists = { targets: listOf(value['targets']), files: listOf(value['files']) };
      const message = shown === undefined ? undefined : this.#at(this.#messages, shown, 'message');
      return { ...common, ...lists, shown: message } as unknown as Operation;
    }
    if (value['kind'] !== 'read') return common as unknown as Operation;
    return {
      ...common,
      ...exact(value, ['after', 'nextAfter', 'highWatermark']),
      items: listOf(value['items']).map((number) => this.#at(this.#items, number, 'item')),
    } as unknown as Operation;
  }

  #itemOf(value: Fields): Item {
    const message = this.#at(this.#messages, value['message'], 'message');
    const { item: _number, ...fields } = value;
    const item = { ...fields, ...exact(value, ['sequence']), message } as unknown as Item;
    return this.#intern?.item(item) ?? item;
  }

  #messageOf(value: Fields): SeenMessage {
    const lists = { targets: listOf(value['targets']), files: listOf(value['files']) };
    const { message: _number, ...fields } = value;
    const message = { ...fields, ...exact(value, ['sequence', 'sizeBytes']), ...lists };
    return this.#intern?.message(message as unknown as SeenMessage) ?? (message as unknown as SeenMessage);
  }

  #at<T>(values: readonly T[], number: unknown, what: string): T {
    const value = typeof number === 'number' ? values[number] : undefined;
    return value ?? this.#fail(`it refers to ${what} ${String(number)}, which no line before it has`);
  }

  #fail(what: string): never {
    throw new HistoryError(this.#lines, what);
  }
}

type Fields = Readonly<Record<string, unknown>>;

const kinds = new Set(['send', 'read', 'report', 'change']);
const outcomes = new Set(['accepted', 'refused', 'indeterminate']);

function line(value: object): string {
  return `${JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each))}\n`;
}

/** The fields among these that hold an integer, exactly. */
function exact(value: Fields, names: readonly string[]): Record<string, Sequence | undefined> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const given = value[name];
      if (given === undefined) return [];
      return [[name, typeof given === 'string' ? sequenceOfText(given) : given] as [string, Sequence]];
    }),
  );
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? (value as readonly string[]) : [];
}
