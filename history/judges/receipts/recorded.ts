import { messageRoot } from '../../anomalies/findings.ts';
import type { Showing } from '../../world/sight.ts';
import type { FirstReport } from './reports.ts';
import { agentsOf, type Seeing } from './seeing.ts';

/** Before so many agents that were listed when it reported no clock of one host among several puts an agent, but another order does. */
const many = 8;

/**
 * Agents whose reports were acknowledged long before those of others are listed before them. How fine the clock is that a server records
 * them by is not said, nor that its hosts have one: where they stand in the order of their UUIDs it may have told the same time for both, and
 * where another host took the report of one, an earlier time for that. So what few reports show is inferred.
 */
export function judgeRecorded(seeing: Seeing, showing: Showing): void {
  const { findings, reports } = seeing;
  const { message } = showing.item;
  const agents = agentsOf(showing);
  if (agents.length < 2) return;
  const times = agents.map((agent) => reports.firstOf(message, agent));
  for (let index = 1; index < times.length; index += 1) {
    const [before, after] = [times[index - 1], times[index]];
    if (before === undefined || after === undefined) continue;
    const isById = String(agents[index - 1]) < String(agents[index]);
    const unlisted = reportedAfter(seeing, showing, { agent: agents[index - 1], own: before, other: after });
    if (unlisted === undefined) {
      // Where neither is known to be the later one, either order is right, and shows nothing.
      if (reportedAfter(seeing, showing, { agent: agents[index], own: after, other: before })) {
        findings.count('receipts.agent-ids.ordered');
        if (!isById) findings.count('receipts.agent-ids.ordered-by-time');
      }
      continue;
    }
    findings.add({
      name: 'receipt-order',
      clause: isBeforeAll(seeing, showing, { agents, times, place: index - 1 })
        ? 'receipts.agent-ids.ordered'
        : 'receipts.agent-ids.ordered-by-time',
      expected: `message ${String(message.id)}: agent ${String(agents[index])} before ${String(agents[index - 1])}, which reported later`,
      actual: agents.slice(index - 1, index + 1).join(', '),
      decides: showing.knownBy,
      witness: [showing.knownBy, after.first, unlisted.lastBy, before.first, after.named, before.named],
      root: messageRoot(message),
    });
  }
}

/**
 * Whether an agent stands before all of many that are known to have reported well before it, and not in the order of their UUIDs. They were
 * listed when it reported: until then a report may wait somewhere, and be recorded later than another.
 */
function isBeforeAll(
  seeing: Seeing,
  showing: Showing,
  {
    agents,
    times,
    place,
  }: {
    readonly agents: readonly string[];
    readonly times: readonly (FirstReport | undefined)[];
    readonly place: number;
  },
): boolean {
  const [agent, own] = [agents[place], times[place]];
  if (own === undefined) return false;
  const listed = listedBy(showing, own.first.startedMs);
  const earlier = agents.flatMap((id, at) => {
    const other = times[at];
    if (other === undefined || !listed.has(id)) return [];
    return reportedAfter(seeing, showing, { agent, own, other }) ? { id, at } : [];
  });
  const isById = earlier.every(({ id }) => String(agent) < id);
  return earlier.length >= many && earlier.every(({ at }) => at > place) && !isById;
}

/** The agents that a message listed by some time, in ms. */
function listedBy({ place }: Showing, ms: number): ReadonlySet<string> {
  return new Set([...place.forms].flatMap((form) => (form.knownMs <= ms ? agentsOf(form) : [])));
}

/** What shows that an agent reported a message well after another had; `undefined` where nothing does. */
function reportedAfter(
  { world, unlisted }: Seeing,
  { place }: Showing,
  {
    agent,
    own,
    other,
  }: { readonly agent: string | undefined; readonly own: FirstReport; readonly other: FirstReport },
): Showing | undefined {
  // Of two recorded within one second, as far as the server's clock tells, the order is by id.
  const sinceMs = other.first.endedMs + Math.max(world.settleMs, 1000);
  return own.first.startedMs > sinceMs ? unlisted.since(place, String(agent), sinceMs) : undefined;
}
