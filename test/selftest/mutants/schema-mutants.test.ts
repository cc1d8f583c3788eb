import { describe, expect, it } from 'vitest';
import type { Answer, AnsweredRequest } from '../../../reference/index.ts';
import { schemaMutants, type SchemaMutant } from '../../../selftest/mutants/index.ts';
import { clauseOfPointer, examplesOf, rulesOf, schemaNames, validate } from '../../../spec/index.ts';
import type { SchemaName } from '../../../spec/index.ts';

function valid(name: SchemaName): unknown[] {
  return examplesOf(name).valid.map(({ instance }) => instance);
}

const author = valid('message-author').map((each) => ({ ...(each as object) }));
const sessions = valid('source-session');
/** Every message that the examples give, and one for each author, session, file and target of theirs. */
const messages = [
  ...valid('message'),
  ...[...author, ...sessions.map((session) => ({ ...author[0], source_session: session }))].map((each) => ({
    ...(valid('message')[0] as object),
    author: each,
    attachments: valid('workspace-file'),
    mentions: valid('mention-target'),
  })),
  ...valid('message-receipts').map((receipts) => ({ ...(valid('message')[0] as object), receipts })),
];
const page = valid('message-list-page')[0];

const bodies: Readonly<
  Record<string, { schema: SchemaName; route: AnsweredRequest['route']; status: number; bodies: unknown[] }>
> = {
  mentions: {
    schema: 'mentions-response',
    route: 'mentions',
    status: 200,
    bodies: [
      { mentions: messages.map((message) => ({ ...(valid('mention')[0] as object), message })), page },
    ],
  },
  read: { schema: 'channel-read-response', route: 'read', status: 200, bodies: [{ messages, page }] },
  overview: {
    schema: 'workspace-overview-response',
    route: 'overview',
    status: 200,
    bodies: valid('workspace').flatMap((workspace) =>
      valid('membership').map((membership) => ({
        workspace,
        membership,
        channels: valid('channel'),
        members: valid('member'),
      })),
    ),
  },
  refusal: { schema: 'api-error', route: 'mentions', status: 400, bodies: valid('api-error') },
};

/** Pointers of the rules that a mutant's answers break, each once. */
async function brokenBy({ id, options }: SchemaMutant): Promise<string[]> {
  const root = bodies[id.slice(0, id.indexOf('-'))];
  if (root === undefined) throw new Error(`mutant ${id} spoils no known answer`);
  const pointers = await Promise.all(
    root.bodies.map(async (body) => {
      const request: AnsweredRequest = {
        route: root.route,
        method: 'GET',
        path: '',
        query: {},
        headers: {},
        actor: null,
      };
      const spoiled = (
        await options().answer?.({ status: root.status, headers: {}, body } satisfies Answer, request)
      )?.body;
      const inside = root.route === 'read' ? messagesIn(spoiled) : [];
      return [
        ...validate(root.schema, spoiled),
        ...inside.flatMap((message) => validate('message', message)),
      ].map(({ pointer }) => pointer);
    }),
  );
  return [...new Set(pointers.flat())];
}

function messagesIn(body: unknown): unknown[] {
  const found = (body as { messages?: unknown } | null)?.messages;
  return Array.isArray(found) ? found : [];
}

describe('the mutants that the schemas give', () => {
  it('cover every rule of an answer', () => {
    const spoiled = new Set(schemaMutants.map(({ pointer }) => pointer));
    const rules = schemaNames.flatMap(rulesOf).filter((pointer) => clauseOfPointer(pointer) !== undefined);
    expect(rules.filter((pointer) => !spoiled.has(pointer))).toEqual([]);
  });

  it.each(schemaMutants.map((each) => [each.id, each] as const))(
    'break one rule, their own: %s',
    async (_id, each) => {
      expect(await brokenBy(each)).toEqual([each.pointer]);
    },
  );
});
