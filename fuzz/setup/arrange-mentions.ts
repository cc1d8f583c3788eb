import { isRecord } from '../../spec/calls/index.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { Actor } from '../../harness/client/actor.ts';
import type { Client } from '../../harness/client/client.ts';
import { isAccepted, type Exchange } from '../../harness/client/exchange.ts';
import { roleNames, type RoleName } from '../../harness/config/roles.ts';
import { providerNames, type Target } from '../../harness/config/target.ts';
import { isUuid } from '../../spec/index.ts';
import type { Chapter } from '../chapter/chapter.ts';
import type { Chapters, OpenChapter, Principals } from '../chapter/chapters.ts';

/** More than a page holds without a limit, and fewer than with the highest: both ends of the feed are seen. */
const count = 60;
const sideBySide = 16;
/** A slow server is left with fewer. */
const mostMs = 2_000;

/** With whom, and as what, mentions are arranged. */
interface MentionsPlace {
  readonly target: Target;
  readonly principals: Principals;
  /** Of which all this is part. */
  readonly chapter: Chapter<unknown>;
  readonly shown: OpenChapter<unknown>['shown'];
  readonly chapters: Pick<Chapters, 'noteLimited'>;
  readonly settleMs: number;
  readonly signal: AbortSignal;
}

/**
 * Fills the feed of the author, so that listings of it show something: messages of the reader that mention the author, the
 * first and the last of them with all that a message can carry, so that a page at either end shows it. Where the target has
 * no reader, or no field for mentions, or no feed that tells who asks, the feed stays as it is. Nothing is judged here. True where
 * the feed shows what was sent: then the field for mentions has its effect.
 */
export async function arrangeMentions(client: Client, place: MentionsPlace): Promise<boolean> {
  const { target, signal, settleMs, principals } = place;
  const authorId = principals.get('agent:author');
  if (authorId === undefined || target.channelId === undefined || target.roles.reader === undefined)
    return false;
  const named = { [target.bindings.mentions]: [{ kind: 'agent', id: authorId }] };
  const deadlineMs = performance.now() + mostMs;
  // One of an author to itself, which no listing may show.
  await sendAs(client, place, 'author', named);
  const rich = richFields(target).map((fields) => ({ ...named, ...fields }));
  const sendRich = () => Promise.all(rich.map((fields) => sendAs(client, place, 'reader', fields)));
  const first = await sendRich();
  const feed = await shownFeed(client, place);
  if (feed === undefined) return false;
  await learnPrincipals(client, place);
  const channels = await channelsOf(client, place, named);
  for (let sent = 2 * first.length; sent < count && performance.now() < deadlineMs; sent += sideBySide) {
    // Waves, so that a slow server is not met with all at once.
    await Promise.all(
      Array.from({ length: sideBySide }, (_, index) =>
        sendAs(client, place, 'reader', named, channels[index % channels.length]),
      ),
    );
  }
  await sendRich();
  await sleep(settleMs, undefined, { signal }).catch(() => undefined);
  return true;
}

/** The channels of the target that the reader can send to. */
async function channelsOf(
  client: Client,
  place: MentionsPlace,
  named: Readonly<Record<string, unknown>>,
): Promise<readonly (string | undefined)[]> {
  const { channelId, secondChannelId } = place.target;
  if (secondChannelId === undefined) return [channelId];
  const sent = await sendAs(client, place, 'reader', named, secondChannelId);
  return isAccepted(sent) ? [channelId, secondChannelId] : [channelId];
}

/** The human and the machine of each agent, from a message of its own. */
export async function learnPrincipals(client: Client, place: Omit<MentionsPlace, 'settleMs'>): Promise<void> {
  const { target, principals } = place;
  const { channelId = '' } = target;
  // Where requests are limited, the reader has to do.
  const isLimited = client.traffic.limited > 0;
  const roles = roleNames.filter(
    (role) => principals.has(`agent:${role}`) && (!isLimited || role === 'reader'),
  );
  await Promise.all(
    roles.map(async (role) => {
      const marker = place.chapter.markers.nextArranged();
      const sent = await actorOf(client, place, role).send(channelId, `${marker} for its author`);
      const { author } = (isAccepted(sent) && (await place.shown(marker))) || {};
      if (!isRecord(author) || author['id'] !== principals.get(`agent:${role}`)) return;
      for (const [kind, field] of [
        ['user', 'human_user'],
        ['machine', 'machine'],
      ] as const) {
        const principal = author[field];
        const id = isRecord(principal) ? principal['id'] : undefined;
        if (typeof id === 'string' && isUuid(id)) principals.set(`${kind}:${role}`, id);
      }
    }),
  );
}

/** What a message carries beside its targets: each alone, since any of it may be refused. */
function richFields({ bindings, names }: Target): readonly Readonly<Record<string, unknown>>[] {
  const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e';
  const ids = [uuid, 'session-1', uuid, '20240229_235959_abcdef'];
  const sessions = providerNames.map((name, index) => ({
    provider: names.providers[name],
    surface: 'cli',
    session_id: ids[index],
  }));
  // One in the cloud: of all sessions its id alone has a rule of its own.
  const inTheCloud = { provider: names.providers.provider_b, surface: 'cloud', session_id: 'session-1' };
  return [
    {},
    { [bindings.sourceSession]: inTheCloud },
    { [bindings.agentHost]: 'fuzzer' },
    ...sessions.map((session) => ({ [bindings.sourceSession]: session })),
  ];
}

/** The feed of the author once it shows what was sent; `undefined` when that does not come to pass. */
async function shownFeed(client: Client, place: MentionsPlace): Promise<Exchange | undefined> {
  const deadlineMs = performance.now() + place.settleMs;
  for (;;) {
    const listed = await actorOf(client, place, 'author').mentions({ limit: 50 });
    if (Buffer.from(listed.response?.bytes ?? []).includes(place.chapter.markers.runId)) return listed;
    if (performance.now() > deadlineMs) return undefined;
    await sleep(20);
  }
}

function sendAs(
  client: Client,
  place: MentionsPlace,
  role: RoleName,
  fields: Readonly<Record<string, unknown>>,
  channelId = place.target.channelId,
): Promise<Exchange> {
  const text = `${place.chapter.markers.nextArranged()} for its feed`;
  return actorOf(client, place, role).send(channelId ?? '', text, { fields });
}

function actorOf(client: Client, place: Omit<MentionsPlace, 'settleMs'>, role: RoleName): Actor {
  const { target, signal, chapter, chapters } = place;
  return new Actor(role, target.roles[role]?.token, {
    client,
    signal,
    record: (exchange) => void chapter.record(exchange),
    noteTry: (exchange) => chapters.noteLimited(exchange, chapter),
  });
}
