import type { Actor } from '../client/actor.ts';
import { type Exchange, isAccepted } from '../client/exchange.ts';
import type { Clock } from '../client/pacing/clock.ts';
import { CheckStopped, describeAnswer, unmet } from '../verdict/outcome.ts';
import { isServerError } from '../verdict/trouble.ts';
import { findEnd } from './find-end.ts';
import { isQuotation } from './own-messages.ts';
import type { PageItem, PageRead } from './page.ts';
import type { RunState } from './run-state.ts';
import { walk, type Walk, type WalkOptions } from './walk.ts';

/** A content to be sent, with the marker that it is found by. */
export interface Draft {
  readonly text: string;
  readonly marker: string;
}

/** Pages of a walk that is too long for every check to take it again. */
const longWalk = 100;
/** Server errors one after another before a stream is waited for no longer. */
const mostServerErrors = 4;

/** Something that contradicts an expectation about a stream, and the exchanges that show it. */
interface StreamSighting {
  readonly draft: Draft;
  readonly actual: string;
  readonly exchanges: readonly Exchange[];
}

/** An item as it came, and the read that showed it: the request that decides where what it shows is wrong. */
export interface Arrival extends PageItem {
  readonly exchange: Exchange;
}

/** How one stream is read and how an anchor gets into it. */
interface StreamSource {
  /** Unique in the run: streams with one key share what is known of their cursors. */
  readonly key: string;
  readonly label: string;
  /** Who reads it: whose requests all ask for the same. */
  readonly reader: Pick<Actor, 'name' | 'authorization'>;
  readonly readPage: (after: bigint | undefined, limit?: number) => Promise<PageRead>;
  /** Sends a message that this stream must come to show. */
  readonly sendAnchor: (draft: Draft) => Promise<Exchange>;
  /** Where a first walk begins: `0n` reads from the oldest, `undefined` asks for the newest page. */
  readonly start: bigint | undefined;
  /** Of the attempt that reads it. */
  readonly clock: Clock;
}

/**
 * A channel, or an agent's mentions, as one attempt at a check sees it. Every wait has its limit; what is not yet visible
 * is waited for.
 */
export class StreamView {
  readonly label: string;
  readonly #source: StreamSource;
  readonly #run: RunState;
  /** All items this attempt has read so far, and where its reading stands. */
  readonly #seen: Arrival[] = [];
  #nextAfter: Promise<bigint | undefined> | undefined;

  constructor(source: StreamSource, run: RunState) {
    this.label = source.label;
    this.#source = source;
    this.#run = run;
  }

  /** One page, as the server gives it. */
  readPage(after: bigint | undefined, limit?: number): Promise<PageRead> {
    return this.#source.readPage(after, limit);
  }

  /** Pages from a cursor on, as the contract tells a client to read them. */
  async walk(after: bigint | undefined, options: WalkOptions & { limit?: number } = {}): Promise<Walk> {
    const read = await walk((next) => this.#source.readPage(next, options.limit ?? 100), after, options);
    // A cursor that comes back as it was asked may be one that was never given out, and lie beyond all that is to come.
    const isGiven = read.nextAfter !== after;
    if (read.isComplete && isGiven && read.nextAfter !== undefined)
      this.#run.cursors.advance(this.#source.key, read.nextAfter);
    return read;
  }

  /** A cursor given out before anything of this run was sent. */
  runStart(): Promise<bigint | undefined> {
    return this.#run.cursors.start(this.#source.key, this.#source.clock, () =>
      this.#endFrom(this.#source.start),
    );
  }

  /** A cursor that was given out before this attempt began: all it sends lies above. */
  async since(): Promise<bigint | undefined> {
    const start = await this.runStart();
    return this.#run.cursors.latest(this.#source.key) ?? start;
  }

  /** Takes the attempt's cursor; called before the check's body so that nothing it sends is below. */
  async prepare(): Promise<void> {
    this.#nextAfter ??= this.since();
    await this.#nextAfter;
  }

  /** The item that shows `draft`, waited for; ends the check with its precondition not met when it does not come. */
  async arrival(draft: Draft): Promise<Arrival> {
    const [item] = await this.arrivals([draft]);
    return item ?? unmet(`${this.label} did not show a message`);
  }

  /** The items that show all of `drafts`, in the order of `drafts`. */
  async arrivals(drafts: readonly Draft[]): Promise<Arrival[]> {
    if (!(await this.#poll(drafts))) {
      const seen = drafts.filter((draft) => findIn(this.#seen, draft) !== undefined).length;
      const withinMs = Math.round(this.#run.patienceMs);
      unmet(`${this.label} showed ${seen} of ${drafts.length} accepted messages within ${withinMs} ms`);
    }
    return drafts.flatMap((draft) => findIn(this.#seen, draft) ?? []);
  }

  /** `undefined` when no draft is anywhere up to an anchor sent after the settle time, else where the first was seen. */
  async seekNever(...drafts: readonly Draft[]): Promise<StreamSighting | undefined> {
    await this.prepare();
    const whole = await this.#readToAnchor(await this.#nextAfterOrStart());
    const shownAmong = (items: readonly Arrival[]): Omit<StreamSighting, 'actual'> | undefined => {
      for (const draft of drafts) {
        const item = findIn(items, draft);
        if (item !== undefined) return { draft, exchanges: [item.exchange] };
      }
      return undefined;
    };
    const now = shownAmong(arrivalsOn(whole.pages));
    if (now !== undefined) return { ...now, actual: 'it is there' };
    const earlier = shownAmong(this.#seen);
    return earlier && { ...earlier, actual: 'it was there' };
  }

  /** Sends an anchor once the settle time is over, waits for it, and reads the stream from `start` up to it. */
  async #readToAnchor(start: bigint | undefined): Promise<Walk> {
    const { key, clock } = this.#source;
    const notBeforeMs = performance.now() + this.#run.settleMs;
    const anchor = await this.#run.anchors.after(key, { notBeforeMs, clock }, async () => {
      const draft = this.#run.draft();
      const exchange = await this.#source.sendAnchor(draft);
      if (exchange.fault !== undefined)
        throw new CheckStopped({ kind: 'disturbed', clause: undefined, exchange });
      if (!isAccepted(exchange)) unmet(`an anchor was not accepted: ${describeAnswer(exchange)}`, exchange);
      return draft;
    });
    await this.arrival(anchor);
    return this.#walkPast(anchor, start);
  }

  /** A whole walk that shows the anchor; tried until it does, since another replica may not have it yet. */
  async #walkPast(draft: Draft, start: bigint | undefined): Promise<Walk> {
    const deadlineMs = this.#source.clock.now() + this.#run.patienceMs;
    for (;;) {
      const whole = await this.walk(start);
      if (whole.isComplete && findIn(whole.items, draft) !== undefined) return whole;
      if (this.#source.clock.now() > deadlineMs) {
        unmet(
          `${this.label} could not be read up to the anchor: ${whole.problem ?? 'no page shows it up to the one that announces no more'}`,
        );
      }
      await this.#source.clock.pause(50);
    }
  }

  /** Reads on from where this attempt stands until all drafts were seen; once more from the start before giving up. */
  async #poll(drafts: readonly Draft[]): Promise<boolean> {
    await this.prepare();
    const isSeen = (): boolean => drafts.every((draft) => findIn(this.#seen, draft) !== undefined);
    const { clock } = this.#source;
    const startedMs = clock.now();
    let errors = 0;
    for (let pauseMs = 15; !isSeen(); pauseMs = Math.min(pauseMs * 1.6, 250)) {
      // Patience may end while it waits: once others have seen that nothing is ever shown.
      const isLast = clock.now() > startedMs + this.#run.patienceMs;
      const last = await this.#readOn(isLast ? this.walk(await this.runStart()) : this.#whatIsNew());
      errors = last !== undefined && isServerError(last) ? errors + 1 : 0;
      if (last !== undefined && errors > mostServerErrors)
        unmet(`${this.label} could not be read: ${describeAnswer(last)}`, last);
      if (isLast) break;
      if (!isSeen()) await clock.pause(pauseMs);
    }
    if (!isSeen()) this.#run.whole.noteVainWait();
    return isSeen();
  }

  /** From where this attempt stands on; shared with others that wait for what is new. */
  async #whatIsNew(): Promise<Walk> {
    const start = await this.#nextAfterOrStart();
    if (start === undefined) return this.walk(start);
    const { key, reader, clock } = this.#source;
    return this.#run.walks.walk({
      key: JSON.stringify([key, reader.name, reader.authorization]),
      start,
      clock,
      sleep: (durationMs) => this.#run.whole.sleep(durationMs, 'arrival'),
      walk: (lowest) => this.walk(lowest),
    });
  }

  /** The last exchange of what it read. */
  async #readOn(walked: Promise<Walk>): Promise<Exchange | undefined> {
    const read = await walked;
    const last = read.pages.at(-1)?.exchange;
    if (last?.fault !== undefined)
      throw new CheckStopped({ kind: 'disturbed', clause: undefined, exchange: last });
    for (const item of arrivalsOn(read.pages)) this.#seen.push(item);
    if (read.nextAfter !== undefined) this.#nextAfter = Promise.resolve(read.nextAfter);
    return last;
  }

  async #nextAfterOrStart(): Promise<bigint | undefined> {
    return (await this.#nextAfter) ?? (await this.runStart());
  }

  /** Where a stream ends: one that is read from its oldest may hold any number of messages, and is searched. */
  async #endFrom(start: bigint | undefined): Promise<bigint | undefined> {
    const read =
      start === 0n
        ? await findEnd((after, limit) => this.#source.readPage(after, limit))
        : await this.walk(start);
    const isLong = read.pages.length >= longWalk;
    if (read.nextAfter !== undefined && (read.isComplete || !isLong)) return read.nextAfter;
    const last = read.pages.at(-1)?.exchange;
    if (isLong && last?.fault === undefined) this.#run.cursors.giveUp(this.#source.key);
    const what = isLong ? `read to its end, and a search did not find the end either` : 'read';
    return unmet(`${this.label} could not be ${what}: ${read.problem ?? 'no cursor'}`, last);
  }
}

/** Everything on pages that were read, each with the read that showed it. */
export function arrivalsOn(pages: readonly PageRead[]): readonly Arrival[] {
  return pages.flatMap(({ exchange, items }) => items.map((item) => ({ ...item, exchange })));
}

/** The item that shows the draft, whoever may quote it. */
export function findIn<Item extends PageItem>(items: readonly Item[], draft: Draft): Item | undefined {
  return items.find(showing(draft));
}

/** Tells what shows a draft by its marker from all else, quotations included. */
export function showing({ marker }: Pick<Draft, 'marker'>): (item: PageItem) => boolean {
  return ({ content, message }) => content?.includes(marker) === true && !isQuotation(message);
}
