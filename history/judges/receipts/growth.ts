import { messageRoot, type Finding } from '../../anomalies/findings.ts';
import type { Item } from '../../seen-message.ts';
import type { Page } from '../../world/page.ts';
import type { Place, Showing } from '../../world/sight.ts';
import { push } from '../../../spec/groups.ts';
import type { Stream } from '../../world/stream.ts';
import { agentsOf, mostListed, type Seeing } from './seeing.ts';

/** Of one message so many forms are compared: each new report makes one. */
const mostForms = 64;
/** Agents of a preview that are all named. */
const mostNamed = 3;

/** Two forms of one message, the later one shown by a read that began after the earlier one had been. */
interface Pair {
  readonly earlier: Showing;
  readonly later: Showing;
}

/** The forms of the messages of one stream, each held against those that were shown before it. */
export class Growth {
  readonly #seeing: Seeing;
  readonly #stream: Stream;
  #pages: ReadonlyMap<Item, readonly Page[]> | undefined;

  constructor(seeing: Seeing, stream: Stream) {
    this.#seeing = seeing;
    this.#stream = stream;
  }

  judge(place: Place): void {
    const all = [...place.forms].filter(({ item }) => item.receipts !== undefined);
    const forms = all.slice(0, mostForms).toSorted((one, other) => one.knownMs - other.knownMs);
    for (const earlier of forms)
      for (const later of forms)
        if (earlier !== later && later.lastMs > earlier.knownMs + this.#seeing.world.settleMs)
          this.#judgePair({ earlier, later }, forms);
  }

  #judgePair(pair: Pair, forms: readonly Showing[]): void {
    const { findings, world } = this.#seeing;
    const { earlier, later } = pair;
    const { message, receipts } = later.item;
    const [was, is] = [agentsOf(earlier), agentsOf(later)];
    const clause = 'receipts.agent-ids.earlier-is-a-prefix';
    if (was.length === 0 && is.length > 0) findings.count('receipts.empty-means-none-recorded');
    if (was.every((agent, index) => is[index] === agent)) {
      if (was.length > 0) findings.count(clause);
      return;
    }
    // A preview has no least length: with more beyond it, it may end sooner than before.
    if (receipts?.hasMore === true && is.every((agent, index) => was[index] === agent)) return;
    const missing = was.filter((agent) => !is.includes(agent));
    const isShorter = missing.length > 0 && is.length < mostListed;
    // With more beyond it, it may have lost its last to others of the same second.
    const isCut = isShorter && receipts?.hasMore !== true;
    // When each was first recorded does not change: of two in both, the order is the same, whatever clock told it.
    const swapped = isCut ? [] : movedForward(was, is);
    const recordedOnce = this.#recordedOnce(pair, swapped, forms);
    const shownBy = isCut || swapped.length > 0 ? recordedOnce : lateWitness(this.#seeing, pair, forms);
    if (shownBy === undefined) return;
    const cause = world.causeOf(message);
    const about = {
      expected: `${this.#stream.name}, message ${String(message.id)}: ${beginOf(was, is)}, as before`,
      actual: is.length === 0 ? 'nobody' : beginOf(is, was),
      root: messageRoot(message),
    };
    const denied =
      is.length === 0 && receipts?.hasMore === false ? this.#shownAgain(pair, missing, forms) : undefined;
    if (denied !== undefined)
      findings.add({
        ...about,
        name: 'receipts-shrink',
        clause: 'receipts.empty-means-none-recorded',
        witness: [denied.page.read, earlier.knownBy, denied.again.lastBy, denied.named, cause],
        decides: denied.page.read,
      });
    findings.add({
      ...about,
      name: isShorter ? 'receipts-shrink' : 'receipt-order',
      clause: recordedOnce.length > 0 ? 'receipts.agent-ids.ordered' : clause,
      witness: [later.lastBy, earlier.knownBy, cause, ...shownBy],
      decides: later.lastBy,
    });
  }

  /**
   * What shows of some agents that one of them was recorded once: it reported once, and nothing listed it before that. Of one that reported
   * again an earlier time may come to be known later, as where another host took its first report: how soon a report shows is not said.
   */
  #recordedOnce({ later }: Pair, agents: readonly string[], forms: readonly Showing[]): Finding['witness'] {
    const { reports, world } = this.#seeing;
    // Of traffic nobody knows in which other ways its clients report.
    if (world.history.facts.isPartial === true) return [];
    const { message } = later.item;
    for (const agent of agents) {
      const only = reports.onlyOne(message, agent, later.lastMs);
      if (only !== undefined && !isListedBefore(forms, agent, only.first.startedMs))
        return [only.first, only.named];
    }
    return [];
  }

  /** Some of who is missing, shown again later without a report in between, so that they were recorded all the time. */
  #shownAgain({ earlier, later }: Pair, missing: readonly string[], forms: readonly Showing[]) {
    const { reports, world } = this.#seeing;
    const { item } = later;
    const fromMs = earlier.knownMs;
    for (const again of forms) {
      if (again.lastMs <= later.knownMs + world.settleMs) continue;
      const agent = missing.find(
        (each) =>
          agentsOf(again).includes(each) &&
          !reports.mayBeBetween(item.message, each, { fromMs, toMs: again.lastMs }),
      );
      const page = agent && this.#shownBetween(item, fromMs, again.lastMs);
      if (page) return { page, again, named: world.principals.namedBy(agent) };
    }
    return undefined;
  }

  /** A page that shows a form between two times: it may have been shown before as well, when nobody had reported. */
  #shownBetween(item: Item, fromMs: number, toMs: number): Page | undefined {
    const { settleMs } = this.#seeing.world;
    this.#pages ??= pagesByItem(this.#stream.pages);
    return this.#pages
      .get(item)
      ?.find(({ startedMs, endedMs }) => startedMs > fromMs + settleMs && endedMs + settleMs < toMs);
  }
}

function pagesByItem(pages: readonly Page[]): ReadonlyMap<Item, readonly Page[]> {
  const byItem = new Map<Item, Page[]>();
  for (const page of pages) for (const item of page.read.items) push(byItem, item, page);
  return byItem;
}

/** Of those that are in both forms the ones that stand before another which they came after. */
function movedForward(was: readonly string[], is: readonly string[]): readonly string[] {
  const places = new Map(was.map((agent, place) => [agent, place]));
  const kept = is.filter((agent) => places.has(agent));
  return kept.filter((agent, at) =>
    kept.slice(at + 1).some((other) => (places.get(other) ?? 0) < (places.get(agent) ?? 0)),
  );
}

/**
 * What shows that a later form lacks the first of an earlier one, or lists before its others one that came after them; `undefined` when nothing does. Of two
 * recorded within one second, as far as the server's clock tells, the order is by id, so that a new one may come in between, and push the last
 * out of a preview, unless it is known to have reported later, and nothing listed it before that.
 */
function lateWitness(
  { reports, world }: Seeing,
  { earlier, later }: Pair,
  forms: readonly Showing[],
): Finding['witness'] | undefined {
  const [was, is] = [agentsOf(earlier), agentsOf(later)];
  const kept = is.filter((agent) => was.includes(agent));
  if (kept.some((agent, index) => was[index] !== agent)) return [];
  const inBetween = is.slice(0, kept.length < was.length ? is.length : is.indexOf(kept.at(-1) ?? ''));
  const sinceMs = earlier.knownMs + Math.max(world.settleMs, 1000);
  const late = inBetween
    .filter((agent) => !was.includes(agent))
    .map((agent) => ({ agent, report: reports.firstOf(later.item.message, agent) }))
    .find(({ agent, report }) => {
      const startedMs = report?.first.startedMs ?? 0;
      return startedMs > sinceMs && !isListedBefore(forms, agent, startedMs);
    })?.report;
  return late && [late.first, late.named];
}

/** Whether some form listed an agent by then: somebody had reported for it. */
function isListedBefore(forms: readonly Showing[], agent: string, ms: number): boolean {
  return forms.some((form) => form.knownMs <= ms && agentsOf(form).includes(agent));
}

/** How a preview begins, up to the first agent that another one does not have there. */
function beginOf(agents: readonly string[], other: readonly string[]): string {
  if (agents.length <= mostNamed) return `a preview that begins with ${agents.join(', ')}`;
  const differs = agents.findIndex((agent, index) => other[index] !== agent);
  const at = differs < 0 ? agents.length - 1 : differs;
  return `a preview of ${agents.length} agents with ${String(agents[at])} at place ${at + 1}`;
}
