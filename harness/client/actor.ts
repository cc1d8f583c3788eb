import { randomUUID } from 'node:crypto';
import {
  listChannels,
  listMentions,
  parameterOf,
  queryOf,
  readChannel,
  sendMessage,
  showOverview,
} from '../../spec/calls/index.ts';
import type { BodyDraft, CallName, QueryDraft } from '../../spec/calls/index.ts';
import { answerLimitOf, type Client, type SendOptions } from './client.ts';
import type { Exchange } from './exchange.ts';
import { type Clock, wallClock } from './pacing/clock.ts';

/** Who speaks, over what, and who is told of every exchange. */
export interface Session {
  readonly client: Client;
  /** Called with every exchange, in the order they end. */
  readonly record: (exchange: Exchange) => void;
  /** Called with every 429 that is waited out, and every write that is made again under its key: no exchange of whoever asked. */
  readonly noteTry?: (exchange: Exchange) => void;
  readonly signal: AbortSignal;
  /** As of {@link SendOptions}. */
  readonly connection?: string;
  /** Stands still while a request waits for its turn; without one all time counts. */
  readonly clock?: Clock;
  /** Does what waits for a turn; default: untimed by that clock. */
  readonly untimed?: Clock['untimed'];
}

/** A request as a check writes it; everything else is filled in. */
export interface RequestDraft {
  readonly call?: CallName;
  readonly method?: string;
  /** From the base URL on, without a query. */
  readonly path: string;
  readonly query?: QueryDraft;
  /** Added to, or overriding, the usual headers; `undefined` leaves a usual one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string | Uint8Array;
  /** True where any other idempotency key that is fresh would do. */
  readonly hasFreshKey?: boolean;
}

/** What a send carries besides its content. */
interface SendDraft {
  /** Idempotency key; a fresh one when absent. */
  readonly key?: string;
  readonly contentType?: string;
  /** Further fields of the body, for what the contract does not show. */
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** One principal of the target speaking to the server: the calls of the contract, and any request at all. */
export class Actor {
  /** Role name, or `anonymous`. */
  readonly name: string;
  readonly #token: string | undefined;
  readonly #session: Session;

  constructor(name: string, token: string | undefined, session: Session) {
    this.name = name;
    this.#token = token;
    this.#session = session;
  }

  /** The same connection with another credential, or none at all; for refusals and their control requests. */
  withToken(token: string | undefined, name = this.name): Actor {
    return new Actor(name, token, this.#session);
  }

  /** The same on a connection of its own, which carries no other requests than those of actors that are made of this one. */
  onOneConnection(): Actor {
    return new Actor(this.name, this.#token, { ...this.#session, connection: randomUUID() });
  }

  /** The clock of the attempt, or whatever else, that this actor speaks for. */
  get clock(): Clock {
    return this.#session.clock ?? wallClock;
  }

  /** The usual value of `Authorization`; `undefined` without a credential. */
  get authorization(): string | undefined {
    return this.#token === undefined ? undefined : `Bearer ${this.#token}`;
  }

  /** Sends any request; the credential goes with it unless `headers` says otherwise. */
  async request(
    draft: RequestDraft,
    options: Omit<SendOptions, 'signal' | 'untimed' | 'noteTry'> = {},
  ): Promise<Exchange> {
    const headers: Record<string, string> = {};
    const usual = { accept: 'application/json', authorization: this.authorization };
    for (const [name, value] of Object.entries({ ...usual, ...draft.headers })) {
      if (value !== undefined) headers[name.toLowerCase()] = value;
    }
    const exchange = await this.#session.client.exchange(
      this.name,
      {
        call: draft.call ?? 'other',
        method: draft.method ?? 'GET',
        path: draft.path,
        query: queryOf(draft.query ?? ''),
        headers,
        body: draft.body,
        ...(draft.hasFreshKey === true ? { hasFreshKey: true } : {}),
      },
      {
        ...options,
        connection: this.#session.connection,
        signal: this.#session.signal,
        untimed: this.#session.untimed ?? this.clock.untimed,
        noteTry: this.#session.noteTry,
      },
    );
    this.#session.record(exchange);
    return exchange;
  }

  /** Appends a message to a channel. */
  send(channelId: string, content: unknown, draft: SendDraft = {}): Promise<Exchange> {
    const body = {
      content,
      ...(draft.contentType === undefined ? {} : { content_type: draft.contentType }),
      ...draft.fields,
    };
    return this.sendRaw(channelId, body, draft);
  }

  /** Appends a message whose body is given whole, as data or as it goes over the wire. */
  sendRaw(channelId: string, body: BodyDraft, draft: Omit<SendDraft, 'fields'> = {}): Promise<Exchange> {
    const request = sendMessage(channelId, body, draft.key ?? randomUUID());
    const headers = { ...request.headers, ...draft.headers };
    return this.request({ ...request, headers, hasFreshKey: draft.key === undefined });
  }

  /** Sends a call of the contract; one that waits has that time as well. */
  ask(request: RequestDraft, options: Pick<SendOptions, 'obeysRateLimit'> = {}): Promise<Exchange> {
    const wait = Number(parameterOf(queryOf(request.query ?? ''), 'wait') ?? 0);
    return this.request(request, { ...options, ...answerLimitOf(wait) });
  }

  /** One page of a channel; `wait` in seconds makes it a long poll. */
  readChannel(
    channelId: string,
    query: QueryDraft = '',
    headers: NonNullable<RequestDraft['headers']> = {},
  ): Promise<Exchange> {
    return this.ask({ ...readChannel(channelId, query), headers });
  }

  /** One page of the actor's own mentions. */
  mentions(query: QueryDraft = ''): Promise<Exchange> {
    return this.request(listMentions(query));
  }

  /** The workspace overview, which wants a machine token. */
  overview(workspaceId: string): Promise<Exchange> {
    return this.request(showOverview(workspaceId));
  }

  /** The list of channels. */
  channels(): Promise<Exchange> {
    return this.request(listChannels());
  }
}
