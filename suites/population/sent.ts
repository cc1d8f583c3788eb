import { validSessions } from '../../generators/spaces/session/session-table.ts';
import { type Exchange, isAccepted } from '../../harness/client/exchange.ts';
import { withWorkers } from '../../harness/run/waves.ts';
import { CheckStopped, unmet } from '../../harness/verdict/outcome.ts';
import type { MessageCase } from '../../history/situations/dimensions.ts';
import type { NamedTarget } from '../../spec/oracles/messages/targets.ts';
import { inServersWords } from '../arrange/source-sessions.ts';
import { actorOf, type People, type Populating, targetsOf } from './people.ts';
import { textOf, type TextPlace } from './texts.ts';

/** A message to be sent; `special` is what it carries in place of what its case says. */
export interface SendCase extends MessageCase {
  readonly special?: (people: People) => Partial<Pick<Sent, 'targets' | 'host' | 'contentType'>>;
}

/** A message that was sent: what it must be seen as from now on. */
export interface Sent {
  readonly case: SendCase;
  readonly text: string;
  /** Of its text; a text of one byte holds none. */
  readonly marker: string;
  readonly channelId: string;
  readonly targets: readonly NamedTarget[];
  readonly files: readonly string[];
  /** In the contract's words; `undefined` when left out. */
  readonly session: unknown;
  readonly host: string | undefined;
  readonly contentType: string | undefined;
  readonly exchange: Exchange;
}

/** Sends in flight: enough that those of several agents to several channels meet. */
const workers = 24;

/** What a message needs that its case does not hold. */
interface Sending {
  readonly people: People;
  /** Ready files: none, one or twenty; of one message those that it has. */
  readonly files: readonly string[];
  readonly channels: Readonly<Record<MessageCase['channel'], string>>;
}

/** Of what came to more than this share of the sends nobody knows: then the others say too little. */
const mostDisturbed = 0.25;

/** Files of messages that have neither one nor as many as can be, the counts around round numbers first. */
const countsBetween = [11, 19, 2, 10, 15, 3, 16, 9, 12, 5, 17, 8, 13, 6, 18, 4, 14, 7];

/** What became of sends, each answered with success or a refusal. */
interface SentCases {
  readonly accepted: readonly Sent[];
  readonly others: readonly Sent[];
}

/** Sends messages side by side. */
export async function sendCases(
  context: Populating,
  sending: Sending,
  cases: readonly SendCase[],
): Promise<SentCases> {
  const short = cases.filter(({ length }) => length === '1 byte');
  // Each file by itself as well, the last first: one that no message shows may never have been of use.
  const alone = cases.filter(({ files }) => files === 'one');
  const between = cases.filter(({ files }) => files === '2 to 19');
  const filesOf = (each: SendCase): readonly string[] => {
    const { files } = sending;
    if (each.files === 'none') return [];
    if (each.files === 'one')
      return files.slice(-1 - (alone.indexOf(each) % Math.max(1, files.length))).slice(0, 1);
    if (each.files === '20') return files.slice(0, 20);
    return files.slice(0, countsBetween[between.indexOf(each) % countsBetween.length]);
  };
  const sent = await withWorkers(cases, workers, (each) =>
    sendCase(context, { ...sending, files: filesOf(each) }, each, {
      index: cases.indexOf(each),
      short: short.indexOf(each),
    }),
  );
  const [disturbed, ...others] = sent.filter(({ exchange }) => exchange.fault !== undefined);
  if (disturbed !== undefined && others.length >= mostDisturbed * sent.length)
    throw new CheckStopped({ kind: 'disturbed', clause: undefined, exchange: disturbed.exchange });
  const wasAccepted = ({ exchange }: Sent): boolean => isAccepted(exchange);
  return { accepted: sent.filter(wasAccepted), others: sent.filter((each) => !wasAccepted(each)) };
}

async function sendCase(
  context: Populating,
  { people, files, channels }: Sending,
  each: SendCase,
  place: TextPlace,
): Promise<Sent> {
  const { bindings, names } = context;
  const marker = context.marker();
  const message: Omit<Sent, 'exchange'> = {
    case: each,
    marker,
    text: textOf(each, marker, place),
    channelId: channels[each.channel],
    targets: targetsOf(each.target, each.sender, people),
    files,
    session: sessionOf(each.session),
    host: { none: undefined, '1 character': 'h', '80 characters': `Host ${'h'.repeat(75)}` }[each.host],
    contentType: each.type === 'default' ? undefined : each.type,
    ...each.special?.(people),
  };
  const fields = {
    ...(message.targets.length > 0 && { [bindings.mentions]: message.targets }),
    ...(message.files.length > 0 && { [bindings.attachments]: message.files }),
    ...(message.session !== undefined && {
      [bindings.sourceSession]: inServersWords(message.session, names),
    }),
    ...(message.host !== undefined && { [bindings.agentHost]: message.host }),
  };
  const sender = actorOf(context, each.sender) ?? unmet(`the target has no ${each.sender}`);
  const exchange = await sender.send(message.channelId, message.text, {
    fields,
    ...(message.contentType !== undefined && { contentType: message.contentType }),
  });
  return { ...message, exchange };
}

function sessionOf(words: MessageCase['session']): unknown {
  const [provider, surface] = words.split(' ');
  return validSessions.find(({ session }) => session.provider === provider && session.surface === surface)
    ?.session;
}
