import { isRecord } from '../spec/calls/index.ts';
import { sequenceOf, sequenceOfText, type Sequence } from './sequence.ts';

/** A field of a line that is of another type than its kind has. */
export class WrongField extends Error {
  override readonly name = 'WrongField';
}

/** A JSON object as it stands on a line, read field by field; an absent field is `undefined`. */
export class Fields {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #texts: Texts;

  constructor(values: Readonly<Record<string, unknown>>, texts: Texts) {
    this.#values = values;
    this.#texts = texts;
  }

  has(name: string): boolean {
    return this.#values[name] !== undefined;
  }

  isNull(name: string): boolean {
    return this.#values[name] === null;
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    if (value === undefined) return undefined;
    return typeof value === 'string' ? value : this.#wrong(name, 'a string');
  }

  /** A text that many lines have: one string for all of them. */
  name(name: string): string | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : this.#texts.one(text);
  }

  /** One of a few texts. */
  oneOf<T extends string>(name: string, known: readonly T[]): T {
    const value = this.#values[name];
    const found = known.find((each) => each === value);
    return found ?? this.#wrong(name, `one of ${known.join(', ')}`);
  }

  number(name: string): number | undefined {
    const value = this.#values[name];
    if (value === undefined) return undefined;
    return typeof value === 'number' ? value : this.#wrong(name, 'a number');
  }

  /** A number that has to be there. */
  given(name: string): number {
    return this.number(name) ?? this.#wrong(name, 'a number');
  }

  /** An integer of any size; beyond 2^53 it stands as text. */
  sequence(name: string): Sequence | undefined {
    const value = this.#values[name];
    if (value === undefined) return undefined;
    const sequence = typeof value === 'string' ? sequenceOfText(value) : sequenceOf(value);
    return sequence ?? this.#wrong(name, 'an integer');
  }

  flag(name: string): boolean | undefined {
    const value = this.#values[name];
    if (value === undefined) return undefined;
    return typeof value === 'boolean' ? value : this.#wrong(name, 'true or false');
  }

  /** Texts; an absent list is empty. */
  list(name: string): readonly string[] {
    const values = this.#list(name);
    if (values.length === 0) return none;
    return values.map((value) =>
      typeof value === 'string' ? this.#texts.one(value) : this.#wrong(name, 'a list of strings'),
    );
  }

  /** Numbers of lines; an absent list is empty. */
  numbers(name: string): readonly number[] {
    const values = this.#list(name);
    for (const value of values) if (typeof value !== 'number') this.#wrong(name, 'a list of numbers');
    return values as readonly number[];
  }

  /** The object in a field. */
  inside(name: string): Fields | undefined {
    const value = this.#values[name];
    if (value === undefined) return undefined;
    return isRecord(value) ? new Fields(value, this.#texts) : this.#wrong(name, 'an object');
  }

  #list(name: string): readonly unknown[] {
    const value = this.#values[name] ?? none;
    return Array.isArray(value) ? value : this.#wrong(name, 'a list');
  }

  #wrong(name: string, expected: string): never {
    throw new WrongField(`\`${name}\` is not ${expected}`);
  }
}

const none: readonly string[] = [];

/** One string for all that are equal: parsing makes a new one each time. */
export class Texts {
  readonly #known = new Map<string, string>();

  one(text: string): string {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    this.#known.set(text, text);
    return text;
  }
}
