import type { Sequence } from '../../../history/sequence.ts';
import type { Work } from '../base/clock.ts';
import { Connection, type Credential, type Lab } from './connection.ts';
import type { Drafts } from './drafts.ts';
import { type Event, operate, sendAside, strangers } from './operator.ts';
import { follower, poller, reporter, rover, walk } from './readers.ts';
import { retrier, sender, type Unknown } from './senders.ts';

/** What a whole history is made by. */
interface Stage {
  readonly lab: Lab;
  readonly drafts: Drafts;
  readonly credentials: readonly Credential[];
  readonly events: readonly Event[];
}

/** Anchors, then everybody at once, then, when it is quiet, reads of everything, twice; and once more much later. */
export function* wholeHistory(stage: Stage): Work {
  const { lab, drafts } = stage;
  const { conditions } = lab;
  const channels = lab.site.channels;
  for (let ghost = 0; ghost < conditions.ghosts; ghost += 1)
    yield* sendAside(lab, drafts.foreign(lab.random.pick(channels)));
  yield conditions.settleMs + 1;
  yield* anchor(stage, channels);
  const unknown: Unknown[] = [];
  yield* together(lab, clientsOf(stage, channels, unknown));
  yield* wakeUps(stage, channels);
  yield conditions.settleMs;
  for (const { connection, draft } of unknown) if (lab.random.chance(0.7)) yield* connection.send(draft);
  yield conditions.settleMs * 1.2;
  yield* together(lab, finalReads(stage, channels, 'first'));
  yield conditions.settleMs * 1.2;
  yield* together(lab, finalReads(stage, channels, 'again'));
  yield* together(lab, lateReports(stage, channels));
  yield muchLaterMs;
  yield* together(lab, lastLooks(stage, channels));
}

/** What is taken waits in a queue no longer than this, in ms. */
const muchLaterMs = 10_000;

/** What each channel shows once nothing is on its way any more. */
function lastLooks({ lab, credentials }: Stage, channels: readonly string[]): Work[] {
  const { settleMs } = lab.conditions;
  return channels.map((channel, index) => {
    const credential = lab.random.pick(credentials);
    return walk(
      { connection: new Connection(lab, `last look ${index}`, credential), channel },
      100,
      settleMs,
    );
  });
}

/** Reports of two agents, more than a second apart: which of two within one came first no clock need tell. */
function lateReports({ lab, credentials }: Stage, channels: readonly string[]): Work[] {
  const { random, issued } = lab;
  return channels.map(function* (channel) {
    for (const credential of credentials.slice(0, 2)) {
      const connection = new Connection(lab, `late reporter ${credential.name}`, credential);
      yield* reporter({ connection, random, issued, channel }, 1);
      yield 1_200;
    }
  });
}

function* anchor({ lab, drafts, credentials }: Stage, channels: readonly string[]): Work {
  const { settleMs } = lab.conditions;
  const connections = credentials.map(
    (credential) => new Connection(lab, `setup ${credential.name}`, credential),
  );
  for (const connection of connections)
    for (const channel of channels) {
      const draft = drafts.anchor(channel);
      let { outcome } = yield* connection.send(draft);
      for (let attempt = 0; outcome !== 'accepted' && attempt < 9; attempt += 1)
        ({ outcome } = yield* connection.send(draft));
    }
  // To and fro, so that of two the same is not always the second.
  const names = [...new Set(lab.site.agents.flatMap(({ targets }) => targets.slice(1)))];
  for (const connection of connections)
    for (const channel of channels)
      for (const name of names.reverse()) yield* connection.send(drafts.naming(channel, name));
  yield settleMs;
  for (const connection of connections)
    for (const channel of [...channels, undefined]) yield* walk({ connection, channel }, 100, settleMs);
}

function clientsOf(
  { lab, drafts, credentials, events }: Stage,
  channels: readonly string[],
  unknown: Unknown[],
): Work[] {
  const { random, issued, site, clock } = lab;
  const { lossShare, foreignEveryMs } = lab.conditions;
  const works: Work[] = [];
  const connect = (role: string, credential: Credential) =>
    new Connection(lab, `${role} ${credential.name}`, credential);
  for (const credential of credentials) {
    const parts = { drafts, random, channels, unknown, lossShare };
    works.push(sender({ ...parts, connection: connect('sender', credential) }, random.integer(5, 11)));
    const feed = { connection: connect('feed', credential), random, issued, channel: undefined };
    works.push(follower(feed, random.integer(6, 12)));
    works.push(rover({ ...feed, connection: connect('feed rover', credential) }, random.integer(3, 8)));
  }
  for (const channel of channels) {
    const reader = (role: string) => ({
      connection: connect(`${role} ${channel.slice(-2)}`, random.pick(credentials)),
      random,
      issued,
      channel,
    });
    works.push(follower(reader('follower'), random.integer(8, 16)));
    works.push(follower(reader('second follower'), random.integer(8, 16)));
    works.push(rover(reader('rover'), random.integer(8, 16)));
    works.push(poller(reader('poller'), random.integer(3, 7)));
    works.push(reporter(reader('reporter'), random.integer(2, 4)));
    works.push(reporter(reader('second reporter'), random.integer(1, 4)));
    if (random.chance(0.5)) works.push(poller(reader('second poller'), random.integer(3, 7)));
  }
  const [one, other] = [random.pick(credentials), random.pick(credentials)];
  const retries = { connection: connect('retrier', one), drafts, random, channels, unknown, lossShare };
  const repeaters = { other: connect('repeater', other), second: connect('second', one), clock };
  works.push(retrier(retries, repeaters, random.integer(4, 10)));
  works.push(...events.map((event) => operate(lab, event, random.pick(site.agents))));
  if (foreignEveryMs !== undefined) clock.start(strangers(lab, drafts, foreignEveryMs, clock.nowMs + 6_000));
  return works;
}

/** When nothing else goes on: somebody waits at the end of each channel, and after a while something comes. */
function* wakeUps({ lab, drafts, credentials }: Stage, channels: readonly string[]): Work {
  const { random, issued } = lab;
  const { settleMs } = lab.conditions;
  function* visit(channel: string, afterMs: number): Work {
    yield afterMs;
    yield* new Connection(lab, `visitor ${channel.slice(-2)}`, random.pick(credentials)).send(
      drafts.good(channel),
    );
    const connection = new Connection(lab, `looker ${channel.slice(-2)}`, random.pick(credentials));
    yield 50;
    yield* walk({ connection, channel }, 100, settleMs);
  }
  for (const afterMs of [80, settleMs * 1.2])
    yield* together(
      lab,
      channels.flatMap((channel) => {
        const end = issued.of(`channel ${channel}`).at(-1) ?? 0;
        const connection = new Connection(lab, `waiter ${channel.slice(-2)}`, random.pick(credentials));
        return [waiter(connection, channel, end), visit(channel, afterMs)];
      }),
    );
}

function* waiter(connection: Connection, channel: string, after: Sequence): Work {
  yield* connection.read(channel, { after, wait: 25 });
}

function finalReads({ lab, credentials }: Stage, channels: readonly string[], round: string): Work[] {
  const { random } = lab;
  const { settleMs } = lab.conditions;
  const connect = (role: string, credential: Credential) =>
    new Connection(lab, `${round} ${role} ${credential.name}`, credential);
  const ofChannels = channels.flatMap((channel, index) => {
    const [one, other] = [random.pick(credentials), random.pick(credentials)];
    const small =
      index === 0 ? walk({ connection: connect('single', one), channel }, 1, settleMs) : undefined;
    return [
      walk({ connection: connect(`walk ${index}`, one), channel }, 100, settleMs),
      walk({ connection: connect(`small walk ${index}`, other), channel }, 7, settleMs),
      newest(connect(`newest ${index}`, other), channel),
      ...(small === undefined || round === 'again' ? [] : [small]),
    ];
  });
  const ofFeeds = credentials.flatMap((credential) => [
    walk({ connection: connect('feed walk', credential), channel: undefined }, 100, settleMs),
    walk({ connection: connect('small feed walk', credential), channel: undefined }, 7, settleMs),
    newest(connect('newest feed', credential), undefined),
  ]);
  return [...ofChannels, ...ofFeeds];
}

/** Pages without a cursor. */
function* newest(connection: Connection, channel: string | undefined): Work {
  for (const limit of [undefined, 1, 7, 100]) yield* connection.read(channel, { limit });
}

/** Does all of it at once, and waits for the end. */
function* together({ clock }: Lab, works: readonly Work[]): Work {
  let running = works.length;
  function* counted(work: Work): Work {
    yield* work;
    running -= 1;
  }
  for (const work of works) clock.start(counted(work));
  while (running > 0) yield 3;
}
