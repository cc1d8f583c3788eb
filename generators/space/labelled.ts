import type { ClauseId } from '../../spec/index.ts';

/** What is known of the answer before it is there: `open` where the contract leaves it to the server. */
export type Expectation = 'accept' | 'reject' | 'open';

/** The one rule that a refused input breaks. */
export interface Breach {
  /** The clause that a server breaks when it takes the input. */
  readonly clause: ClauseId;
  /** The broken rule as `validate` points to it, where a schema of ours states it. */
  readonly rule?: string;
}

/** What is said of an input. */
export interface Label {
  /** `<space>/<what is special>`: letters, digits, `-` and `_` in parts that slashes divide. */
  readonly label: string;
  readonly expectation: Expectation;
  /** Given with `reject`, and only there. */
  readonly breach?: Breach;
}

/** An input and what is expected of it. */
export interface Labelled<Value> extends Label {
  readonly value: Value;
}

/** An input that is to be taken. */
export function accept(label: string): Label {
  return { label, expectation: 'accept' };
}

/** An input that the contract leaves to the server. */
export function open(label: string): Label {
  return { label, expectation: 'open' };
}

/** An input that is to be refused, for one reason; `rule` is the broken one where a schema of ours states it. */
export function reject(label: string, clause: ClauseId, rule?: string): Label {
  return { label, expectation: 'reject', breach: { clause, ...(rule === undefined ? {} : { rule }) } };
}

/** A text with places, each a name in braces, that are filled in when it is known what is there. */
export type Template = string;

/** The template with its places filled in. What is in braces and has no value stays as it is. */
export function filledIn(template: Template, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{([a-z-]+)\}/g, (place, name: string) => values[name] ?? place);
}
