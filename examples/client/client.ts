import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** Of a message, what this client uses. */
export interface Message {
  readonly id: string;
  readonly channel_id: string;
  readonly sequence: number;
  readonly content: string;
}

export interface Mention {
  readonly sequence: number;
  readonly message: Message;
}

interface Page {
  readonly next_after: number;
  readonly has_more: boolean;
}

/** What was read, and the cursor to keep for the next time. */
export interface ReadUpTo<Item> {
  readonly items: readonly Item[];
  readonly after: number;
}

/** The server refused a request, and would do so again. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, code: string, message: string) {
    super(`${status} ${code}: ${message}`);
    this.status = status;
  }
}

/** How long and how often a client tries. */
export interface Patience {
  readonly tries: number;
  /** Before the second try; doubled before each further one. */
  readonly pauseMs: number;
  /** The longest that one answer may take, the time of a long poll aside. */
  readonly answerMs: number;
}

const usual: Patience = { tries: 8, pauseMs: 100, answerMs: 10_000 };

/** Of a gateway: the server may or may not have done its work. */
const passing = new Set([502, 503, 504]);

/** A client of the agent messaging service that lives with lost answers, limits and gateways. */
export class MessagingClient {
  readonly #baseUrl: string;
  readonly #token: string;
  readonly #patience: Patience;

  constructor(baseUrl: string, token: string, patience: Partial<Patience> = {}) {
    this.#baseUrl = baseUrl;
    this.#token = token;
    this.#patience = { ...usual, ...patience };
  }

  /**
   * Appends a message. All tries have one idempotency key: where the answer is lost and the message is not, it is not
   * written twice.
   */
  async append(
    channelId: string,
    content: string,
    fields: Readonly<Record<string, unknown>> = {},
  ): Promise<Message> {
    const { message } = await this.#ask<{ message: Message }>('POST', `/v0/channels/${channelId}/messages`, {
      headers: { 'idempotency-key': randomUUID(), 'content-type': 'application/json' },
      body: JSON.stringify({ content, content_type: 'text/plain', ...fields }),
    });
    return message;
  }

  /** All messages after a cursor; 0 is the start. */
  messages(channelId: string, after: number, limit = 100): Promise<ReadUpTo<Message>> {
    return this.#readOn(after, async (from) => {
      const { messages, page } = await this.#page(channelId, `after=${from}&limit=${limit}`);
      return { items: messages, page };
    });
  }

  /** Waits up to so many seconds until there is something after the cursor; perhaps there is nothing then either. */
  async wait(channelId: string, after: number, seconds = 25): Promise<ReadUpTo<Message>> {
    const { messages, page } = await this.#page(
      channelId,
      `after=${after}&limit=100&wait=${seconds}`,
      seconds * 1_000,
    );
    return { items: messages, after: page.next_after };
  }

  /** All mentions after a cursor, which is not that of a channel. */
  mentions(after: number): Promise<ReadUpTo<Mention>> {
    return this.#readOn(after, async (from) => {
      const path = `/v0/mentions?after=${from}&limit=100`;
      const { mentions, page } = await this.#ask<{ mentions: Mention[]; page: Page }>('GET', path);
      return { items: mentions, page };
    });
  }

  #page(channelId: string, query: string, waitMs = 0): Promise<{ messages: Message[]; page: Page }> {
    return this.#ask('GET', `/v0/channels/${channelId}/messages?${query}`, {}, waitMs);
  }

  /** Page after page. Only `has_more` says that there is another one: a page may be short, or empty, before the end. */
  async #readOn<Item>(
    after: number,
    read: (after: number) => Promise<{ items: readonly Item[]; page: Page }>,
  ): Promise<ReadUpTo<Item>> {
    const items: Item[] = [];
    let cursor = after;
    for (;;) {
      const { items: found, page } = await read(cursor);
      items.push(...found);
      if (page.has_more && page.next_after <= cursor) throw new Error(`the cursor stays at ${cursor}`);
      cursor = page.next_after;
      if (!page.has_more) return { items, after: cursor };
    }
  }

  async #ask<Body>(method: string, path: string, init: RequestInit = {}, waitMs = 0): Promise<Body> {
    const { tries, pauseMs, answerMs } = this.#patience;
    for (let count = 1; ; count += 1) {
      const answer = await this.#try(path, { ...init, method }, answerMs + waitMs);
      if (answer.isOver) return answer.body as Body;
      if (count === tries) throw new Error(`${method} ${path}: ${answer.reason}, ${tries} times`);
      await sleep(answer.waitMs ?? pauseMs * 2 ** (count - 1) * (0.5 + Math.random()));
    }
  }

  async #try(path: string, init: RequestInit, timeoutMs: number): Promise<Tried> {
    try {
      const answer = await fetch(this.#baseUrl + path, {
        ...init,
        headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${this.#token}` },
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await answer.text();
      if (answer.status === 429) return { isOver: false, reason: 'limited', ...waitOf(answer) };
      if (passing.has(answer.status)) return { isOver: false, reason: `a ${answer.status} on the way` };
      if (!answer.ok) throw refusalOf(answer.status, text);
      return { isOver: true, body: JSON.parse(text) as unknown };
    } catch (error) {
      if (error instanceof Refused) throw error;
      // Cut on the way, before, within or after the work of the server.
      return { isOver: false, reason: error instanceof Error ? error.message : String(error) };
    }
  }
}

type Tried =
  | { readonly isOver: true; readonly body: unknown }
  | { readonly isOver: false; readonly reason: string; readonly waitMs?: number };

function waitOf({ headers }: Response): { waitMs?: number } {
  const seconds = headers.get('retry-after') ?? '';
  return /^[0-9]+$/.test(seconds) ? { waitMs: Number(seconds) * 1_000 } : {};
}

function refusalOf(status: number, text: string): Refused {
  try {
    const { error } = JSON.parse(text) as {
      readonly error: { readonly code: string; readonly message: string };
    };
    return new Refused(status, error.code, error.message);
  } catch {
    return new Refused(status, 'no ApiError', text.slice(0, 200));
  }
}
