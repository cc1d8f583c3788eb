import type { Answer } from '../../../reference/model/answer.ts';
import { onMessages, without } from '../answers/answers.ts';
import { alternatives, type Variant } from '../base/variant.ts';

/** What a service calls the four providers that the contract has neutral words for. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['anvil', 'provider_a'],
  ['bellows', 'provider_b'],
  ['crucible', 'provider_c'],
  ['drill', 'provider_d'],
]);

/** Freedoms 33 to 37: what a message shows of itself, its readers and its author, and what it does not. */
export const messageVariants: readonly Variant[] = [
  ...alternatives(
    {
      id: 'messages-have-no-receipts',
      freedom: 33,
      words: 'message.receipts.optional; versioning.older-servers',
      options: () => ({ rules: { presentReceipts: () => undefined } }),
    },
    {
      id: 'an-older-server-knows-no-receipts',
      freedom: 33,
      words: 'versioning.older-servers: what shows no receipts has none to list either',
      options: () => ({
        rules: { presentReceipts: () => undefined },
        answer: (answer, { route }) =>
          route === 'receipts' || route === 'reportReceipts' ? notFound(answer) : undefined,
      }),
    },
    {
      id: 'receipts-cannot-be-reported',
      freedom: 33,
      words: 'service.other-operations: how a retrieval is reported is not shown',
      options: () => ({
        rules: { isPreviewed: () => false },
        answer: (answer, { route }) => (route === 'reportReceipts' ? notFound(answer) : undefined),
      }),
    },
    {
      id: 'mentions-show-no-receipts',
      freedom: 33,
      words: 'message.receipts.optional',
      options: () => ({
        answer: onMessages((message, { route }) =>
          route === 'mentions' ? without(message, (name) => name === 'receipts') : message,
        ),
      }),
    },
    {
      id: 'previews-name-two-agents',
      freedom: 33,
      words: 'a preview has a greatest length, and no least one',
      options: () => ({ rules: { previewSize: () => 2 } }),
    },
  ),
  ...alternatives(
    {
      id: 'empty-lists-are-left-out',
      freedom: 34,
      words: 'message.mentions.optional; message.attachments.optional; author.agent-host.optional',
      options: () => ({
        answer: onMessages((message) => {
          const { author, ...rest } = message;
          return {
            ...without(rest, (_name, value) => Array.isArray(value) && value.length === 0),
            author: without(
              { ...(author as object) },
              (_name, value) => value === null && _name === 'agent_host',
            ),
          };
        }),
      }),
    },
    {
      id: 'an-agent-host-is-always-named',
      freedom: 34,
      words: 'author.agent-host.optional',
      options: () => ({ rules: { capturedAgentHost: (agentHost) => agentHost ?? 'some host' } }),
    },
  ),
  ...alternatives(
    {
      id: 'targets-are-sorted',
      freedom: 35,
      words: 'message.mentions.order-and-repeats',
      options: ({ rules }) => ({
        rules: {
          capturedTargets: (targets) =>
            rules.capturedTargets(targets).toSorted((left, right) => (left.id < right.id ? -1 : 1)),
        },
      }),
    },
    {
      id: 'repeated-targets-are-kept',
      freedom: 35,
      words: 'message.mentions.order-and-repeats',
      options: () => ({ rules: { capturedTargets: (targets) => [...targets] } }),
    },
    {
      id: 'mentions-of-a-send-are-ignored',
      words: 'send.other-request-fields',
      options: () => ({ rules: { capturedTargets: () => [] } }),
    },
    {
      id: 'mentions-of-a-send-are-refused',
      words: 'send.other-request-fields; send.unknown-fields',
      excludes: ['unknown-fields-are-taken'],
      options: ({ rules }) => ({
        rules: { acceptsField: (name) => name !== 'mentions' && rules.acceptsField(name) },
      }),
    },
  ),
  ...alternatives(
    {
      id: 'attachments-of-a-send-are-ignored',
      words: 'send.other-request-fields',
      options: () => ({ rules: { capturedAttachments: () => [] } }),
    },
    {
      id: 'repeated-attachments-are-kept',
      words: 'that a message shows a file once is said nowhere',
      options: () => ({ rules: { capturedAttachments: (fileIds) => [...fileIds] } }),
    },
  ),
  ...alternatives(
    {
      id: 'self-reports-are-ignored',
      words: 'how a source session or an agent host is reported is not shown',
      excludes: ['an-agent-host-is-always-named'],
      options: () => ({ rules: { capturedSession: () => null, capturedAgentHost: () => null } }),
    },
    {
      id: 'self-reports-are-refused',
      words: 'how a source session or an agent host is reported is not shown; send.unknown-fields',
      excludes: ['unknown-fields-are-taken', 'mentions-of-a-send-are-refused'],
      options: ({ rules }) => ({
        rules: {
          acceptsField: (name) =>
            !['source_session', 'agent_host'].includes(name) && rules.acceptsField(name),
        },
      }),
    },
  ),
  {
    id: 'providers-have-other-names',
    words: 'the contract writes neutral words where the service has names',
    excludes: ['self-reports-are-ignored'],
    options: () => ({
      rules: {
        acceptsProvider: (provider) => otherNames.has(provider),
        neutralProvider: (provider) => otherNames.get(provider) ?? provider,
      },
    }),
  },
  ...alternatives(
    {
      id: 'creation-times-fall',
      freedom: 36,
      words: 'message.created-at.order',
      options: () => {
        let sends = 0;
        return { rules: { createdAtMs: (nowMs) => nowMs - 1000 * (sends += 1) } };
      },
    },
    {
      id: 'creation-times-are-equal',
      freedom: 36,
      words: 'message.created-at.order',
      options: () => ({ rules: { createdAtMs: (nowMs) => nowMs - (nowMs % 3_600_000) } }),
    },
    {
      id: 'the-clock-is-a-day-fast',
      freedom: 36,
      words: 'nothing says whose clock a time is read from',
      options: () => ({ rules: { createdAtMs: (nowMs) => nowMs + 86_400_000 } }),
    },
  ),
  {
    id: 'agents-of-one-human-are-one-author',
    freedom: 37,
    words: 'mentions.same-human-authored',
    options: () => ({
      rules: {
        isSelfAuthored: (entry, reader, author) =>
          entry.authorId === reader.id ||
          (reader.humanUserId !== null && author()?.humanUserId === reader.humanUserId),
      },
    }),
  },
  {
    id: 'authors-have-no-human',
    words: 'a principal that was not available is null',
    options: () => ({ rules: { capturedHuman: () => null } }),
  },
  {
    id: 'authors-have-no-machine',
    words: 'a principal that was not available is null',
    options: () => ({ rules: { capturedMachine: () => null } }),
  },
  {
    id: 'humans-have-no-names',
    words: 'the name of a human may be null',
    options: () => ({ rules: { capturedHuman: (human) => human && { id: human.id, display_name: null } } }),
  },
  {
    id: 'names-are-empty',
    words: 'a name is a string; no least length is given',
    options: () => ({
      rules: {
        capturedAgentName: () => '',
        capturedMachine: (machine) => machine && { id: machine.id, display_name: '' },
      },
    }),
  },
  {
    id: 'an-api-key-is-called-anything',
    words: 'mentions.agent-id-header.of-an-api-key',
    options: () => ({
      rules: {
        agentIdHeader: ({ id, humanUserId }) => (humanUserId === null ? crypto.randomUUID() : id),
      },
    }),
  },
];

function notFound({ headers }: Pick<Answer, 'headers'>): Answer {
  return { status: 404, headers, body: { error: { code: 'not_found', message: 'no such call' } } };
}
