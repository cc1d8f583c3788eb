import { JsonFiles, listSchema, objectSchema } from '../../harness/config/json-file.ts';
import { InvalidTarget } from '../../harness/errors.ts';

/** Of a HAR file, what is read. */
interface Har {
  readonly log: {
    readonly creator?: { readonly name?: string };
    readonly entries: readonly HarEntry[];
  };
}

/** A request, and what a recorder knows of its answer. Some write null for what they do not have. */
export interface HarEntry {
  readonly startedDateTime: string;
  readonly time: number;
  /** Where a browser took the answer from, if not from the server. */
  readonly _fromCache?: unknown;
  readonly _fetchType?: unknown;
  readonly cache?: unknown;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly HarHeader[];
    readonly postData?: { readonly text?: string | null } | null;
  };
  readonly response: {
    /** 0, or less, where no answer came. */
    readonly status: number;
    /** Why none came, in the words of the recorder. */
    readonly _error?: unknown;
    readonly _failureText?: unknown;
    readonly headers: readonly HarHeader[];
    readonly content: {
      readonly size?: number;
      readonly text?: string | null;
      readonly encoding?: string | null;
    };
  };
}

/** A header, as it was recorded. */
export interface HarHeader {
  readonly name: string;
  readonly value: string;
}

const mostBytes = 256 * 1024 * 1024;

/**
 * The entries of a HAR file, as a browser or a proxy writes it.
 * @throws InvalidTarget naming what is wrong with the file, and what to do
 */
export function entriesOf(path: string): readonly HarEntry[] {
  files ??= new JsonFiles<Har>({ isNot: 'is no HAR file', mostBytes, schema });
  const { creator, entries } = files.read(path).log;
  if (creator?.name === 'conform')
    throw new InvalidTarget(
      `${path} holds excerpts of what a run has found; keep its history (--history), and judge that`,
    );
  const odd = entries.findIndex(({ startedDateTime }) => Number.isNaN(Date.parse(startedDateTime)));
  if (odd >= 0)
    throw new InvalidTarget(`${path} is no HAR file: \`log.entries.${odd}.startedDateTime\` is no time`);
  return entries;
}

let files: JsonFiles<Har> | undefined;

const text = { type: 'string' };
const textOrNull = { type: ['string', 'null'] };
const headers = listSchema(objectSchema({ name: text, value: text }));
const time = { type: 'string', pattern: String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}` };
const postData = { ...objectSchema({}, { text: textOrNull }), type: ['object', 'null'] };
const entry = objectSchema({
  startedDateTime: time,
  time: { type: 'number' },
  request: objectSchema({ method: text, url: text, headers }, { postData }),
  response: objectSchema({
    status: { type: 'integer' },
    headers,
    content: objectSchema({}, { size: { type: 'number' }, text: textOrNull, encoding: textOrNull }),
  }),
});
/** What is read; the rest is for viewers. */
const schema = objectSchema({
  log: objectSchema({ entries: listSchema(entry) }, { creator: objectSchema({}, { name: text }) }),
});
