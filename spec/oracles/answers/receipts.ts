import { isRecord } from '../../calls/index.ts';
import { isUuid } from '../../index.ts';
import { asText, nodesOf, textsIn } from '../values/json-texts.ts';
import { judgeEach, inconclusive, type Judgement } from '../values/judgement.ts';

/** A list of more agents than this is told by their number. */
const mostNamed = 3;

/** Agents that a message shows as having retrieved it; ids in lower case. */
export interface Preview {
  readonly agentIds: readonly string[];
  readonly hasMore: boolean;
}

/** What is known of the retrievals of one message, and what the message shows of them. */
export interface ReportedMessage {
  readonly messageId: string;
  /** Agents that reported, apart from the author, in the order in which the server can only have recorded them. */
  readonly reporters: readonly string[];
  readonly preview: Preview;
  /** Agents that the full list records, apart from the author; `undefined` when the list could not be read to its end. */
  readonly recorded: readonly string[] | undefined;
  /**
   * Whether further retrievals may be recorded, beyond which a preview may announce more: the author's own, which no preview
   * lists, or those of agents that the run does not know.
   */
  readonly hasOtherRecords: boolean;
}

/** The preview in the `receipts` of a message; `undefined` when there is none of the contract's shape. */
export function previewIn(receipts: unknown): Preview | undefined {
  const retrieved = fieldOf(receipts, 'retrieved');
  const agentIds = fieldOf(retrieved, 'agent_ids');
  if (!Array.isArray(agentIds)) return undefined;
  return {
    agentIds: agentIds.filter((id) => typeof id === 'string').map((id) => id.toLowerCase()),
    hasMore: fieldOf(retrieved, 'has_more') === true,
  };
}

/** Who reported is listed, or may stand beyond the preview; an empty preview of a recorded message is {@link judgeEmpty}'s. */
export function judgeReportersListed(messages: readonly ReportedMessage[]): Judgement {
  const due = messages.flatMap(({ messageId, reporters, preview, recorded }) =>
    preview.hasMore || isSilent(preview, recorded)
      ? []
      : reporters.map((agent) => ({ messageId, agent, preview })),
  );
  return judgeEach(due, ({ messageId, agent, preview }) =>
    preview.agentIds.includes(agent)
      ? undefined
      : {
          expected: `message ${messageId}: ${agent}, which reported its retrieval, among the agents listed`,
          actual: listed(preview),
        },
  );
}

/**
 * An empty preview without more stands for no retrieval at all, so that none is recorded: neither by the full list nor, for
 * the preview after the first report, by the preview that lists that agent later.
 */
export function judgeEmpty(
  messages: readonly (ReportedMessage & { readonly early: Preview | undefined })[],
): Judgement {
  const first = messages.flatMap(({ messageId, early, preview, reporters }) =>
    early !== undefined && preview.agentIds.some((agent) => agent === reporters[0])
      ? [{ messageId, preview: early, recorded: preview.agentIds }]
      : [],
  );
  const recorded = messages.filter((message) => (message.recorded ?? []).length > 0);
  return judgeEach([...first, ...recorded], ({ messageId, preview, recorded: agents }) =>
    isSilent(preview, agents)
      ? {
          expected: `message ${messageId}: a preview that is not empty, or has_more: a retrieval is recorded`,
          actual: listed(preview),
        }
      : undefined,
  );
}

/** Once every recorded agent is listed, no more are announced; where others may be recorded nothing is judged. */
export function judgeMoreOnlyBeyond(messages: readonly ReportedMessage[]): Judgement {
  const whole = messages.filter(
    ({ reporters, preview, recorded, hasOtherRecords }) =>
      !hasOtherRecords &&
      recorded !== undefined &&
      reporters.every((agent) => recorded.includes(agent)) &&
      recorded.every((agent) => preview.agentIds.includes(agent)),
  );
  return judgeEach(whole, ({ messageId, preview }) =>
    preview.hasMore
      ? {
          expected: `message ${messageId}: no has_more: every recorded agent is listed`,
          actual: `has_more beside a list of all ${preview.agentIds.length}`,
        }
      : undefined,
  );
}

/** While fewer agents are listed than reported, more are announced. */
export function judgeMoreBeyond({
  messageId,
  reporters,
  preview,
}: Pick<ReportedMessage, 'messageId' | 'reporters' | 'preview'>): Judgement {
  const missing = reporters.filter((agent) => !preview.agentIds.includes(agent));
  if (missing.length === 0) return inconclusive;
  const problem = {
    expected: `message ${messageId}: has_more: ${reporters.length} agents reported`,
    actual: `${preview.agentIds.length} listed, and no more announced`,
  };
  return { judged: 1, problems: preview.hasMore ? [] : [problem] };
}

/**
 * Whether a list tells by ids which agent retrieved which message: some object in it holds one of each, or it holds nothing at all. One
 * that ties none of them together has a form of its own: it may name messages by their places, come in columns, or refer from one
 * record to another by number.
 */
export function tiesRetrievals(
  messageIds: readonly string[],
  agentIds: readonly string[],
  answers: readonly unknown[],
): boolean {
  const listed = answers.flatMap(listedIn);
  const holdsOneOf = (object: unknown, ids: readonly string[]): boolean =>
    ids.some((id) => holdsId(object, id));
  const isTied = (each: unknown): boolean =>
    typeof each === 'object' && holdsOneOf(each, messageIds) && holdsOneOf(each, agentIds);
  return listed.length === 0 || listed.some(isTied);
}

/** The status of an answer that tells of each message by itself. */
export const multiStatus = 207;

/**
 * Whether the answer to a report of several messages tells some of them from others, by their ids, their number, or a word beside each: how
 * one is answered is not shown, and it may count for some of them alone where it says so; for none of them too, where `fewest` is 0.
 */
export function tellsApart(json: unknown, messageIds: readonly string[], fewest: 0 | 1 = 1): boolean {
  const nodes = [...nodesOf(json)];
  const isSome = (count: number): boolean => count >= fewest && count < messageIds.length;
  const lists = nodes.filter(Array.isArray);
  return (
    lists.some((list) => list.length > 0 && isSome(messageIds.filter((id) => holdsId(list, id)).length)) ||
    nodes.some((node) => (typeof node === 'number' || typeof node === 'bigint') && isSome(Number(node))) ||
    lists.some((list) => new Set(list.map(wordsBeside)).size > 1)
  );
}

/** What an element of a list says beside ids and times: those have digits. */
function wordsBeside(element: unknown): string {
  const words = [...nodesOf(element)].filter(
    (node) => typeof node === 'boolean' || (typeof node === 'string' && !/[0-9]/.test(node)),
  );
  return words.map(asText).join(' ');
}

/** What messages show of the agents that reported is in the answers that the full list came in. */
export function judgeListed(
  messages: readonly Pick<ReportedMessage, 'messageId' | 'reporters' | 'preview'>[],
  answers: readonly unknown[],
): Judgement {
  const due = messages.flatMap(({ messageId, reporters, preview }) =>
    reporters.filter((agent) => preview.agentIds.includes(agent)).map((agent) => ({ messageId, agent })),
  );
  return judgeEach(due, ({ messageId, agent }) =>
    answers.some((answer) => recordsRetrieval(answer, messageId, agent))
      ? undefined
      : {
          expected: `the retrieval of message ${messageId} by agent ${agent}`,
          actual: 'it is not in the list',
        },
  );
}

/** Whether an answer, of whatever shape, records a retrieval of a message by an agent: some object in a list holds both ids, or what stands under one of them holds the other. */
export function recordsRetrieval(json: unknown, messageId: string, agentId: string): boolean {
  const objects = listedIn(json).filter((each) => typeof each === 'object');
  return objects.some((object) => holdsId(object, messageId) && holdsId(object, agentId));
}

/** Whether an answer records a retrieval of a message by somebody who is not among `agentIds`. */
export function recordsOthers(json: unknown, messageId: string, agentIds: readonly string[]): boolean {
  const isOfOthers = (each: unknown): boolean => !agentIds.some((id) => holdsId(each, id));
  const records = listedIn(json).filter((each) => typeof each === 'object' && holdsId(each, messageId));
  return records.some((record) => isOfOthers(record) || listedIn(record).some(isOfOthers));
}

/** The elements of all lists in a value, and what stands under an id together with that, however deep. */
function listedIn(json: unknown): unknown[] {
  return [...nodesOf(json)].flatMap((node) => (Array.isArray(node) ? node : byIdIn(node)));
}

function byIdIn(node: unknown): readonly unknown[] {
  if (!isRecord(node)) return [];
  return Object.entries(node).flatMap(([id, value]) => (isUuid(id) ? { id, value } : []));
}

/** Whether a value holds an id: as a text, or within one, as in a path or behind the kind of what it names. */
export function holdsId(value: unknown, id: string): boolean {
  const sought = id.toLowerCase();
  return textsIn(value).some((each) => {
    const text = each.toLowerCase();
    return text === sought || (text.includes(sought) && text.split(/[^0-9a-z-]+/).includes(sought));
  });
}

function isSilent({ agentIds, hasMore }: Preview, recorded: readonly string[] | undefined): boolean {
  return agentIds.length === 0 && !hasMore && recorded !== undefined && recorded.length > 0;
}

function listed({ agentIds }: Preview): string {
  if (agentIds.length === 0) return 'nobody';
  return agentIds.length > mostNamed ? `${agentIds.length} others` : agentIds.join(', ');
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}
