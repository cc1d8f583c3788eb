import { judgeOf, messageRoot } from '../../anomalies/findings.ts';
import type { Showing } from '../../world/sight.ts';
import { Growth } from './growth.ts';
import { judgeRecorded } from './recorded.ts';
import { Reports } from './reports.ts';
import { agentsOf, type Seeing, Unlisted } from './seeing.ts';
import { Unrecorded } from './unrecorded.ts';
import { Unreported } from './unreported.ts';

/**
 * Retrievals: reported ones alone, never the author's, in the order of recording, and none is taken back.
 * - `receipt-on-read` (`unreported.ts`): an agent of the run is listed for a message that it read, and had not reported anything. Excused
 *   where somebody reports in its name, since it is listed for what it never read, or had read another and long after was not listed.
 * - `receipt-author` (`judgeAuthor`): a message lists its own author.
 * - `receipt-order` (`recorded.ts`, `growth.ts`): two forms of a message list the same agents in two orders, or one whose report came more
 *   than a second and the settle time later stands before the other: as the clock of the run has it, which hosts of a server may not share.
 * - `receipts-shrink` (`growth.ts`): a later form lacks who was listed, though its preview is not full.
 * - `receipt-lost` (`unrecorded.ts`): an agent that reported a message is not listed with it long after, though it is with one that it
 *   reported before.
 */
export const receipts = judgeOf(
  ['receipt-on-read', 'receipt-author', 'receipt-order', 'receipts-shrink', 'receipt-lost'],
  (findings, world) => {
    const seeing = { findings, world, reports: new Reports(world), unlisted: new Unlisted() };
    const unreported = new Unreported(seeing);
    const unrecorded = new Unrecorded(seeing);
    for (const stream of world.streams.values()) {
      for (const showing of stream.showings()) {
        if (showing.item.receipts === undefined) continue;
        unreported.note(stream, showing);
        judgeAuthor(seeing, showing);
        judgeRecorded(seeing, showing);
      }
      const growth = new Growth(seeing, stream);
      for (const place of stream.all) if (!place.isConstant) growth.judge(place);
      unrecorded.judge(stream);
    }
    unreported.addTo(findings);
  },
);

function judgeAuthor({ findings, world }: Seeing, showing: Showing): void {
  const { message } = showing.item;
  const author = message.author?.id;
  const agents = agentsOf(showing);
  if (author === undefined || agents.length === 0) return;
  findings.hold('receipts.agent-ids.no-author', !agents.includes(author), () => ({
    name: 'receipt-author',
    expected: `message ${String(message.id)}: no author among its retrievals`,
    actual: `${author} among ${agents.length}`,
    witness: [showing.knownBy, world.causeOf(message)],
    root: messageRoot(message),
  }));
}
