import { listMentions, pathOf, queryText, showOverview } from '../../spec/calls/index.ts';
import { Actor } from '../client/actor.ts';
import { Client } from '../client/client.ts';
import { isAccepted, isRedirection, isWebPage, statusOf, type Exchange } from '../client/exchange.ts';
import type { RoleName } from '../config/roles.ts';
import type { Target } from '../config/target.ts';
import { readPage, readPageObject } from '../stream/page.ts';
import { describeTrouble, isServerError, type GoodCredentials } from '../verdict/trouble.ts';

/** Something that a look did not show. */
export interface Missing {
  readonly text: string;
  readonly exchange: Exchange;
}

/** What looks are for. */
export interface LookParts {
  readonly target: Target;
  readonly good: GoodCredentials;
  /** Whether preflight could read the target's channel. */
  readonly hasReadChannel: boolean;
  readonly roundTripMs: number;
  readonly env?: NodeJS.ProcessEnv;
  /** The run's own client, whose pace looks keep. */
  readonly client: Client;
}

/** A look waits for an answer this long, in ms; round trips add to it. */
const lookAnswerMs = 2_000;

/** Looks whether what preflight saw is still there: each credential, the channel and what it held. */
export class Looks {
  readonly #parts: LookParts;
  readonly #client: Client;
  /** The highest watermark and the newest message that each channel of the target has shown, by the path of its reads. */
  readonly #highest = new Map<
    string,
    { readonly watermark: bigint; readonly newest: bigint; readonly seenMs: number }
  >();

  constructor(parts: LookParts) {
    this.#parts = parts;
    const answerMs = lookAnswerMs + 20 * parts.roundTripMs;
    this.#client = new Client({
      target: parts.target,
      timeouts: { connectMs: answerMs, answerMs },
      maxTries: 1,
      ahead: parts.client,
      ...(parts.env === undefined ? {} : { env: parts.env }),
    });
  }

  /** Requests that it has made. */
  get requests(): number {
    return this.#client.traffic.requests;
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  /** Everything that preflight saw and that a look does not show, by name; only what `isLookedFor`. */
  async missing(
    isLookedFor: (name: string) => boolean,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Missing>> {
    const roles = [...this.#parts.good].filter(([, role]) => isLookedFor(role));
    const found = await Promise.all([
      ...roles.map(
        async ([credential, role]) =>
          [role, await this.#missingRole(role, this.#actor(credential, role, signal))] as const,
      ),
      ...(isLookedFor('channel')
        ? [this.#missingChannel(signal).then((missing) => ['channel', missing] as const)]
        : []),
    ]);
    // One call that fails is a mistake of the server; where all do that it served before, what is behind them is gone.
    const isOut = found.length > 1 && found.every(([, missing]) => missing !== undefined && fails(missing));
    return new Map(
      found.flatMap(([name, missing]) =>
        missing === undefined || this.#isMerelySlow(missing) || (fails(missing) && !isOut)
          ? []
          : [[name, missing]],
      ),
    );
  }

  /** Whoever answered anything in the meantime is there: this process, or the server, has much to do. */
  #isMerelySlow({ exchange: { fault, startedMs } }: Missing): boolean {
    const heardMs = Math.max(this.#client.traffic.lastAnswerMs, this.#parts.client.traffic.lastAnswerMs);
    return fault?.kind === 'timeout' && heardMs > startedMs;
  }

  async #missingRole(role: RoleName, actor: Actor): Promise<Missing | undefined> {
    const { workspaceId = '00000000-0000-0000-0000-000000000000' } = this.#parts.target;
    const exchange = await actor.request(
      role === 'machine' ? showOverview(workspaceId) : listMentions({ limit: 1 }),
    );
    const isFailing =
      isServerError(exchange) && (role === 'machine' || isServerError(await actor.request(listMentions())));
    // A 429 has been waited out for as long as it may be.
    const isGone =
      exchange.fault !== undefined ||
      [401, 429].includes(statusOf(exchange) ?? 0) ||
      isOfAnother(exchange) ||
      isFailing;
    return isGone ? { text: textOf(exchange), exchange } : undefined;
  }

  async #missingChannel(signal: AbortSignal): Promise<Missing | undefined> {
    const { channelId, secondChannelId } = this.#parts.target;
    const [author] = [...this.#parts.good].filter(([, role]) => role === 'author');
    if (channelId === undefined || author === undefined || !this.#parts.hasReadChannel) return undefined;
    const actor = this.#actor(...author, signal);
    const exchange = await actor.readChannel(channelId, { after: 0n, limit: 1 });
    // A channel that is refused in one form of the read alone is there, and its server broken.
    const isLost =
      exchange.fault !== undefined ||
      ((isRefused(exchange) || isServerError(exchange)) &&
        isRefusedLike(exchange, await actor.readChannel(channelId, { after: 0 })));
    if (isLost) return { text: describeTrouble(exchange), exchange };
    const missing = await this.#missingMessages(channelId, actor, exchange);
    if (missing !== undefined || secondChannelId === undefined) return missing;
    return this.#missingMessages(secondChannelId, actor);
  }

  /** Whether a channel has lost what it has shown; `given` is a read of its oldest message. */
  async #missingMessages(channelId: string, actor: Actor, given?: Exchange): Promise<Missing | undefined> {
    const highest = this.#highest.get(pathOf('channel-read', channelId));
    if (highest === undefined) return undefined;
    const readAfter = (after: bigint): Promise<Exchange> => actor.readChannel(channelId, { after, limit: 1 });
    const exchange = given ?? (await readAfter(0n));
    const { highWatermark } = readPageObject(exchange);
    if (highWatermark === undefined || highWatermark >= highest.watermark) return undefined;
    // A watermark may be read in more than one way: what was shown has to be gone as well, with all that follows it.
    const after = highest.newest - 1n;
    const newest = await readAfter(after);
    const { items, hasMore } = readPage(newest, this.#parts.target.bindings.items);
    if (items.length > 0 || (isAccepted(newest) && hasMore === true) || newest.fault !== undefined)
      return undefined;
    const text = `the channel lost messages: its watermark was ${highest.watermark} and is ${highWatermark}, and message ${highest.newest} is gone`;
    return { text, exchange };
  }

  /** Keeps how far a read shows its channel to go; true when it goes less far than was shown before. */
  remember(exchange: Exchange): boolean {
    const { request } = exchange;
    const { bindings, channelId, secondChannelId } = this.#parts.target;
    if (request.call !== 'channel-read' || !isAccepted(exchange)) return false;
    const isOwn = [channelId, secondChannelId].some((id) => isReadOf(exchange, id));
    if (!isOwn || queryText(request.query) === '') return false;
    const { highWatermark: watermark } = readPageObject(exchange);
    if (watermark === undefined) return false;
    const highest = this.#highest.get(request.path);
    if (highest !== undefined && watermark <= highest.watermark)
      return watermark < highest.watermark && exchange.startedMs > highest.seenMs;
    const { items } = readPage(exchange, bindings.items);
    const newest = items.at(-1)?.sequence;
    if (newest !== undefined)
      this.#highest.set(request.path, { watermark, newest, seenMs: exchange.endedMs });
    return false;
  }

  #actor(credential: string, role: RoleName, signal: AbortSignal): Actor {
    const token = credential.replace(/^Bearer /, '');
    return new Actor(role, token, {
      client: this.#client,
      signal,
      record: () => undefined,
    });
  }
}

/** Whether an exchange is a read of a channel. */
export function isReadOf({ request }: Exchange, channelId: string | undefined): boolean {
  return channelId !== undefined && request.path === pathOf('channel-read', channelId);
}

/** Whether an answer refuses for a limit. */
export function isLimit(exchange: Exchange): boolean {
  return exchange.fault === undefined && statusOf(exchange) === 429;
}

function isRefused(exchange: Exchange): boolean {
  return [401, 403, 404].includes(statusOf(exchange) ?? 0);
}

/** Whether both are refused, or draw an error of the server. */
function isRefusedLike(one: Exchange, other: Exchange): boolean {
  return isServerError(one) ? isServerError(other) : isRefused(other);
}

function fails({ exchange }: Missing): boolean {
  return isServerError(exchange);
}

/** An answer that only somebody before the service gives: a redirection, or a page for people. Preflight ends a run that begins so. */
function isOfAnother(exchange: Exchange): boolean {
  const status = statusOf(exchange) ?? 0;
  return isRedirection(status) || (isWebPage(exchange) && status < 500);
}

function textOf(exchange: Exchange): string {
  const text = describeTrouble(exchange);
  return isLimit(exchange) ? `${text}, and nothing gets through this limit any more` : text;
}
