import { isJsonObject, type JsonValue } from '../../texts/json-values.ts';
import { textOf, type Text } from '../../texts/text.ts';

/** A principal that is to be named, before it is known which there are. */
export interface TargetPlace {
  readonly kind: TargetKind;
  /** Modulo the number of known principals of the kind. */
  readonly index: number;
}

export type TargetKind = 'agent' | 'user' | 'machine';

/** A file that is to be attached: index modulo the number of files that are ready. */
export interface FilePlace {
  readonly file: number;
}

/** A place to fill in, or what stands there as it is. */
export type TargetInput = TargetPlace | { readonly literal: JsonValue };
export type FileInput = FilePlace | { readonly literal: JsonValue };

/** The body of a send as plain data that JSON can carry: large contents as runs, ids of others as places. */
export interface SendBodyInput {
  /** The content, if it is a text; another one is among the `fields`. */
  readonly content?: Text;
  /** Every other field by the names of the contract; those of the parts below are not among them. */
  readonly fields: Readonly<Record<string, JsonValue>>;
  /** Mention targets, if they are a list; another value is among the `fields`. */
  readonly mentions?: readonly TargetInput[];
  /** Attached files, if they are a list; another value is among the `fields`. */
  readonly attachments?: readonly FileInput[];
  /** Stands in place of the whole object. */
  readonly instead?: JsonValue;
}

/** What places and fields stand for at a target. */
export interface SendWorld {
  readonly principals: Readonly<Record<TargetKind, readonly string[]>>;
  /** Ids of files that are ready. */
  readonly files: readonly string[];
  /** The name of a field, or of a provider in a source session, at this target. */
  readonly fieldName: (name: string) => string;
  readonly providerName: (name: string) => string;
}

const someId = '00000000-0000-4000-8000-000000000001';

/** Nobody is known: every place is filled with one made-up id, every name is the contract's. */
export const emptyWorld: SendWorld = Object.freeze({
  principals: Object.freeze({ agent: [], user: [], machine: [] }),
  files: [],
  fieldName: (name: string) => name,
  providerName: (name: string) => name,
});

/** The body as it goes on the wire: by `JSON.stringify` alone, which writes half of a surrogate pair as an escape. */
export function bodyTextOf(input: SendBodyInput, world: SendWorld = emptyWorld): string {
  return JSON.stringify(bodyOf(input, world));
}

/** The body as a value, its content written out. */
export function bodyOf(input: SendBodyInput, world: SendWorld = emptyWorld): JsonValue {
  const { instead, content, mentions, attachments } = input;
  if (instead !== undefined) return instead;
  const fields = {
    ...(content === undefined ? {} : { content: textOf(content) }),
    ...input.fields,
    ...(mentions === undefined ? {} : { mentions: mentions.map((each) => targetOf(each, world)) }),
    ...(attachments === undefined ? {} : { attachments: attachments.map((each) => fileOf(each, world)) }),
  };
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      world.fieldName(name),
      name === 'source_session' ? withProvider(value, world) : value,
    ]),
  );
}

/** A mention target as the wire has it. */
export function targetOf(target: TargetInput, { principals }: SendWorld = emptyWorld): JsonValue {
  if ('literal' in target) return target.literal;
  return { kind: target.kind, id: pick(principals[target.kind], target.index) };
}

function fileOf(file: FileInput, { files }: SendWorld): JsonValue {
  return 'literal' in file ? file.literal : pick(files, file.file);
}

function pick(ids: readonly string[], index: number): string {
  return ids[index % Math.max(ids.length, 1)] ?? someId;
}

function withProvider(session: JsonValue, { providerName }: SendWorld): JsonValue {
  if (!isJsonObject(session)) return session;
  const { provider } = session;
  return typeof provider === 'string' ? { ...session, provider: providerName(provider) } : session;
}
