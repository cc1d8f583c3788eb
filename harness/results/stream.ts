import { ConformError } from '../errors.ts';
import { columnNames, columnOfCheck, columns, tallyOf, type Column } from './column.ts';
import { eventProblem, eventTypes, isEventType } from './event-schema.ts';
import type { FooterEvent, HeaderEvent, ResultEvent, Tally } from './generated/events.ts';

/** A result stream as it was read back. */
export interface RecordedRun {
  readonly header: HeaderEvent;
  /** Every event in order, header and footer among them. */
  readonly events: readonly ResultEvent[];
  /** `undefined` when the stream ends without one: whoever wrote it was stopped half-way. */
  readonly footer: FooterEvent | undefined;
  /** True only for a run that went to its end: nothing else may be shown, or compared, as one. */
  readonly isWhole: boolean;
}

/** What makes a text no result stream: each is an error of its own. */
type StreamFault =
  | 'STREAM_EMPTY'
  | 'STREAM_NOT_JSON'
  | 'STREAM_UNKNOWN_TYPE'
  | 'STREAM_UNKNOWN_FORMAT'
  | 'STREAM_INVALID_EVENT'
  | 'STREAM_NO_HEADER'
  | 'STREAM_SECOND_HEADER'
  | 'STREAM_AFTER_FOOTER'
  | 'STREAM_DUPLICATE_FINDING'
  | 'STREAM_DUPLICATE_CHECK'
  | 'STREAM_MISCOUNT';

/** A result stream cannot be read. */
export class InvalidStream extends ConformError {
  /** Counts from 1. */
  readonly line: number;

  constructor(code: StreamFault, line: number, message: string, options?: ErrorOptions) {
    super(code, `line ${line}: ${message}`, options);
    this.line = line;
  }
}

/**
 * One line of NDJSON, newline included. Line and paragraph separators are escaped: JSON allows them bare, but some
 * readers of lines end a line there.
 */
export function writeEvent(event: ResultEvent): string {
  return `${JSON.stringify(event).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`;
}

/**
 * Reads a result stream back, line by line; empty lines are skipped. A last line that was cut off in the middle is
 * dropped: that is how a crash leaves a file, and the run is then not whole.
 *
 * @throws InvalidStream when a line is no event, or the lines together are no run.
 */
export async function readStream(lines: AsyncIterable<string> | Iterable<string>): Promise<RecordedRun> {
  const reading = new Reading();
  const events: ResultEvent[] = [];
  for await (const line of lines) {
    const event = reading.line(line);
    if (event !== undefined) events.push(event);
  }
  return { events, ...reading.end() };
}

/**
 * The events of a stream one after another, so that whoever needs a part of each holds no more; otherwise as {@link readStream}.
 *
 * @throws InvalidStream when a line is no event, or the lines together are no run.
 */
export function* eventsOf(lines: Iterable<string>): Generator<ResultEvent> {
  const reading = new Reading();
  for (const line of lines) {
    const event = reading.line(line);
    if (event !== undefined) yield event;
  }
  reading.end();
}

function parse(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    return new InvalidStream('STREAM_NOT_JSON', number, 'is not JSON', { cause });
  }
}

function eventOf(value: unknown, line: number): ResultEvent {
  const type = propertyOf(value, 'type');
  if (!isEventType(type)) {
    const shown = JSON.stringify(type) ?? 'missing';
    throw new InvalidStream('STREAM_UNKNOWN_TYPE', line, `type is ${shown}, not ${eventTypes.join(', ')}`);
  }
  if (type === 'header') refuseOtherFormats(propertyOf(value, 'format'), line);
  const problem = eventProblem(type, value);
  if (problem !== undefined) throw new InvalidStream('STREAM_INVALID_EVENT', line, `${type}: ${problem}`);
  return value as ResultEvent;
}

function refuseOtherFormats(format: unknown, line: number): void {
  if (format === 1 || typeof format !== 'number') return;
  const message = `the stream has format ${format}; this version of the suite reads format 1`;
  throw new InvalidStream('STREAM_UNKNOWN_FORMAT', line, message);
}

function propertyOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

/** The shape of the whole, held while the lines come in. */
class Reading {
  readonly #columns: Column[] = [];
  readonly #findings = new Map<string, number>();
  readonly #checks = new Map<string, number>();
  #header: HeaderEvent | undefined;
  #footer: FooterEvent | undefined;
  #number = 0;
  /** A line that is not JSON, and may be the last one. */
  #torn: InvalidStream | undefined;

  /** The event of the next line; `undefined` for an empty one, and for one that may have been cut off. */
  line(text: string): ResultEvent | undefined {
    this.#number += 1;
    if (text.trim() === '') return undefined;
    if (this.#torn !== undefined) throw this.#torn;
    const value = parse(text, this.#number);
    if (value instanceof InvalidStream) {
      if (!text.startsWith('{') || !this.#isOpen) throw value;
      this.#torn = value;
      return undefined;
    }
    const event = eventOf(value, this.#number);
    this.#add(event, this.#number);
    return event;
  }

  #add(event: ResultEvent, line: number): void {
    if (this.#footer !== undefined) {
      throw new InvalidStream(
        'STREAM_AFTER_FOOTER',
        line,
        `${event.type} after the footer; a stream ends there`,
      );
    }
    if (event.type === 'header') this.#open(event, line);
    if (this.#header === undefined) {
      throw new InvalidStream('STREAM_NO_HEADER', line, `${event.type} before the header`);
    }
    if (event.type === 'finding') {
      refuseSecond(this.#findings, event.id, line, 'STREAM_DUPLICATE_FINDING', 'finding');
    }
    if (event.type === 'check') {
      refuseSecond(this.#checks, event.check, line, 'STREAM_DUPLICATE_CHECK', 'check');
      this.#columns.push(columnOfCheck(event));
    }
    if (event.type === 'footer') this.#close(event, line);
  }

  /** Between header and footer: there, a last line that is not JSON may be the end of a run that was stopped. */
  get #isOpen(): boolean {
    return this.#header !== undefined && this.#footer === undefined;
  }

  end(): Omit<RecordedRun, 'events'> {
    if (this.#header === undefined)
      throw new InvalidStream('STREAM_EMPTY', this.#number + 1, 'the stream is empty');
    const isWhole = this.#footer?.end === 'complete';
    return { header: this.#header, footer: this.#footer, isWhole };
  }

  #open(header: HeaderEvent, line: number): void {
    if (this.#header !== undefined) {
      throw new InvalidStream(
        'STREAM_SECOND_HEADER',
        line,
        'a second header; two runs were joined into one file',
      );
    }
    this.#header = header;
  }

  /** A footer that calls the run complete must count what was read: else lines are missing. */
  #close(footer: FooterEvent, line: number): void {
    const read = tallyOf(this.#columns);
    const isOff = columns.some((column) => (read[column] ?? 0) !== (footer.checks[column] ?? 0));
    if (footer.end === 'complete' && isOff) {
      const message = `the footer counts ${describeTally(footer.checks)}, but the stream holds ${describeTally(read)}`;
      throw new InvalidStream('STREAM_MISCOUNT', line, message);
    }
    this.#footer = footer;
  }
}

function refuseSecond(
  seen: Map<string, number>,
  key: string,
  line: number,
  code: StreamFault,
  what: string,
): void {
  const earlier = seen.get(key);
  if (earlier !== undefined)
    throw new InvalidStream(code, line, `${what} ${key} was already on line ${earlier}`);
  seen.set(key, line);
}

function describeTally(tally: Tally): string {
  const shown = columns.filter((column) => tally[column] !== undefined);
  return shown.map((column) => `${tally[column] ?? 0} ${columnNames[column]}`).join(', ');
}
