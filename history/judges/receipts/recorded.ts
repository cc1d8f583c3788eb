import { messageRoot } from '../../anomalies/findings.ts';
import type { Showing } from '../../world/sight.ts';
import type { FirstReport } from './reports.ts';
import { agentsOf, type Seeing } from './seeing.ts';

/**
 * Agents whose reports were acknowledged long before those of others are listed before them. How fine the clock is that a server records
 * them by is not said: where they stand in the order of their UUIDs it may have told the same time for both.
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
      clause: isById ? 'receipts.agent-ids.ordered-by-time' : 'receipts.agent-ids.ordered',
      expected: `message ${String(message.id)}: agent ${String(agents[index])} before ${String(agents[index - 1])}, which reported later`,
      actual: agents.slice(index - 1, index + 1).join(', '),
      decides: showing.knownBy,
      witness: [showing.knownBy, after.first, unlisted.lastBy, before.first, after.named, before.named],
      root: messageRoot(message),
    });
  }
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
