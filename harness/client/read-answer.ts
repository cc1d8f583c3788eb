import { isAscii } from 'node:buffer';
import type { Dispatcher } from 'undici';
import { beyondBound, formOf, type JsonForm, maxJsonDepth } from '../../spec/calls/index.ts';
import { unpacked } from './content-encodings.ts';
import type { KnownBodies } from './known-bodies.ts';
import { largeBodies, maxAnswerBytes, smallBytes } from './large-bodies.ts';

/** Why a body cannot be had: it is too large, or broken. */
interface BodyFault {
  readonly kind: 'oversize' | 'truncated';
  readonly message: string;
}

/** A body, or why it cannot be had. */
type ReadAnswer = { readonly bytes: Uint8Array; readonly json: unknown } | { readonly fault: BodyFault };

export interface ReadingParts {
  readonly bodies: KnownBodies;
  /** Ends the reading from outside. */
  readonly signal: AbortSignal;
  /** Called with every piece that comes. */
  readonly onHeard: () => void;
  /** Does what waits for others: it is not the server that takes the time. */
  readonly untimed: <T>(work: () => Promise<T>) => Promise<T>;
}

/** What a value of JSON takes in memory beside its text, in bytes: an empty object in a list, rounded up. */
const bytesOfValue = 64;
/** Values of a page of a hundred messages with twenty files, twenty targets and 32 receipts each, as they are counted. */
const mostValuesOfPage = 100 * 1_000;
/** Bytes of a content of 500,000 bytes that are written as `\u0001` each. */
const longestEscapedContent = 3_000_000;

/** Encodings, one on the other, that are undone: more are made by nobody who means well. */
const mostLayers = 3;

/** Reads the body of an answer, within what it and all others may take. */
export async function readAnswer(
  answer: Pick<Dispatcher.ResponseData, 'body'>,
  headers: Readonly<Record<string, readonly string[]>>,
  parts: ReadingParts,
): Promise<ReadAnswer> {
  const room = new Room(headers, parts);
  try {
    const read = await readWhole(answer, headers, { room, parts });
    // What was read or unpacked in vain takes its room until it is collected.
    if ('fault' in read && read.fault.kind === 'oversize') await largeBodies.waste(maxAnswerBytes);
    return read;
  } finally {
    room.giveBack();
  }
}

async function readWhole(
  { body }: Pick<Dispatcher.ResponseData, 'body'>,
  headers: Readonly<Record<string, readonly string[]>>,
  { room, parts }: { readonly room: Room; readonly parts: ReadingParts },
): Promise<ReadAnswer> {
  const raw = await readBounded(body, room, parts.onHeard);
  if (raw === undefined) return faulty('oversize', tooLong);
  const decoded = await undone(raw, headers['content-encoding'], room);
  return decoded instanceof Uint8Array ? made(decoded, parts) : decoded;
}

const tooLong = `an answer over ${maxAnswerBytes} bytes`;

/** The room that one answer takes among the large ones. */
class Room {
  readonly #parts: ReadingParts;
  readonly #announced: number | undefined;
  readonly #mayGrow: boolean;
  #giveBack: (() => void) | undefined;
  #whole: Buffer | undefined;

  constructor(headers: Readonly<Record<string, readonly string[]>>, parts: ReadingParts) {
    const length = Number(headers['content-length']?.[0] ?? Number.NaN);
    this.#announced = Number.isSafeInteger(length) ? length : undefined;
    this.#mayGrow = headers['content-encoding'] !== undefined;
    this.#parts = parts;
  }

  /** Waits for room once an answer turns out to be large; one that is encoded may grow, and takes all there is from the start. */
  async take(): Promise<void> {
    if (this.#giveBack !== undefined) return;
    const bytes = this.#mayGrow ? maxAnswerBytes : (this.#announced ?? maxAnswerBytes);
    this.#giveBack = await this.#parts.untimed(() => largeBodies.turn(bytes, this.#parts.signal));
  }

  /** Moves the pieces of a large answer, of so many bytes so far, to where they belong, if its length is known. */
  fill(chunks: Uint8Array[], length: number): void {
    if (this.#announced === undefined || length > this.#announced || this.#announced > maxAnswerBytes) return;
    this.#whole ??= Buffer.allocUnsafeSlow(this.#announced);
    let at = length - chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
    for (const chunk of chunks.splice(0)) {
      this.#whole.set(chunk, at);
      at += chunk.byteLength;
    }
  }

  /** The answer as it was put together; `undefined` where its length was not known. */
  filled(length: number): Uint8Array | undefined {
    return this.#whole?.subarray(0, length);
  }

  giveBack(): void {
    this.#giveBack?.();
  }
}

async function readBounded(
  body: AsyncIterable<Uint8Array>,
  room: Room,
  onChunk: () => void,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    onChunk();
    length += chunk.byteLength;
    if (length > maxAnswerBytes) return undefined;
    chunks.push(chunk);
    if (length <= smallBytes) continue;
    // Meanwhile the server cannot send more.
    await room.take();
    // Put together piece by piece where the length is known: pieces beside the whole would take twice the room.
    room.fill(chunks, length);
  }
  return room.filled(length) ?? wholeBody(chunks, length);
}

function wholeBody(chunks: readonly Uint8Array[], length: number): Uint8Array {
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, length);
}

/** A body without its content encodings. */
async function undone(
  raw: Uint8Array,
  encodings: readonly string[] | undefined,
  room: Room,
): Promise<Uint8Array | { readonly fault: BodyFault }> {
  const encoding = encodings?.join(',');
  if (encoding === undefined || raw.byteLength === 0) return raw;
  if (encoding.split(',').length > mostLayers)
    return faulty('oversize', `over ${mostLayers} layers of content encoding`);
  await room.take();
  try {
    return await unpacked(raw, encoding, maxAnswerBytes);
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return code === 'ERR_BUFFER_TOO_LARGE'
      ? faulty('oversize', `${tooLong} once it is decompressed`)
      : faulty('truncated', `the body does not decompress: ${message}`);
  }
}

/**
 * Whether a page of the contract may be like this: a hundred messages, each with all that it may have, and no string that
 * is longer than a content of which every byte is escaped.
 */
function isWithinContract({ values, longestString }: JsonForm): boolean {
  return values <= mostValuesOfPage && longestString <= longestEscapedContent;
}

/** A body and its JSON, if that can be had. */
async function made(bytes: Uint8Array, { bodies, signal, untimed }: ReadingParts): Promise<ReadAnswer> {
  const known = bodies.known(bytes);
  if (known !== undefined) return known;
  const form = formOf(bytes, maxJsonDepth);
  if (form.isBeyond !== undefined) return faulty('oversize', beyondBound[form.isBeyond]);
  const isAnyText = !isAscii(bytes);
  const text = bytes.byteLength * (isAnyText ? 2 : 1);
  const mostOfJson = text + form.values * bytesOfValue;
  const weight = { reading: text, staying: bytes.byteLength + mostOfJson };
  const mayWait = isWithinContract(form);
  const taking = { letGo: () => bodies.clear(), mayWait, signal };
  // Whoever waits here waits for this process, and not for the server.
  const hasRoom = await (mayWait
    ? untimed(() => largeBodies.take(weight, taking))
    : largeBodies.take(weight, taking));
  if (!hasRoom) {
    const megabytes = Math.ceil(largeBodies.heldBytes / 1e6);
    const message = `an answer of ${bytes.byteLength} bytes, beside others that still take ${megabytes} MB`;
    return faulty('oversize', message);
  }
  const read = bodies.read(bytes, form);
  // They may part: each counts as long as anybody looks at it.
  largeBodies.hold(bytes, bytes.byteLength);
  if (typeof read.json === 'object' && read.json !== null)
    largeBodies.hold(read.json, form.values * bytesOfValue + read.ownUnits * (isAnyText ? 2 : 1));
  return read;
}

function faulty(kind: BodyFault['kind'], message: string): { readonly fault: BodyFault } {
  return { fault: { kind, message } };
}
