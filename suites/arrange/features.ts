import { validSessions } from '../../generators/spaces/session/session-table.ts';
import { isRecord, type JsonRecord } from '../../spec/calls/index.ts';
import type { Actor } from '../../harness/client/actor.ts';
import type { Context } from '../../harness/check/context.ts';
import { isAccepted } from '../../harness/client/exchange.ts';
import type { PageItem } from '../../harness/stream/page.ts';
import { fileAmong } from '../../spec/oracles/messages/files.ts';
import { showsTarget, type NamedTarget } from '../../spec/oracles/messages/targets.ts';
import { orElse } from './or-else.ts';
import { inServersWords, sessionOf } from './source-sessions.ts';
import { requireAnswered } from './send/accepted-sends.ts';
import { agentTarget } from './send/proof.ts';

/** What a send may carry beside its content. */

export type FeatureName = 'mentions' | 'attachments' | 'source session' | 'agent host' | 'content type';

const host = 'A host';

/** Something that a send carries beside its content, as fields of its body that the server was seen to take. */
export interface Feature {
  readonly name: FeatureName;
  readonly fields: JsonRecord;
  /** The same fields with other values, or without any, which make another message; empty where that is open. */
  readonly others: readonly JsonRecord[];
  /** Whether the message shows it: until then the server may call the field otherwise, and pass over it. */
  readonly isShown: boolean;
}

/** A feature before it is sent, and how a message shows it. */
interface Planned extends Omit<Feature, 'isShown'> {
  readonly isIn: (item: PageItem) => boolean;
}

/** Every feature that this server takes in a send that is all right otherwise, asked for once in a run. */
export function takenFeatures(context: Context<'author' | 'channel'>): Promise<readonly Feature[]> {
  return context.shared('taken features', () => seenTaken(context));
}

async function seenTaken(context: Context<'author' | 'channel'>): Promise<readonly Feature[]> {
  const { author, channel, draft } = context;
  const sent = await Promise.all(
    (await plannedIn(context)).map(async (planned) => {
      const message = draft();
      return {
        planned,
        message,
        answer: await author.send(channel.id, message.text, { fields: planned.fields }),
      };
    }),
  );
  requireAnswered(...sent.map(({ answer }) => answer));
  const taken = sent.filter(({ answer }) => isAccepted(answer));
  const items = await channel.arrivals(taken.map(({ message }) => message));
  return taken.map(({ planned: { name, fields, others, isIn } }, at) => ({
    name,
    fields,
    others,
    isShown: items.slice(at, at + 1).some(isIn),
  }));
}

/**
 * All that a server takes beside a content, in one short send that it takes, if it takes that: nothing is said of what goes with it, but one
 * part may not go with another.
 */
export async function takenTogether(context: Context<'author' | 'channel'>): Promise<JsonRecord | undefined> {
  const { author, channel, draft } = context;
  const features = await takenFeatures(context);
  const fields = Object.assign({}, ...features.map((each) => each.fields)) as JsonRecord;
  return isAccepted(await author.send(channel.id, draft().text, { fields })) ? fields : undefined;
}

async function plannedIn(context: Context<'author' | 'channel'>): Promise<readonly Planned[]> {
  const { author, bindings, names, optional, readyFiles } = context;
  const targetOf = (agent: Actor | undefined): Promise<NamedTarget | undefined> =>
    orElse<NamedTarget | undefined>(
      agent === undefined ? Promise.resolve(undefined) : agentTarget(context, agent),
      () => undefined,
    );
  const [target, another, files] = await Promise.all([
    targetOf(optional('reader')),
    targetOf(optional('peer') ?? author),
    orElse(readyFiles(2), () => orElse<readonly string[]>(readyFiles(1), () => [])),
  ]);
  const [file, ...otherFiles] = files;
  const [valid] = validSessions;
  return [
    ...(target === undefined
      ? []
      : [
          {
            name: 'mentions',
            ...listed(bindings.mentions, target, another === undefined ? [] : [another]),
            isIn: ({ message }: PageItem) => showsTarget(message['mentions'], target),
          } as const,
        ]),
    ...(file === undefined
      ? []
      : [
          {
            name: 'attachments',
            ...listed(bindings.attachments, file, otherFiles),
            isIn: ({ message }: PageItem) => fileAmong(message['attachments'], file) !== undefined,
          } as const,
        ]),
    {
      name: 'source session',
      fields: { [bindings.sourceSession]: inServersWords(valid?.session, names) },
      others: [],
      isIn: (item) => sessionOf(item, names) !== undefined,
    },
    {
      name: 'agent host',
      fields: { [bindings.agentHost]: host },
      others: [],
      isIn: ({ message: { author } }) => isRecord(author) && author['agent_host'] === host,
    },
    {
      name: 'content type',
      fields: { content_type: 'text/markdown' },
      others: [{}, { content_type: 'text/csv' }],
      isIn: ({ message }) => message['content_type'] === 'text/markdown',
    },
    {
      name: 'content type',
      fields: { content_type: 'application/json' },
      others: [],
      isIn: ({ message }) => message['content_type'] === 'application/json',
    },
    {
      name: 'content type',
      // In it a text is longer, and an empty one need not be.
      fields: { content_type: 'text/plain; charset=utf-16' },
      others: [],
      isIn: ({ message }) => message['content_type'] === 'text/plain; charset=utf-16',
    },
  ];
}

/** A list of one, and the same field left out, with another in its place, and with that one beside it. */
function listed<Item>(field: string, one: Item, others: readonly Item[]): Pick<Planned, 'fields' | 'others'> {
  const lists = others.flatMap((other) => [[other], [one, other]]);
  return { fields: { [field]: [one] }, others: [{}, ...lists.map((list) => ({ [field]: list }))] };
}
