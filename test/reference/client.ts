import { randomUUID } from 'node:crypto';
import { isSafeNumber, parse } from 'lossless-json';
import type { Mention, Message, MessageListPage } from '../../spec/generated/types.ts';

/** An answer as it came; `body` is undefined when there was none. */
interface Got<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

interface MentionsBody {
  mentions: Mention[];
  page: MessageListPage;
}

interface MessagesBody {
  messages: Message[];
  page: MessageListPage;
}

/** Speaks to a reference service as one role. */
export class Client {
  readonly #baseUrl: string;
  readonly #token: string | undefined;

  constructor(baseUrl: string, token?: string) {
    this.#baseUrl = baseUrl;
    this.#token = token;
  }

  async request<Body = { error: { code: string; message: string } }>(
    method: string,
    path: string,
    init: { body?: unknown; headers?: Record<string, string>; signal?: AbortSignal } = {},
  ): Promise<Got<Body>> {
    const response = await fetch(this.#baseUrl + path, {
      method,
      headers: {
        ...(this.#token !== undefined && { authorization: `Bearer ${this.#token}` }),
        ...(init.body !== undefined && { 'content-type': 'application/json' }),
        ...init.headers,
      },
      ...(init.signal && { signal: init.signal }),
      ...(init.body !== undefined && {
        body:
          typeof init.body === 'string' || init.body instanceof Uint8Array
            ? init.body
            : JSON.stringify(init.body),
      }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type') === 'application/json';
    const body = isJson
      ? parse(text, undefined, (digits) => (isSafeNumber(digits) ? Number(digits) : BigInt(digits)))
      : text;
    return { status: response.status, headers: response.headers, body: body as Body };
  }

  get<Body = { error: { code: string; message: string } }>(path: string): Promise<Got<Body>> {
    return this.request<Body>('GET', path);
  }

  /** Sends a message under a fresh idempotency key. */
  send(
    channelId: string,
    body: Record<string, unknown> | string,
    key: string = randomUUID(),
  ): Promise<Got<{ message: Message; error: { code: string } }>> {
    return this.request('POST', `/v0/channels/${channelId}/messages`, {
      body: typeof body === 'string' ? { content: body } : body,
      headers: { 'idempotency-key': key },
    });
  }

  read(channelId: string, query = ''): Promise<Got<MessagesBody>> {
    return this.request('GET', `/v0/channels/${channelId}/messages${query}`);
  }

  mentions(query = ''): Promise<Got<MentionsBody>> {
    return this.request('GET', `/v0/mentions${query}`);
  }
}
