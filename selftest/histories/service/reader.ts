import type { Item } from '../../../history/seen-message.ts';
import type { Sequence } from '../../../history/sequence.ts';
import type { Agent } from './directory.ts';
import type { Inside } from './inside.ts';
import type { Log } from './log.ts';
import { endOf, isFilled, pageOf } from './page.ts';
import type { Filled, Page, Question, Spot } from './page.ts';
import { previewOf, Retrievals } from './retrievals.ts';
import type { Rules } from './rules.ts';
import type { Stream } from './stream.ts';

/** A page as it goes out. */
export interface ShownPage {
  readonly items: readonly Item[];
  readonly nextAfter: Sequence;
  readonly hasMore: boolean;
  readonly highWatermark: Sequence;
}

/** Answers questions about streams as they stand. */
export class Reader {
  readonly #inside: Inside;
  readonly #rules: Rules;
  readonly #log: Log;
  readonly #retrievals = new Retrievals();
  readonly #watermarks = new Map<string, { readonly atMs: number; readonly value: Sequence }>();

  constructor(inside: Inside, rules: Rules, log: Log) {
    this.#inside = inside;
    this.#rules = rules;
    this.#log = log;
  }

  /** The page that answers now; `undefined` if the cursor is refused. */
  pageNow(question: Question): Page | undefined {
    const { choices } = this.#inside;
    const spots = this.#rules.view(this.#spots(question), question, this.#inside);
    const page = pageOf(spots, question, choices.page, this.#watermark(question, spots));
    return page === undefined ? undefined : this.#rules.page(page, question, spots, this.#inside);
  }

  /** A page with all that its messages show. */
  show(page: Page, question: Question): ShownPage {
    const items = page.items.map((item) => this.#item(item, question));
    if (this.#rules.recordsRead(question, this.#inside)) {
      for (const { message } of items) this.retrieved(message.id, question.agent);
    }
    return { ...page, items };
  }

  /** Records that an agent retrieved a message. */
  retrieved(message: string | undefined, agent: Agent): void {
    if (message !== undefined) this.#retrievals.record(message, agent.id, this.#inside.clock.nowMs);
  }

  #spots(question: Question): readonly Spot[] {
    const { choices, random, clock } = this.#inside;
    const lagMs = this.#rules.lagMs(random.between(0, choices.replicaLagMs), question, this.#inside);
    const asOfMs = clock.nowMs - lagMs;
    const trimmedMs = clock.nowMs - random.between(0, choices.trimLagMs);
    return this.#streamOf(question)
      .places.filter(({ visibleMs }) => visibleMs <= asOfMs)
      .map(({ sequence, stored, goneMs, follows }) => {
        const isGone = stored !== undefined && Math.min(goneMs, follows?.goneMs ?? goneMs) <= trimmedMs;
        return { sequence, stored: isGone ? undefined : stored, isGone };
      });
  }

  #streamOf({ call, stream, agent }: Question): Stream {
    const { feeds, channels } = this.#inside;
    const found =
      call === 'mentions' ? feeds.get(agent.id) : channels.find(({ name }) => stream === `channel ${name}`);
    if (found === undefined) throw new Error(`no stream ${stream}`);
    return found;
  }

  #watermark({ stream }: Question, spots: readonly Spot[]): Sequence {
    const { choices, clock } = this.#inside;
    const end = endOf(spots);
    if (choices.page.watermark === 'stream') return end;
    if (choices.page.watermark === 'matches') return spots.findLast(isFilled)?.sequence ?? 0;
    if (choices.page.watermark === 'workspace') return this.#log.lastEvent;
    if (choices.page.watermark === 'ahead') return 2n ** 62n;
    const cached = this.#watermarks.get(stream);
    if (cached !== undefined && cached.atMs > clock.nowMs - 300) return cached.value;
    this.#watermarks.set(stream, { atMs: clock.nowMs, value: end });
    return end;
  }

  #item({ sequence, stored }: Filled, question: Question): Item {
    const { choices, intern } = this.#inside;
    const isFeed = question.call === 'mentions';
    const { createdAt } = stored.seen;
    const precise =
      isFeed && choices.feedPrecision !== 'same'
        ? { ...stored.seen, createdAt: createdAt?.replace('Z', '000+00:00') }
        : stored.seen;
    const message = intern.message(this.#rules.show(precise, question, this.#inside));
    const id = isFeed ? this.#rules.mentionId(message.id, this.#inside) : message.id;
    const receipts =
      choices.receipts === 'absent' ? undefined : previewOf(this.#listedRetrievals(stored, isFeed));
    return intern.item({ sequence, id, message, receipts });
  }

  #listedRetrievals({ seen }: Filled['stored'], isFeed: boolean): readonly string[] {
    const { choices, clock, random } = this.#inside;
    const late = { absent: 0, fresh: 0, late: isFeed ? 120 : 30, replica: random.between(0, 120) };
    const known = this.#retrievals.known(seen.id ?? '', clock.nowMs - late[choices.receipts]);
    const others = known.filter((id) => id !== seen.author?.id);
    return this.#rules.receipts(others, seen, this.#inside);
  }
}
