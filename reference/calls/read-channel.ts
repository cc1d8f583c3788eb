import type { AgentCall } from '../http/call.ts';
import { type Answer, jsonAnswer } from '../model/answer.ts';
import type { PageFacts, PageRequest } from '../model/page-facts.ts';
import { presentMessage, presentRead } from '../service/present.ts';
import { readStreamPage } from '../service/read-page.ts';
import { channelStream } from '../service/streams.ts';
import { channelOf, invalidParameter, pageRequestOf } from './parameters.ts';
import { recordRetrieval } from './receipts.ts';

/**
 * `GET /v0/channels/{channel_id}/messages`: the messages after a cursor. With `wait` an empty page is held back until
 * a message comes or the time is over.
 */
export async function readChannel(call: AgentCall): Promise<Answer> {
  const { service } = call;
  const channelId = (await channelOf(call)).id;
  const request = pageRequestOf(call);
  const waitMs = waitMsOf(call);

  const read = (limit: number): PageFacts => pageOf(call, channelId, { ...request, limit });
  const first = read(request.limit);
  const facts =
    leadsOn(first) || waitMs === 0
      ? first
      : await waitForEntries(call, channelId, waitMs, () =>
          read(service.rules.limitAfterWake(request.limit)),
        );
  const messages = facts.entries.map((entry) => presentMessage(service, entry, 'read'));
  recordRetrieval(call, facts.entries);
  const { items, page } = presentRead(call, facts, messages);
  return jsonAnswer(200, { messages: items, page });
}

function pageOf({ service, agent }: AgentCall, channelId: string, request: PageRequest): PageFacts {
  const { rules, store } = service;
  const { lastSequence, workspaceId } = store.workspaces.channel(channelId) ?? {};
  const stream = channelStream(store, {
    id: channelId,
    end: lastSequence ?? 0n,
    lastEvent: () => (workspaceId === undefined ? 0n : (store.workspaces.lastEvent(workspaceId) ?? 0n)),
  });
  return readStreamPage(service, stream, request, (entry) => rules.maySeeMessage(entry, agent));
}

/** Whether a page has something, or a read that looked no further says that more is there: who gets it need not wait. */
function leadsOn({ entries, isMoreAbove }: PageFacts): boolean {
  return entries.length > 0 || isMoreAbove;
}

async function waitForEntries(
  { service, agent, request }: AgentCall,
  channelId: string,
  waitMs: number,
  read: () => PageFacts,
): Promise<PageFacts> {
  const { rules, waiters, quotas, sources } = service;
  const release = quotas.takePoll(rules.holderOfPoll(agent.id, channelId));
  const signal = request.goneSignal();
  const deadline = sources.elapsedMs() + waitMs;
  try {
    const beginsAfterMs = rules.waitBeginsAfterMs();
    if (beginsAfterMs > 0)
      await new Promise<void>((resolve) => {
        sources.after(beginsAfterMs, resolve);
      });
    for (;;) {
      await waiters.wait(channelId, deadline - sources.elapsedMs(), signal);
      const facts = read();
      const isOver = sources.elapsedMs() >= deadline || signal.aborted || waiters.isClosed;
      if (isOver || leadsOn(facts) || rules.returnsEmptyAfterWake()) return facts;
    }
  } finally {
    release();
  }
}

function waitMsOf({ service: { rules, settings }, query }: AgentCall): number {
  const text = query['wait'];
  if (text === undefined) return 0;
  const seconds = rules.readWait(text, settings.maxWaitSeconds);
  if (seconds === undefined) {
    throw invalidParameter('wait', `is not a number of seconds from 0 to ${settings.maxWaitSeconds}`);
  }
  return rules.waitMs(seconds);
}
