import { isRecord } from '../../spec/calls/index.ts';
import {
  invalidSessions,
  validSession,
  validSessions,
} from '../../generators/spaces/session/session-table.ts';
import type { SourceSession } from '../../spec/index.ts';
import type { Context } from '../../harness/check/context.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import { providerNames } from '../../harness/config/target.ts';
import type { PageItem } from '../../harness/stream/page.ts';
import { type Arrival, arrivalsOn, findIn } from '../../harness/stream/stream-view.ts';
import { unmet } from '../../harness/verdict/outcome.ts';
import { withNeutralNames } from '../../harness/wire/provider-words.ts';
import { readOn, requireAnswered, requireEffect, seeSourceSession } from './send/accepted-sends.ts';

type SessionContext = Context<'author' | 'channel'>;
type Sending = Pick<SessionContext, 'author' | 'bindings' | 'channel' | 'draft' | 'names'>;

/** A session that was sent, and the message that came of it. */
interface SentSession {
  readonly slug: string;
  readonly sent: Exchange;
  /** `undefined` when there is no message. */
  readonly item: Arrival | undefined;
}

/** The source session that a message shows, in the contract's words; absent and null are both `undefined`. */
export function sessionOf({ message }: PageItem, names: SessionContext['names']): unknown {
  const { author } = withNeutralNames({ author: message['author'] }, names) as Readonly<
    Record<string, unknown>
  >;
  return (isRecord(author) ? author['source_session'] : undefined) ?? undefined;
}

/**
 * Every valid session, sent once in a run. Ends the check with its precondition not met unless the message of at least one shows the
 * session that was sent: until then the field may be called otherwise, or the providers may.
 */
export async function sentSessions(context: SessionContext): Promise<readonly SentSession[]> {
  const { bindings, names, shared } = context;
  const all = await shared('source sessions', () => sendAll(context, validSessions));
  requireAnswered(...all.map(({ sent }) => sent));
  if (all.every(({ item }) => item === undefined)) {
    unmet(`no source session is accepted: ${seeSourceSession}`, all[0]?.sent);
  }
  const isShown = all.some(({ slug, item }) => {
    const shown = item && sessionOf(item, names);
    const sent = Object.entries(validSessions.find((each) => each.slug === slug)?.session ?? {});
    return isRecord(shown) && sent.every(([name, value]) => shown[name] === value);
  });
  requireEffect(bindings, 'sourceSession', isShown);
  return all;
}

/** Valid sessions, sent elsewhere beside those: of providers and surfaces of which a message shows one of {@link sentSessions}. */
export async function sentBeside(
  context: SessionContext,
  place: Pick<SessionContext, 'author' | 'channel'>,
  sessions: readonly SourceSession[],
): Promise<readonly Exchange[]> {
  const { bindings, draft, names } = context;
  const shown = (await sentSessions(context)).filter(({ item }) => item !== undefined);
  const places = shown.map(({ slug }) => placeOf(validSession(slug).session));
  const among = sessions.filter((each) => places.includes(placeOf(each)));
  const all = await sendAll(
    { bindings, draft, names, ...place },
    among.map((session) => ({ slug: session.session_id, session })),
  );
  return all.map(({ sent }) => sent);
}

function placeOf({ provider, surface }: SourceSession): string {
  return `${provider} ${surface}`;
}

/** One of {@link sentSessions}. */
export async function sentSession(context: SessionContext, slug: string): Promise<SentSession> {
  return ofSlug(await sentSessions(context), slug);
}

/** An invalid session, all of which are sent once in a run. */
export async function triedSession(context: SessionContext, slug: string): Promise<SentSession> {
  const send = () => sendAll(context, invalidSessions);
  return ofSlug(await context.shared('invalid source sessions', send), slug);
}

function ofSlug(all: readonly SentSession[], slug: string): SentSession {
  return all.find((each) => each.slug === slug) ?? unmet(`the session ${slug} was not sent`);
}

/** Sends a message with each session; whatever came of it up to an anchor behind them all. */
async function sendAll(
  { author, bindings, channel, draft, names }: Sending,
  sessions: readonly { readonly slug: string; readonly session: unknown }[],
): Promise<readonly SentSession[]> {
  const from = await channel.since();
  const sends = await Promise.all(
    sessions.map(async ({ slug, session }) => {
      const message = draft();
      const fields = { [bindings.sourceSession]: inServersWords(session, names) };
      return { slug, message, sent: await author.send(channel.id, message.text, { fields }) };
    }),
  );
  await channel.seekNever(...sends.map(({ message }) => message));
  const items = arrivalsOn((await readOn(channel, from)).pages);
  return sends.map(({ slug, sent, message }) => ({ slug, sent, item: findIn(items, message) }));
}

/** A session with its provider called as the server calls it. */
export function inServersWords(session: unknown, { providers }: SessionContext['names']): unknown {
  if (!isRecord(session)) return session;
  const name = providerNames.find((each) => each === session['provider']);
  return name === undefined ? session : { ...session, provider: providers[name] };
}
