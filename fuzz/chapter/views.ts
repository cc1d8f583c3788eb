import type { QueryDraft } from '../../calls/index.ts';
import type { Actor } from '../../harness/client/actor.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
import type { RoleName } from '../../harness/config/roles.ts';
import type { Target } from '../../harness/config/target.ts';
import type { Read } from '../../history/operation.ts';
import { walkRecorded } from '../../harness/stream/walk.ts';
import type { Sequence } from '../../history/sequence.ts';

/** Who reads, by role. */
export type Agents = ReadonlyMap<RoleName, Actor>;

/** What there is to be looked at. */
export interface ViewPlace {
  readonly target: Pick<Target, 'channelId' | 'secondChannelId' | 'bindings' | 'names'>;
}

/** A stream as one agent sees it, from where a chapter began. */
export interface View {
  /** What the stream is, the same for every agent that sees it. */
  readonly stream: string;
  readonly isFeed: boolean;
  readonly agent: RoleName;
  readonly ask: (query: QueryDraft) => Promise<Exchange>;
  readonly start: Sequence;
  /** Whether it is read from its start to its end: by one agent, the others see its ends. */
  readonly isWhole: boolean;
}

/** A view, and the numbers of what it shows from its start on. */
interface Known extends View {
  readonly sequences: readonly Sequence[];
}

type Keep = (exchange: Exchange) => Read | undefined;
type Ask = (query: QueryDraft) => Promise<Read | undefined>;

/** The most pages that one walk reads, and the most without anything on them: a stream with more of those has no end. */
const maxPages = 2_000;
const maxEmpty = 400;
/** How far before the end, in items, pages of each limit begin. */
const tails = [
  [1, 3],
  [2, 5],
  [7, 20],
  [50, 60],
  [99, 110],
] as const;
const pagesOfTail = 2;
/** What is sent may be long: so many bytes of a view are read beside all of it once. */
const mostBytes = 800_000;

/** Every view of every agent whose start is known. */
export function viewsOf(
  { target: { channelId, secondChannelId } }: ViewPlace,
  agents: Agents,
  starts: ReadonlyMap<string, Sequence>,
): readonly View[] {
  // The sender of the cases, or whoever is there in its place.
  const [first] = agents.keys();
  return [...agents].flatMap(([role, actor]): View[] => {
    const isWhole = role === first;
    const channels = [channelId, secondChannelId].flatMap((id): View[] => {
      const stream = `channel ${String(id)}`;
      const start = starts.get(stream);
      if (id === undefined || start === undefined) return [];
      return [
        { stream, agent: role, isFeed: false, start, isWhole, ask: (query) => actor.readChannel(id, query) },
      ];
    });
    const feed = `feed ${role}`;
    const start = starts.get(feed);
    if (start === undefined) return channels;
    const ask = (query: QueryDraft): Promise<Exchange> => actor.mentions(query);
    return [...channels, { stream: feed, agent: role, isFeed: true, start, isWhole: true, ask }];
  });
}

/** Reads a view from its start to its end; one that is not complete came to no end. */
export async function readWhole(
  { stream, start, ask: send }: View,
  keep: Keep,
): Promise<{
  readonly stream: string;
  readonly isComplete: boolean;
  readonly sequences: readonly Sequence[];
}> {
  const ask: Ask = async (query) => keep(await send(query));
  const pages = await walkRecorded((after) => ask({ after, limit: 100 }), start, { maxPages, maxEmpty });
  const sequences = pages.flatMap(({ items }) => items.flatMap(({ sequence }) => sequence ?? []));
  return { stream, isComplete: pages.at(-1)?.hasMore === false, sequences };
}

/** Reads the ends of a view in pages of every size, from every kind of cursor and without one; in `brief` only the usual ones. */
export async function lookAtEnds(
  { start, isFeed, sequences, ask: send }: Known,
  keep: Keep,
  isBrief: boolean,
): Promise<void> {
  let bytes = 0;
  const ask: Ask = async (query) => {
    if (bytes > mostBytes) return undefined;
    const exchange = await send(query);
    bytes += exchange.response?.bytes.byteLength ?? 0;
    return keep(exchange);
  };
  const first = await ask({ after: start, limit: 100 });
  // Whoever may not see it sees nothing of it.
  if (first?.outcome !== 'accepted') return;
  if (isBrief) return void (await ask({ limit: 100 }));
  const from = (back: number): Sequence => sequences.at(-1 - back) ?? start;
  await ask({ after: from(0), limit: 100 });
  if (!isFeed && sequences.length > 0)
    for (const wait of [0, 1]) await ask({ after: from(8), limit: 7, wait });
  for (const [limit, back] of tails) {
    await ask({ limit });
    await ask({ after: 0, limit });
    await walkRecorded((after) => ask({ after, limit }), from(back), { maxPages: pagesOfTail });
  }
  for (const query of [{}, { after: 0 }, { limit: 100 }, { after: 0, limit: 100 }]) await ask(query);
}

/** Reads a view once: of the ways to ask for what it shows, the one whose turn it is; `held` is a cursor of an earlier look. */
export async function lookOnce(
  { start, held = start, isFeed }: Pick<View, 'start' | 'isFeed'> & { readonly held: Sequence | undefined },
  ask: Ask,
  turn: number,
): Promise<Read | undefined> {
  const wait = isFeed ? {} : { wait: 1 };
  const ways = [{ after: start }, {}, { after: held }, { after: 0 }, { after: start, ...wait }];
  return ask({ limit: 100, ...ways[turn % ways.length] });
}

/** Reads the ends of a view again: what was missing in between is there before and afterwards. */
export async function lookAgain(
  { start, sequences, ask: send }: Known,
  keep: Keep,
  isBrief: boolean,
): Promise<void> {
  const ask: Ask = async (query) => keep(await send(query));
  const before = sequences.at(-111) ?? start;
  if (before !== start)
    await walkRecorded((after) => ask({ after, limit: 100 }), before, { maxPages: pagesOfTail });
  await ask({ after: start, limit: 100 });
  if (isBrief) return;
  for (const query of [{ after: 0, limit: 100 }, { limit: 100 }]) await ask(query);
}
