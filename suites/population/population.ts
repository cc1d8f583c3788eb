import { isAccepted } from '../../harness/client/exchange.ts';
import type { PageItem } from '../../harness/stream/page.ts';
import { type MessageCase, plainest, type ReadCase } from '../../history/situations/dimensions.ts';
import { leastKeptMs } from '../../history/world/walks.ts';
import { requireAnswered } from '../arrange/send/accepted-sends.ts';
import { eventually, settle, settleSurely } from '../arrange/eventually.ts';
import { longestCases, mainOf, messageCases, readCases, type Means } from './cases.ts';
import { isEmptyAndStill, sequencesOf } from '../../spec/oracles/pages/read-page.ts';
import { cursorsOf, type Cursors } from './cursors.ts';
import { finderOf } from './finder.ts';
import { orElse } from '../arrange/or-else.ts';
import { peopleOf, type People, type Populating } from './people.ts';
import {
  blockEndsOf,
  endsOfWalks,
  farReads,
  followOne,
  isOf,
  itemsOf,
  oldestOf,
  readAll,
  singlesOf,
  walkAll,
} from './reads.ts';
import type { Channels, PopulationRead, StreamName, Walked } from './reads.ts';
import { sendCases, type SendCase, type Sent } from './sent.ts';
import { sharedCases, specialCases } from './special.ts';

/** Messages of every kind, sent side by side by several agents to several channels, and every read of them. */
export interface Population {
  readonly people: People;
  /** All that were accepted. */
  readonly sent: readonly Sent[];
  /** All that were not. */
  readonly refused: readonly Sent[];
  /** All that were answered with a page. */
  readonly reads: readonly PopulationRead[];
  /** Those of whole streams that came as soon as all was sent. */
  readonly first: readonly PopulationRead[];
  /** Those of whole streams that came a settle time after all was sent, where something was missing until then. */
  readonly soon: readonly PopulationRead[];
  /** Those of whole streams that came after all others. */
  readonly last: readonly PopulationRead[];
  readonly settleMs: number;
  /** So long everything is there at least. */
  readonly keptMs: number;
  /** The message that an item shows. */
  readonly sentOf: (item: PageItem) => Sent | undefined;
}

/** With so many beyond the first few, a page of a hundred is full, and more follow. */
const moreThanAPage = 106;
/** Pages that are followed by their cursors, not many: each is asked for when the one before is there. */
const shortWalks = [
  { limit: 7, maxPages: 6 },
  { limit: 50, maxPages: 4 },
] as const;

/** Of the newest mentions so many, the longest texts among them: more than a byte cap leaves on a page. */
const fewestCut = 12;

/** The population of a run, made by the first check that asks, and read in every form. */
export function populationOf(context: Populating): Promise<Population> {
  return context.shared('population', async () => {
    const place = await placeOf(context);
    const cases = [...specialCases(place.means), ...messageCases(place.means)];
    const filler = { ...plainFor(place.means), channel: mainOf(place.means) };
    const fillers = Array.from(
      { length: moreThanAPage - cases.filter((each) => isAsFull(each, filler)).length },
      () => filler,
    );
    return populate(context, place, {
      before: [],
      amid: [...withRareFirst(withLongInTheMiddle(mixed(cases, fillers))), ...longAtLast(place.means)],
      reads: readCases(place.means),
    });
  });
}

/** A few of the longest texts: every page that holds one is large, so that they are read as seldom as can be. */
export function longestPopulationOf(context: Populating): Promise<Population> {
  return context.shared('longest population', async () => {
    const place = await placeOf(context);
    const cases = longestCases(place.means);
    // What is as long, and takes the fewest bytes on its way, was there before all that may be lost for its bytes.
    const isFirst = (each: MessageCase): boolean =>
      each === cases.find(({ text, channel }) => text === 'ascii' && channel === each.channel);
    return populate(context, place, {
      before: cases.filter(isFirst),
      amid: cases.filter((each) => !isFirst(each)),
      reads: [],
    });
  });
}

/** Who and what takes part. */
interface Place {
  readonly people: People;
  /** Ready files: twenty, one where there are fewer, or none. */
  readonly files: readonly string[];
  readonly channels: Channels;
  readonly means: Means;
  /** Every stream of every reader. */
  readonly streams: readonly StreamName[];
}

async function placeOf(context: Populating): Promise<Place> {
  const { channel } = context;
  const [people, files, second] = await Promise.all([
    peopleOf(context),
    orElse(context.readyFiles(20), () => orElse(context.readyFiles(1), () => [])),
    secondOf(context),
  ]);
  const means: Means = {
    hasReader: people.get('reader')?.agentId !== undefined,
    hasSecondChannel: second !== undefined,
    hasApiKey: people.has('api-key'),
    hasPeer: people.has('peer'),
    hasFiles: files.length > 0,
  };
  const ofs = (['first', 'second', 'feed'] as const).filter(
    (of) => of !== 'second' || means.hasSecondChannel,
  );
  return {
    people,
    files,
    channels: { first: channel.id, second: second ?? channel.id },
    means,
    streams: [...people.keys()].flatMap((reader) => ofs.map((of) => ({ of, reader }))),
  };
}

/** What a population holds beside plain messages: what is sent before all others, with them, and what is read. */
interface Plan {
  readonly before: readonly SendCase[];
  readonly amid: readonly SendCase[];
  readonly reads: readonly ReadCase[];
}

async function populate(
  context: Populating,
  place: Place,
  { before: earlier, amid: cases, reads }: Plan,
): Promise<Population> {
  const { people, channels, streams, means } = place;
  const from = await cursorsOf(context, channels, people);
  const plain = endsOf(means);
  const before = await sendCases(context, place, [
    ...[...plain, ...namingOthers(means)].map(asLong),
    ...earlier,
  ]);
  const sending = sendCases(context, place, [...sharedCases(means), ...cases]);
  const isReadInEveryForm = reads.length > 0;
  const following = isReadInEveryForm ? await followed(context, place, from, sending) : [];
  const amid = await sending;
  const after = await sendCases(context, place, plain);
  const sent = [before, amid, after].flatMap(({ accepted }) => accepted);
  const sentOf = finderOf(sent, people, from);
  const walkFrom = (of: readonly StreamName[]): Promise<readonly Walked[]> =>
    walkAll(context, channels, of, from);
  // What a channel holds is the same for everybody.
  const known = streams.filter(({ of, reader }) => of === 'feed' || reader === 'author');
  const sentMs = context.clock.now();
  let soon: readonly Walked[] | undefined;
  const first = await eventually(
    context,
    async () => {
      const isSettled = context.clock.now() > sentMs + context.settleMs;
      const walks = await walkFrom(known);
      // What is read much later may be gone by then.
      if (isSettled) soon ??= walks;
      return walks;
    },
    (walks) => isWhole(walks, sent, sentOf),
  );
  const pagesSoon = soon === undefined || soon === first ? [] : pagesOf(soon);
  const reading = { first, reads, sentOf, from };
  const { rest, last } = isReadInEveryForm
    ? await readInEveryForm(context, place, reading)
    : await readAroundCaps(context, place, reading);
  const all = [...following, ...pagesSoon, ...pagesOf(first), ...rest, ...last];
  requireAnswered(...all.map(({ exchange }) => exchange));
  const isRead = ({ exchange }: PopulationRead): boolean => isAccepted(exchange);
  const { settleMs } = context;
  return {
    people,
    sent,
    refused: [before, amid, after].flatMap(({ others }) => others),
    reads: all.filter(isRead),
    first: pagesOf(first).filter(isRead),
    soon: pagesSoon.filter(isRead),
    last: last.filter(isRead),
    settleMs,
    keptMs: leastKeptMs(settleMs),
    sentOf,
  };
}

/** Pages that were read while messages were being sent, by those whom most of them are for. */
async function followed(
  context: Populating,
  { channels, means, streams }: Place,
  from: Cursors,
  sending: Promise<unknown>,
): Promise<readonly PopulationRead[]> {
  const pages = await Promise.all(
    mostReadOf(streams, means).map((stream) => followOne(context, channels, { stream, from, sending })),
  );
  return pages.flat();
}

/** Streams that most of the messages come to, as the author of most and their reader read them. */
function mostReadOf(streams: readonly StreamName[], means: Means): readonly StreamName[] {
  const main = mainOf(means);
  return streams.filter(
    ({ of, reader }) =>
      (of === main && ['author', 'reader'].includes(reader)) || (of === 'feed' && reader === 'reader'),
  );
}

interface Reading extends Pick<Population, 'sentOf'> {
  /** Walks that showed all that was sent. */
  readonly first: readonly Walked[];
  readonly reads: readonly ReadCase[];
  readonly from: Cursors;
}

/** What is read once all that was sent is there: the whole streams last. */
type Looks = Readonly<Record<'rest' | 'last', readonly PopulationRead[]>>;

/**
 * What a byte cap cuts off a page is to follow on the next: pages of one item, which none cuts, tell what there is. Where a walk of longer
 * pages lacks any of it, or stands still, it is read again, a good while before and after. Feeds may lag behind the channels, which have
 * shown all.
 */
async function readAroundCaps(
  context: Populating,
  { channels }: Place,
  { first, from }: Reading,
): Promise<Looks> {
  const main = mainOfAll(first);
  const feeds = main.filter(({ of }) => of === 'feed');
  const singles = (): Promise<readonly PopulationRead[]> => singlesOf(context, channels, main, from);
  const long = async (): Promise<readonly Walked[]> => [
    ...(await walkAll(context, channels, first, from)),
    ...(await walkAll(context, channels, feeds, () => undefined, { limit: fewestCut })),
  ];
  // A read that may wait, and need not, is cut like others.
  const polled = first.filter(({ of, reader }) => of !== 'feed' && reader === 'author');
  const polls = await walkAll(context, channels, polled, from, { wait: 1 });
  const known = [...pagesOf(polls), ...(await singles())];
  await settle(context);
  const walks = await long();
  if (!walks.some((each) => isShort(each, known))) return { rest: known, last: pagesOf(walks) };
  await settleSurely(context);
  const again = await long();
  await settleSurely(context);
  return { rest: [...known, ...pagesOf(walks), ...(await singles())], last: pagesOf(again) };
}

/** Whether a walk comes to stand still, or lacks what other pages of its stream showed, from where it begins. */
function isShort(walked: Walked, known: readonly PopulationRead[]): boolean {
  if (walked.pages.slice(-1).some(isEmptyAndStill)) return true;
  const shown = sequencesOf(itemsOf(walked.pages));
  const begin = walked.pages[0]?.after ?? shown[0] ?? 0n;
  return sequencesOf(itemsOf(known.filter((page) => isOf(page, walked)))).some(
    (sequence) => sequence >= begin && !shown.includes(sequence),
  );
}

async function readInEveryForm(
  context: Populating,
  { channels, streams, means }: Place,
  { first, reads, sentOf, from }: Reading,
): Promise<Looks> {
  // From here on whatever a page leaves out has been there for long.
  await settle(context);
  const oldest = await oldestOf(context, channels, first);
  const placesOf = (stream: StreamName) => {
    const walked = first.find((each) => isOf(each, stream));
    const own = itemsOf(walked?.pages ?? []).filter((item) => sentOf(item) !== undefined);
    const [item] = itemsOf(oldest.filter((each) => isOf(each, stream)));
    return {
      first: item?.sequence,
      places: own.flatMap(({ sequence }) => sequence ?? []),
      end: walked?.end,
    };
  };
  const most = mostReadOf(streams, means);
  const [forms, atBlocks, far, ...walks] = await Promise.all([
    readAll(context, channels, reads, placesOf),
    blockEndsOf(context, channels, mainOfAll(first)),
    // What a channel shows to one it shows to all.
    farReads(
      context,
      channels,
      most.filter(({ of, reader }) => of === 'feed' || reader === 'author'),
    ),
    ...shortWalks.map((options) => walkAll(context, channels, most, from, options)),
  ]);
  await settle(context);
  const ends = await endsOfWalks(context, channels, first);
  const last = await walkAll(context, channels, streams, from);
  return {
    rest: [...oldest, ...forms, ...atBlocks, ...far, ...walks.flatMap(pagesOf), ...ends],
    last: pagesOf(last),
  };
}

/** The channels, and the feed that most is for. */
function mainOfAll(walks: readonly Walked[]): readonly Walked[] {
  return walks.filter(({ of, reader }) => of !== 'feed' || reader === 'reader');
}

function pagesOf(walks: readonly Walked[]): readonly PopulationRead[] {
  return walks.flatMap(({ pages }) => pages);
}

/** The second channel, where the author can read one. */
async function secondOf({ secondChannelId: id, author }: Populating): Promise<string | undefined> {
  if (id === undefined) return undefined;
  return isAccepted(await author.readChannel(id, { after: 0n, limit: 1 })) ? id : undefined;
}

/** A plain message of each sender in each channel. */
function endsOf(means: Means): MessageCase[] {
  const { hasApiKey, hasReader } = means;
  const senders = (['author', 'reader', 'api-key'] as const).filter(
    (each) => (hasApiKey || each !== 'api-key') && (hasReader || each !== 'reader'),
  );
  return senders.flatMap((sender) =>
    channelsOf(means).map((channel) => ({ ...plainFor(means), sender, channel })),
  );
}

/** Messages of the author that name the human and the machine behind the reader alone: mentions of those may be kept by themselves. */
function namingOthers(means: Means): MessageCase[] {
  const targets = means.hasReader ? (['user', 'machine'] as const) : [];
  return targets.flatMap((target) => channelsOf(means).map((channel) => ({ ...plainest, target, channel })));
}

function channelsOf({ hasSecondChannel }: Means): readonly MessageCase['channel'][] {
  return hasSecondChannel ? ['first', 'second'] : ['first'];
}

/** As long as most: what is longer may be forgotten first. */
function asLong(each: MessageCase): MessageCase {
  return { ...each, length: '1 kB' };
}

/** The plainest message that is listed for somebody, where there is somebody. */
function plainFor({ hasReader }: Means): MessageCase {
  return hasReader ? plainest : { ...plainest, target: 'none' };
}

/** Whether a message fills the same pages as another: those of its channel, and of the reader's feed. */
function isAsFull({ sender, target, channel }: MessageCase, other: MessageCase): boolean {
  if (channel !== other.channel) return false;
  return (
    other.target === 'none' ||
    (sender !== 'reader' && ['agent', 'user', 'machine', 'several'].includes(target))
  );
}

/** Long texts in the middle: neither a full page from the beginning nor the newest one has to carry them all. */
function withLongInTheMiddle(cases: readonly SendCase[]): SendCase[] {
  const long = cases.filter(({ length }) => length === '16 kB');
  const others = cases.filter(({ length }) => length !== '16 kB');
  const half = Math.ceil(others.length / 2);
  return [...others.slice(0, half), ...long, ...others.slice(half)];
}

/** A long text for whoever it may name, so late that it is surely there when the streams are read first. */
function longAtLast(means: Means): MessageCase[] {
  const targets = means.hasReader ? (['agent', 'user', 'machine'] as const) : [];
  return targets.map((target) => ({ ...plainest, target, channel: mainOf(means), length: '16 kB' }));
}

/** What names somebody who is seldom named comes before a hundred mentions of others, and is the newest for it all the same. */
function withRareFirst(cases: readonly SendCase[]): SendCase[] {
  const isRare = ({ target }: SendCase): boolean => target === 'other-agent';
  return [...cases.filter(isRare), ...cases.filter((each) => !isRare(each))];
}

/** Two lists as one, in turns. */
function mixed<Item>(one: readonly Item[], other: readonly Item[]): Item[] {
  const length = Math.max(one.length, other.length);
  return Array.from({ length }, (_, index) => [
    ...one.slice(index, index + 1),
    ...other.slice(index, index + 1),
  ]).flat();
}

/** A walk of every channel shows all that was sent there, or would be too long to. */
function isWhole(walks: readonly Walked[], sent: readonly Sent[], sentOf: Population['sentOf']): boolean {
  if (walks.some(({ isCut }) => isCut)) return true;
  const shown = new Set(itemsOf(pagesOf(walks.filter(({ of }) => of !== 'feed'))).map(sentOf));
  return sent.every((each) => shown.has(each));
}
