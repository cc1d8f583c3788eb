import type { HistoryFacts, Operation } from './operation.ts';
import type { Item, SeenMessage } from './seen-message.ts';

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

function line(value: object): string {
  return `${JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each))}\n`;
}
