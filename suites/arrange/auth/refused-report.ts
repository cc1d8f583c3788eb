import type { Context } from '../../../harness/check/context.ts';
import { isRefusal } from '../../../harness/client/exchange.ts';
import type { NeedName } from '../../../harness/config/capabilities.ts';
import { given, unmet } from '../../../harness/verdict/outcome.ts';
import { previewIn } from '../../../spec/oracles/answers/receipts.ts';
import { messageOfAnother } from './guarded-calls.ts';
import { report } from '../receipts/reports.ts';
import { ownPlace } from './places.ts';

/**
 * Has an agent of another workspace report a message that the author reported, and sees the author listed with it alone. Ends the check
 * with its precondition not met where the one is not refused, or the other is not listed.
 */
export async function seeRefusedReport(context: Context<NeedName>): Promise<void> {
  const { bindings, channel, draft, expect, identities, optional, settleMs, sleep } = context;
  const stranger = optional('stranger') ?? unmet('no stranger is there who could report');
  const { id, from } = await messageOfAnother(draft, ownPlace(context));
  const agentId = (await identities.agentId(stranger)).toLowerCase();
  const refused = await report(stranger, { bindings, channelId: channel.id, messageId: id });
  given(isRefusal(refused), 'the report of the stranger is not refused', refused);
  await sleep(settleMs);
  const { items, exchange } = await channel.readPage(from, 1);
  const shown = items.find((item) => item.id?.toLowerCase() === id);
  const preview = previewIn(shown?.message['receipts']);
  if (preview === undefined || preview.agentIds.length === 0)
    unmet('a reported retrieval is not shown: see bindings.report_receipt', exchange);
  expect.holds(
    'receipts.refused-report-lists-nobody',
    !preview.agentIds.includes(agentId),
    { expected: `${agentId}, whose report was refused, not listed`, actual: 'it is listed' },
    refused,
    exchange,
  );
}
