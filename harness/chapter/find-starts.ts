import { listMentions, readChannel, type CallRequest } from '../../spec/calls/index.ts';
import type { Operation } from '../../history/operation.ts';
import { sequenceOf, type Sequence } from '../../history/sequence.ts';
import { isUuid } from '../../spec/index.ts';
import { headerOf, isAccepted, type Exchange } from '../client/exchange.ts';
import type { Target } from '../config/target.ts';
import { findEnd } from '../stream/find-end.ts';
import { readPage } from '../stream/page.ts';

/** Who looks where a chapter begins, and how. */
interface Starting {
  /** Ids of channels; the first agent reads them. */
  readonly channels: readonly string[];
  readonly agents: readonly string[];
  /** Sends a request as an agent and takes it down. */
  readonly askAs: (
    agent: string,
    request: CallRequest,
  ) => Promise<{ readonly exchange: Exchange; readonly operation: Operation | undefined }>;
  readonly target: Pick<Target, 'bindings' | 'names'>;
}

/** What was found. */
interface Starts {
  /** By stream, as histories name it. */
  readonly starts: ReadonlyMap<string, Sequence>;
  /** Ids of agents, as the answers to their listings name them. */
  readonly agentIds: ReadonlyMap<string, string>;
  /** By stream, why its end was not found: nobody knows what it shows. A feed that is refused shows nothing. */
  readonly whyNot: ReadonlyMap<string, string>;
}

/** The end of a channel is found in 40 requests, or it is walked: more pages than these are no channel. */
const maxPages = 400;

/** Finds where every stream ends before a chapter sends anything. */
export async function findStarts({ channels, agents, askAs, target }: Starting): Promise<Starts> {
  const starts = new Map<string, Sequence>();
  const agentIds = new Map<string, string>();
  const whyNot = new Map<string, string>();
  const [first] = agents;
  await Promise.all([
    ...(first === undefined ? [] : channels).map(async (id) => {
      const stream = `channel ${id}`;
      const { pages, nextAfter } = await findEnd(
        async (after, limit) =>
          readPage(
            (await askAs(first ?? '', readChannel(id, { after, limit }))).exchange,
            target.bindings.items,
          ),
        { maxPages },
      );
      if (pages[0] === undefined || !isAccepted(pages[0].exchange))
        whyNot.set(stream, 'the channel cannot be read');
      else if (pages.length === maxPages)
        whyNot.set(stream, `the channel has no end: after ${maxPages} pages it still announces more`);
      else starts.set(stream, sequenceOf(nextAfter) ?? 0);
    }),
    ...agents.map(async (agent) => {
      const stream = `feed ${agent}`;
      const { exchange, operation } = await askAs(agent, listMentions({ limit: 1 }));
      const isRefused = operation?.outcome === 'refused' && operation.status !== 429;
      if (operation?.kind !== 'read' || operation.outcome !== 'accepted')
        return isRefused ? undefined : void whyNot.set(stream, 'the mentions cannot be listed');
      starts.set(stream, operation.items.at(-1)?.sequence ?? 0);
      const id = headerOf(exchange, target.names.agentIdHeader);
      if (id !== undefined && isUuid(id)) agentIds.set(agent, id);
    }),
  ]);
  return { starts, agentIds, whyNot };
}
