import { multiStatus } from '../../../spec/oracles/answers/receipts.ts';
import type { Report } from '../../operation.ts';
import { messageRoot } from '../../anomalies/findings.ts';
import { mayHaveLeft, restartBetween } from '../../world/changes.ts';
import { isOneAgent } from '../../world/principals.ts';
import type { Place, Showing } from '../../world/sight.ts';
import { push } from '../../../spec/groups.ts';
import type { Stream } from '../../world/stream.ts';
import { Reads } from './reads.ts';
import { agentsOf, lastOf, mostListed, type Seeing } from './seeing.ts';

/** In which later fetch a report shows is not said: so many settle times later, and this long at least, in ms, it waits in no queue any more. */
const settleTimes = 10;
const leastHopeMs = 10_000;

/** A report that was taken, and the id of the agent that it is by. */
interface Taken {
  readonly report: Report;
  readonly agent: string;
  readonly channel: string;
  /** What the agent had reported before of what it names: taken as a whole or not at all, it may count for none. */
  readonly beside: Report | undefined;
}

/** What an agent reported, at a place of a stream. */
interface Reported extends Taken {
  readonly place: Place;
}

/** A report that shows, and what shows it. */
interface Control extends Pick<Taken, 'report' | 'beside'> {
  readonly listing: Showing;
}

/**
 * Agents that reported a message of their channel, and long after are not listed with it. How a retrieval is reported is not shown, nor
 * whose author counts as an agent, nor for how long one is kept: an older report of the same agent counts for all that, which named as
 * many messages, of which one is by the same author and lists the agent in the same stream as late. That it is not listed for its reading
 * alone, and the report for something else, the message itself shows: the agent has read it, too.
 */
export class Unrecorded {
  readonly #seeing: Seeing;
  /** By the message, what was taken. */
  readonly #taken = new Map<string, Taken[]>();
  readonly #hopeMs: number;
  readonly #reads: Reads;

  constructor(seeing: Seeing) {
    this.#seeing = seeing;
    this.#reads = new Reads(seeing.world);
    const { reportsOf, settleMs, principals } = seeing.world;
    this.#hopeMs = Math.max(leastHopeMs, settleTimes * settleMs);
    for (const [channel, reports] of reportsOf) {
      const reported = new Map<string, Report>();
      for (const report of reports) {
        const credential = report.outcome === 'accepted' ? report.agent : '';
        const agent = isOneAgent(credential) ? principals.idOf(credential) : undefined;
        if (agent === undefined) continue;
        const ids = [...new Set(report.messages)];
        // One answer may tell each of its own.
        if (ids.length > 1 && report.status === multiStatus) continue;
        const fresh = ids.filter((id) => !reported.has(`${agent} ${id}`));
        const beside = ids.map((id) => reported.get(`${agent} ${id}`)).find((each) => each !== undefined);
        for (const id of fresh) {
          reported.set(`${agent} ${id}`, report);
          push(this.#taken, id, { report, agent, channel, beside });
        }
      }
    }
  }

  judge(stream: Stream): void {
    const { world } = this.#seeing;
    // Of traffic nobody knows what the operator did.
    if (this.#taken.size === 0 || world.history.facts.isPartial === true) return;
    const missing: Reported[] = [];
    /** By the agent and the author, what shows. */
    const shown = new Map<string, Control[]>();
    for (const place of stream.all)
      for (const taken of this.#takenOf(place)) {
        const listing = lastOf(place, (showing) => agentsOf(showing).includes(taken.agent));
        if (listing === undefined) missing.push({ place, ...taken });
        else push(shown, keyOf(taken.agent, place), { ...taken, listing });
      }
    this.#seeing.findings.count(
      'receipts.reported-agent-is-listed',
      [...shown.values()].reduce((sum, { length }) => sum + length, 0),
    );
    for (const each of missing) this.#judge(each, shown);
  }

  /** The reports that name what stands at a place, in its own channel or in none, by somebody else. */
  #takenOf({ id, item: { message } }: Place): readonly Taken[] {
    const author = message.author?.id;
    const taken = author === undefined ? [] : (this.#taken.get(id) ?? []);
    return taken.filter(({ agent, channel }) => agent !== author && [message.channel, ''].includes(channel));
  }

  #judge({ place, report, agent, beside }: Reported, shown: ReadonlyMap<string, readonly Control[]>): void {
    const { findings, world, unlisted } = this.#seeing;
    const { principals } = world;
    const { message } = place.item;
    const sinceMs = report.endedMs + this.#hopeMs;
    const without = unlisted.since(place, agent, sinceMs);
    if (without === undefined || agentsOf(without).length >= mostListed) return;
    const read = this.#reads.first(`channel ${message.channel}`, report.agent, message);
    if (read === undefined || read.endedMs + this.#hopeMs >= without.lastMs) return;
    const span = { fromMs: report.startedMs, toMs: without.lastBy.endedMs };
    // What becomes of it at a restart, or while somebody is away, is only implied.
    if (restartBetween(world, span.fromMs, span.toMs) !== undefined) return;
    if ([agent, message.author?.id].some((each) => mayHaveLeft(world, each, span))) return;
    const control = shown
      .get(keyOf(agent, place))
      ?.find(
        (other) =>
          other.report.endedMs < report.startedMs &&
          other.report.messages.length >= report.messages.length &&
          (other.beside !== undefined || beside === undefined) &&
          other.listing.lastMs > sinceMs,
      );
    if (control === undefined) return;
    const others = agentsOf(without);
    findings.add({
      name: 'receipt-lost',
      clause: 'receipts.reported-agent-is-listed',
      expected: `message ${String(message.id)}: agent ${agent} among its retrievals, which it reported ${Math.round((without.lastMs - report.endedMs) / 1000)} s before`,
      actual: others.length === 0 ? 'nobody is listed' : `${others.length} others are listed, and no more`,
      witness: [
        report,
        without.lastBy,
        control.report,
        beside && control.beside,
        control.listing.lastBy,
        principals.namedBy(agent),
        read,
      ],
      decides: without.lastBy,
      root: messageRoot(message),
    });
  }
}

function keyOf(agent: string, { item: { message } }: Place): string {
  return `${agent} ${message.author?.id}`;
}
