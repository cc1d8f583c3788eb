import type { IncomingMessage } from 'node:http';
import { hasBody } from './upstream.ts';

/** How a request ended: with a whole answer, without a connection to the server, or cut by one of the two. */
type PassedEnd = 'answered' | 'refused' | 'cut by server' | 'cut by client';

/** A request that went through a front, and what came of it. */
export interface PassedExchange {
  readonly method: string;
  /** As on the request line, with the query. */
  readonly url: string;
  /** Names and values in turn, as received. */
  readonly rawHeaders: readonly string[];
  /** As received; `undefined` where it was not kept, or had not come to its end. */
  readonly body: readonly Buffer[] | undefined;
  /** What came of the answer; `undefined` where nothing did. */
  readonly answer:
    | {
        readonly status: number;
        readonly rawHeaders: readonly string[];
        /** As received, still compressed if it was; `undefined` where it was not kept. */
        readonly body: readonly Buffer[] | undefined;
      }
    | undefined;
  readonly end: PassedEnd;
  /** Monotonic milliseconds: when the head of the request had come, and when the last byte of the answer had. */
  readonly startedMs: number;
  readonly endedMs: number;
}

/** A longer body is not kept, in bytes: the longest content takes six times its length as JSON, and a page of those is beyond all use. */
const mostOfBody = 8_000_000;
/** All bodies that are under way take so much memory at most, in bytes; those beyond are not kept. */
const mostOfAll = 16_000_000;
let ofAll = 0;

/** Keeps a request and its answer while they pass. */
export class Recorded {
  readonly #incoming: IncomingMessage;
  readonly #onExchange: (exchange: PassedExchange) => void;
  readonly #request: Body;
  readonly #isKept: boolean;
  readonly #startedMs = performance.now();
  #answer: { readonly message: IncomingMessage; readonly body: Body } | undefined;
  #hasEnded = false;

  constructor(incoming: IncomingMessage, isKept: boolean, onExchange: (exchange: PassedExchange) => void) {
    this.#incoming = incoming;
    this.#isKept = isKept;
    this.#onExchange = onExchange;
    this.#request = new Body(isKept, hasBody(incoming) ? incoming : undefined);
  }

  answer(message: IncomingMessage): void {
    this.#answer = { message, body: new Body(this.#isKept, message) };
    message.once('end', () => this.end(message.complete ? 'answered' : 'cut by server'));
    message.once('aborted', () => this.end('cut by server'));
  }

  /** Tells of it; a second time it does nothing. */
  end(end: PassedEnd): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const { method = '', url = '', rawHeaders, complete } = this.#incoming;
    const request = this.#request.take();
    const { message, body } = this.#answer ?? {};
    this.#onExchange({
      method,
      url,
      rawHeaders,
      body: complete ? request : undefined,
      answer:
        message === undefined || body === undefined
          ? undefined
          : { status: message.statusCode ?? 0, rawHeaders: message.rawHeaders, body: body.take() },
      end,
      startedMs: this.#startedMs,
      endedMs: performance.now(),
    });
  }
}

/** The pieces of a body. */
class Body {
  #chunks: Buffer[] | undefined;
  #bytes = 0;

  /** There is none where no message has it. */
  constructor(isKept: boolean, message: IncomingMessage | undefined) {
    if (!isKept) return;
    this.#chunks = [];
    if (message === undefined) return;
    // Nothing flows before whoever passes it on is there.
    const isFlowing = message.readableFlowing;
    message.on('data', (chunk: Buffer) => this.#add(chunk));
    if (isFlowing === null) message.pause();
  }

  #add(chunk: Buffer): void {
    if (this.#chunks === undefined) return;
    this.#bytes += chunk.length;
    ofAll += chunk.length;
    this.#chunks.push(chunk);
    if (this.#bytes > mostOfBody || ofAll > mostOfAll) this.take();
  }

  /** What was kept; nothing is from then on. */
  take(): readonly Buffer[] | undefined {
    const chunks = this.#chunks;
    ofAll -= this.#bytes;
    this.#bytes = 0;
    this.#chunks = undefined;
    return chunks;
  }
}
