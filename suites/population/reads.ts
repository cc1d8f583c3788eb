import { listMentions } from '../../spec/calls/index.ts';
import { isAccepted } from '../../harness/client/exchange.ts';
import { withWorkers } from '../../harness/run/waves.ts';
import { readPage, withoutBytes, type PageItem, type PageRead } from '../../harness/stream/page.ts';
import { walk } from '../../harness/stream/walk.ts';
import { unmet } from '../../harness/verdict/outcome.ts';
import type { ReadCase } from '../../history/situations/dimensions.ts';
import { sequencesOf } from '../../spec/oracles/pages/read-page.ts';
import { orElse } from '../arrange/or-else.ts';
import { severalTimes } from '../arrange/several-times.ts';
import type { Cursors } from './cursors.ts';
import { actorOf, type Populating, type ReaderName } from './people.ts';

/** A page that was read of a population, of what, and by whom. */
export interface PopulationRead extends PageRead {
  readonly of: ReadCase['of'];
  readonly reader: ReaderName;
  /** How it was asked for; `undefined` for a page of a walk. */
  readonly case: ReadCase | undefined;
}

/** What is read: a channel, or somebody's feed. */
export type StreamName = Pick<ReadCase, 'of' | 'reader'>;

/** A stream that was read to its end, or as far as it is ever read. */
export interface Walked extends StreamName {
  readonly isCut: boolean;
  readonly pages: readonly PopulationRead[];
  readonly end: bigint | undefined;
}

/** Whether two name one stream: a channel is the same, whoever reads it. */
export function isOf(one: StreamName, other: StreamName): boolean {
  return one.of === other.of && (one.of !== 'feed' || one.reader === other.reader);
}

/** What is known of a stream before it is read in every form. */
interface Places {
  /** Sequence of the oldest item of all. */
  readonly first: bigint | undefined;
  /** Sequences of the population's messages there, ascending. */
  readonly places: readonly bigint[];
  /** Where a walk ended. */
  readonly end: bigint | undefined;
}

interface Asked {
  readonly after: bigint | undefined;
  readonly limit: number | undefined;
  readonly wait?: number | undefined;
  /** What the client says of itself beside its credential. */
  readonly headers?: Headers | undefined;
}

/** Headers; `undefined` leaves out one that is usual. */
type Headers = Readonly<Record<string, string | undefined>>;

export type Channels = Readonly<Record<'first' | 'second', string>>;

/** Between two pages of a reader who follows a stream, in ms. */
const pauseMs = 20;
/** Reads in flight. */
const workers = 24;
const middleLimit = 7;
/** A page after which more is to come. */
const shortPage = 2;
const placeInTheMiddle = 3;
/** Cursors that a number of 31, 32, 53, 63 or 64 bits does not hold: cut to fewer bits they lie before everything. */
const farCursors = [2n ** 31n, 2n ** 32n, 2n ** 53n, 2n ** 63n, 2n ** 64n];
/** Pages of a stream that are read at most: a server may put a single item on each. */
const mostPages = 50;
const limits: Readonly<Record<ReadCase['limit'], number | undefined>> = {
  none: undefined,
  '1': 1,
  middle: middleLimit,
  '99': 99,
  '100': 100,
};

/** Streams from a cursor on, in pages of a hundred to their ends unless something else is asked for. */
export async function walkAll(
  context: Populating,
  channels: Channels,
  streams: readonly StreamName[],
  from: Cursors,
  {
    limit = 100,
    maxPages = mostPages,
    wait,
  }: { readonly limit?: number; readonly maxPages?: number; readonly wait?: number } = {},
): Promise<readonly Walked[]> {
  return withWorkers(streams, workers, async (stream) => {
    const { pages, nextAfter, isComplete } = await walk(
      (after) => readOne(context, channels, stream, { after, limit, wait }, undefined),
      from(stream),
      { maxPages },
    );
    const isCut = !isComplete && pages.length === maxPages;
    return { ...stream, pages: pages as readonly PopulationRead[], end: nextAfter, isCut };
  });
}

/** The pages of a stream as they came while `sending` went on; none where no cursor of it is known. */
export async function followOne(
  context: Populating,
  channels: Channels,
  {
    stream,
    from,
    sending,
  }: { readonly stream: StreamName; readonly from: Cursors; readonly sending: Promise<unknown> },
): Promise<readonly PopulationRead[]> {
  const start = from(stream);
  if (start === undefined) return [];
  const read = (after: bigint): Promise<PopulationRead> =>
    readOne(context, channels, stream, { after, limit: 100 }, undefined);
  return follow(read, start, sending, () => context.clock.pause(pauseMs));
}

/** The first pages of streams, an item each. */
export async function oldestOf(
  context: Populating,
  channels: Channels,
  streams: readonly StreamName[],
): Promise<readonly PopulationRead[]> {
  return withWorkers(streams, workers, (stream) =>
    readOne(context, channels, stream, { after: 0n, limit: 1 }, undefined),
  );
}

/** Pages of one item each, from where a store may end a block of what it keeps together. */
export async function blockEndsOf(
  context: Populating,
  channels: Channels,
  walks: readonly Walked[],
): Promise<readonly PopulationRead[]> {
  const ends = walks.flatMap((walked) =>
    sequencesOf(itemsOf(walked.pages))
      .filter(isAtBlock)
      .map((after) => ({ ...walked, after })),
  );
  return withWorkers(ends, workers, ({ after, ...walked }) =>
    readOne(context, channels, walked, { after, limit: 1 }, undefined),
  );
}

/** Pages of one item each, of streams that were walked from these cursors. */
export async function singlesOf(
  context: Populating,
  channels: Channels,
  walks: readonly Walked[],
  from: Cursors,
): Promise<readonly PopulationRead[]> {
  const pages = await withWorkers(walks, workers, (walked) =>
    singlesAfter(
      { readPage: (after, limit) => readOne(context, channels, walked, { after, limit }, undefined) },
      [from(walked), ...sequencesOf(itemsOf(walked.pages))],
    ),
  );
  return pages.flat();
}

/** What follows where walks ended, a good while later: where nothing else is going on, nothing. */
export async function endsOfWalks(
  context: Populating,
  channels: Channels,
  walks: readonly Walked[],
): Promise<readonly PopulationRead[]> {
  return withWorkers(walks, workers, ({ end: after, ...stream }) =>
    readOne(context, channels, stream, { after, limit: 100 }, undefined),
  );
}

/** The pages of the cases, and for a cursor that was issued the page before it too. */
export async function readAll(
  context: Populating,
  channels: Channels,
  cases: readonly ReadCase[],
  placesOf: (stream: StreamName) => Places,
): Promise<readonly PopulationRead[]> {
  const companions = companionsIn(context, await idOfAnother(context));
  const pages = await withWorkers(cases, workers, async (each): Promise<PopulationRead[]> => {
    const headers = companions[cases.indexOf(each) % companions.length];
    const known = placesOf(each);
    const limit = limits[each.limit];
    const wait = each.wait === 'none' ? undefined : Number(each.wait);
    const read = (after: bigint | undefined): Promise<PopulationRead> =>
      readOne(context, channels, each, { after, limit, wait, headers }, each);
    if (each.cursor !== 'issued') return [await read(cursorOf(each.cursor, known))];
    const before = await readOne(
      context,
      channels,
      each,
      { after: known.places[0], limit: shortPage },
      undefined,
    );
    return isAccepted(before.exchange) ? [before, await read(before.nextAfter)] : [before];
  });
  return pages.flat();
}

/** Pages after cursors that lie far beyond what most servers have: whatever they show, it comes after them. */
export async function farReads(
  context: Populating,
  channels: Channels,
  streams: readonly StreamName[],
): Promise<readonly PopulationRead[]> {
  const asked = streams.flatMap((stream) => farCursors.map((after) => ({ stream, after })));
  return withWorkers(asked, workers, ({ stream, after }) =>
    readOne(context, channels, stream, { after, limit: middleLimit }, undefined),
  );
}

/** What a client may say beside its credential: none of it changes what it is shown. */
function companionsIn({ names }: Populating, another: string | undefined): readonly Headers[] {
  return [
    {},
    { accept: '*/*' },
    { accept: 'application/*' },
    { 'accept-charset': 'iso-8859-1, *;q=0.1' },
    { 'accept-language': 'de-DE, ar;q=0.5' },
    { 'accept-encoding': 'gzip, deflate, br' },
    { 'if-none-match': '"conform"' },
    { [names.agentIdHeader]: another, 'x-forwarded-user': another },
    { accept: undefined },
    { 'accept-charset': 'us-ascii, *;q=0.1', 'cache-control': 'no-cache' },
    { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' },
    { 'content-type': 'application/json', cookie: 'session=conform' },
  ];
}

function idOfAnother({ identities, optional }: Populating): Promise<string | undefined> {
  const other = optional('peer') ?? optional('reader');
  return orElse<string | undefined>(
    other === undefined ? Promise.resolve(undefined) : identities.agentId(other),
    () => undefined,
  );
}

/** In the middle is behind the first of the population: so many follow that any page is full. */
function cursorOf(cursor: ReadCase['cursor'], { first, places, end }: Places): bigint | undefined {
  if (cursor === 'none') return undefined;
  if (cursor === '0') return 0n;
  if (cursor === 'end') return end;
  return cursor === 'first' ? (first ?? places[0]) : places[placeInTheMiddle];
}

async function readOne(
  context: Populating,
  channels: Channels,
  { of, reader }: StreamName,
  asked: Asked,
  each: ReadCase | undefined,
): Promise<PopulationRead> {
  const actor = actorOf(context, reader) ?? unmet(`the target has no ${reader}`);
  const { after, limit, wait, headers = {} } = asked;
  if (of === 'feed') {
    const listing = await actor.request({ ...listMentions({ after, limit }), headers });
    return withoutBytes({ ...readPage(listing, 'mentions'), of, reader, case: each });
  }
  const exchange = await actor.readChannel(channels[of], { after, limit, wait }, headers);
  const page = readPage(exchange, context.bindings.items);
  return withoutBytes({ ...page, of, reader, case: each });
}

/** All items of pages. */
export function itemsOf(pages: readonly PageRead[]): readonly PageItem[] {
  return pages.flatMap(({ items }) => items);
}

/** Follows a stream by its cursors while `work` goes on, and once more when it is done; a page, then a pause. */
async function follow<Page extends PageRead>(
  readPage: (after: bigint) => Promise<Page>,
  start: bigint,
  work: Promise<unknown>,
  pause: () => Promise<void>,
): Promise<readonly Page[]> {
  const pages: Page[] = [];
  let isDone = false;
  const done = (): void => void (isDone = true);
  work.then(done, done);
  for (let after = start, wasDone = false; !wasDone;) {
    wasDone = isDone;
    const page = await readPage(after);
    pages.push(page);
    after = page.nextAfter ?? after;
    await pause();
  }
  return pages;
}

/** Pages at most. */
const most = 60;
/** Items that a store may keep together: at the end of such a block a cursor is easily mistaken. */
const blocks = [50n, 64n];

/**
 * Pages of a single item, one after each place and each that these lead to, a few at once: what a walk in ones would
 * show, without waiting for each page before the next is asked for.
 */
async function singlesAfter<Page extends PageRead>(
  stream: { readonly readPage: (after: bigint | undefined, limit: number) => Promise<Page> },
  places: readonly (bigint | undefined)[],
): Promise<readonly Page[]> {
  const pages: Page[] = [];
  const asked = new Set<bigint | undefined>();
  const unasked = [...new Set(places)];
  for (
    let next = [...unasked.filter(isAtBlock), ...unasked.filter((each) => !isAtBlock(each))];
    next.length > 0 && pages.length < most;
  ) {
    for (const place of next) asked.add(place);
    const now = next.slice(0, most - pages.length);
    const read = await severalTimes(now.length, (index) => stream.readPage(now[index], 1));
    pages.push(...read);
    next = [...new Set(read.flatMap(placesOn))].filter((place) => !asked.has(place));
  }
  return pages;
}

/** Whether a place is the last of a block, or the first. */
function isAtBlock(place: bigint | undefined): boolean {
  return place !== undefined && blocks.some((size) => place % size <= 1n);
}

/** Where a client may go on after a page. */
function placesOn({ items, nextAfter, hasMore }: PageRead): bigint[] {
  const cursor = hasMore === true && nextAfter !== undefined ? [nextAfter] : [];
  return [...sequencesOf(items), ...cursor];
}
