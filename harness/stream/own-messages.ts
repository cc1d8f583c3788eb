import { isRecord, type JsonRecord, parseExact } from '../../spec/calls/index.ts';
import { asText } from '../../spec/oracles/values/json-texts.ts';
import { markerPattern } from '../../history/markers.ts';
import { type Exchange, headerOf, isAccepted, statusOf } from '../client/exchange.ts';
import { messageIn } from './message-list.ts';
import { type PageItem, readPage } from './page.ts';

/** Contents longer than this have room for a marker, and bear one. */
const maxUnmarked = 1_000;

/** What was sent with one marker. */
interface OwnMessage {
  /** Texts, each with the credential that sent it, and the author that the answer shows. */
  readonly sent: { readonly authorization: string; readonly text: string; readonly answered: unknown }[];
  /** Who wrote the message that shows it as it was sent; `undefined` as long as none was seen. */
  author: unknown;
  isSeen: boolean;
  /** The ids that answers gave to it, and that it had where it was seen as it was sent, in lower case. */
  readonly ids: Set<unknown>;
}

/** How a run's markers begin, and in which header the server says whom a credential stands for. */
interface OwnFacts {
  /** Part of every marker of the run. */
  readonly runId: string;
  readonly agentIdHeader: string;
}

/**
 * What a run sent, told from what others make of it: any agent may quote, forward and repeat what it read. A message is the run's own by
 * its author and its text; one that has the marker alone quotes it, as soon as the run's own has been seen.
 */
export class OwnMessages {
  readonly #facts: OwnFacts;
  readonly #marker: RegExp;
  readonly #byMarker = new Map<string, OwnMessage>();
  /** Contents without a marker, each with whether any send of it may have been taken. */
  readonly #unmarked = new Map<string, boolean>();
  readonly #agents = new Map<string, string>();
  readonly #seen = new WeakSet<object>();
  #hasShownAny = false;

  constructor(facts: OwnFacts) {
    this.#facts = facts;
    this.#marker = markerPattern(facts.runId);
  }

  /** Learns from an exchange what was sent, by whom, and where it is seen. */
  add(exchange: Exchange): void {
    const { request } = exchange;
    if (request.method === 'POST') this.#addSend(exchange);
    else if (request.call === 'mentions' || request.call === 'channel-read') this.#addRead(exchange);
  }

  /** True once a read has shown something of this run. */
  get hasShownAny(): boolean {
    return this.#hasShownAny;
  }

  /** Whether a content was sent without a marker; a value that is no text counts as the text that JSON writes for it. */
  hasUnmarked(content: string): boolean {
    return this.#unmarked.has(content);
  }

  /** The same of those alone that were not refused each time. */
  mayHaveTaken(content: string): boolean {
    return this.#unmarked.get(content) === true;
  }

  #addSend(exchange: Exchange): void {
    const { body, headers } = exchange.request;
    if (body === undefined) return;
    const content = contentIn(typeof body === 'string' ? body : Buffer.from(body).toString('utf8'));
    if (content === undefined) return;
    const isRefused = Math.floor((statusOf(exchange) ?? 0) / 100) === 4;
    const text = asText(content);
    if (body.length <= maxUnmarked) this.#unmarked.set(text, !isRefused || this.mayHaveTaken(text));
    const marker = typeof content === 'string' ? this.#marker.exec(content)?.[0] : undefined;
    if (marker === undefined || typeof content !== 'string') return;
    const own = this.#byMarker.get(marker) ?? { sent: [], author: undefined, isSeen: false, ids: new Set() };
    this.#byMarker.set(marker, own);
    const json = isAccepted(exchange) ? exchange.response?.json : undefined;
    const message = isRecord(json) ? messageIn(json) : undefined;
    const answered = message && authorOf(message);
    if (message !== undefined) own.ids.add(idOf(message));
    own.sent.push({ authorization: headers['authorization'] ?? '', text: content, answered });
  }

  #addRead(exchange: Exchange): void {
    const { request, response } = exchange;
    const json = response?.json;
    if (!isAccepted(exchange) || !isRecord(json)) return;
    const agent = headerOf(exchange, this.#facts.agentIdHeader);
    if (agent !== undefined && request.call === 'mentions')
      this.#agents.set(request.headers['authorization'] ?? '', agent.toLowerCase());
    // A body that comes again is the same object.
    if (this.#seen.has(json)) return;
    this.#seen.add(json);
    for (const item of readPage(exchange).items) this.#look(item);
  }

  #look({ message, content }: PageItem): void {
    this.#hasShownAny ||= content?.includes(this.#facts.runId) === true;
    const marker = this.#marker.exec(content ?? '')?.[0];
    const own = marker === undefined ? undefined : this.#byMarker.get(marker);
    if (own === undefined) return;
    const author = authorOf(message);
    if (!this.#isAsSent(own, author, content)) {
      doubtfulMessages.set(message, own);
      return;
    }
    own.isSeen = true;
    own.ids.add(idOf(message));
    own.author ??= author;
  }

  /**
   * Of a credential of which nobody said whose it is, the author that the answer shows is the right one, else that of what was seen
   * first.
   */
  #isAsSent({ sent, author: first }: OwnMessage, author: unknown, content: string | undefined): boolean {
    return sent.some(({ authorization, text, answered }) => {
      if (text !== content) return false;
      const sender = this.#agents.get(authorization) ?? answered ?? first ?? author;
      return sender === author;
    });
  }
}

/** Messages that hold the marker of one of ours, and are not as that was sent. */
const doubtfulMessages = new WeakMap<JsonRecord, OwnMessage>();

/** Whether a message quotes one of the run: it is not as that was sent, and another one is, with an id of its own. */
export function isQuotation(message: JsonRecord): boolean {
  const own = doubtfulMessages.get(message);
  return own?.isSeen === true && !own.ids.has(idOf(message));
}

/** The id of whoever wrote a message, in lower case. */
function authorOf({ author }: JsonRecord): unknown {
  return isRecord(author) ? idOf(author) : undefined;
}

function idOf({ id }: JsonRecord): unknown {
  return typeof id === 'string' ? id.toLowerCase() : id;
}

function contentIn(body: string): unknown {
  try {
    const json = parseExact(body);
    return isRecord(json) ? json['content'] : undefined;
  } catch {
    return undefined;
  }
}
