import type { AgentCall } from '../http/call.ts';
import type { Entry } from '../model/page-facts.ts';

/** Records that a page was handed out, should a rule take that for a retrieval. */
export function recordRetrieval(
  { agent, route, service: { rules, store, sources } }: AgentCall,
  entries: readonly Entry[],
): void {
  if (!rules.recordsRetrievalOnRead(route.name)) return;
  store.transaction(() => {
    for (const entry of entries) {
      store.receipts.add(
        store.messages.read(entry.messageNumber).written.id,
        entry.channelId,
        agent.id,
        sources.now(),
      );
    }
  });
}
