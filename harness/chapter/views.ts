import { listMentions, readChannel, type CallRequest, type QueryDraft } from '../../spec/calls/index.ts';
import type { Operation, Read } from '../../history/operation.ts';
import type { Sequence } from '../../history/sequence.ts';
import { walkRecorded } from '../stream/walk.ts';

/** Sends a request as somebody and takes down what came of it; `undefined` for what no history keeps, or was not sent. */
type Ask = (request: CallRequest) => Promise<Operation | undefined>;

/** What there is to be looked at, and by whom. */
interface Viewed {
  /** Ids of channels. */
  readonly channels: readonly string[];
  /** Who reads, the one that reads channels from their start to their end first. */
  readonly agents: readonly string[];
  /** By stream, as histories name it, where a chapter begins; what is not in it is not looked at. */
  readonly starts: ReadonlyMap<string, Sequence>;
  /** How an agent asks for pages of a stream. */
  readonly askerOf: (agent: string, stream: string) => Ask;
}

/** A stream as one agent sees it, from where a chapter began. */
export interface View {
  /** What the stream is, the same for every agent that sees it. */
  readonly stream: string;
  readonly isFeed: boolean;
  readonly agent: string;
  readonly ask: (query: QueryDraft) => Promise<Read | undefined>;
  readonly start: Sequence;
  /** Whether it is read from its start to its end: by one agent, the others see its ends. */
  readonly isWhole: boolean;
}

/** A view, and the numbers of what its stream shows from its start on. */
interface Known extends View {
  readonly sequences: readonly Sequence[];
}

/** Pages of a limit at the end of a view: how many items before the end they begin, and how many are read. */
interface Tail {
  readonly limit: number;
  readonly back: number;
  readonly pages: number;
}

/** The most pages that one walk reads, and the most without anything on them: a stream with more of those has no end. */
const maxPages = 2_000;
const maxEmpty = 400;
/** What is sent may be long: so many bytes of contents of a view are read beside all of it once. */
const mostBytes = 800_000;

/** Every view of every agent whose start is known. */
export function viewsOf({ channels, agents, starts, askerOf }: Viewed): readonly View[] {
  const [first] = agents;
  return agents.flatMap((agent) =>
    [
      ...channels.map((id) => ({
        stream: `channel ${id}`,
        isFeed: false,
        pageOf: (query: QueryDraft) => readChannel(id, query),
      })),
      { stream: `feed ${agent}`, isFeed: true, pageOf: listMentions },
    ].flatMap(({ stream, isFeed, pageOf }): View[] => {
      const start = starts.get(stream);
      if (start === undefined) return [];
      const asker = askerOf(agent, stream);
      const ask = async (query: QueryDraft): Promise<Read | undefined> => {
        const page = await asker(pageOf(query));
        return page?.kind === 'read' ? page : undefined;
      };
      return [{ stream, isFeed, agent, ask, start, isWhole: isFeed || agent === first }];
    }),
  );
}

/** Reads every stream from its start to its end; not whole where one came to no end. */
export async function readAll(
  views: readonly View[],
): Promise<{ readonly isWhole: boolean; readonly known: readonly Known[] }> {
  const shown = new Map<string, readonly Sequence[]>();
  const ended = await Promise.all(
    views
      .filter(({ isWhole }) => isWhole)
      .map(async ({ stream, start, ask }) => {
        const pages = await walkRecorded((after) => ask({ after, limit: 100 }), start, {
          maxPages,
          maxEmpty,
        });
        shown.set(
          stream,
          pages.flatMap(({ items }) => items.flatMap(({ sequence }) => sequence ?? [])),
        );
        return pages.at(-1)?.hasMore === false;
      }),
  );
  const known = views.map((view) => ({ ...view, sequences: shown.get(view.stream) ?? [] }));
  return { isWhole: ended.every(Boolean), known };
}

/** Reads the ends of a view in pages of every size, from every kind of cursor and without one; without tails only the usual ones. */
export async function lookAtEnds(
  { start, isFeed, sequences, ask: send }: Known,
  tails: readonly Tail[],
): Promise<void> {
  let bytes = 0;
  const ask: View['ask'] = async (query) => {
    if (bytes > mostBytes) return undefined;
    const page = await send(query);
    for (const { message } of page?.items ?? []) bytes += message.content?.bytes ?? 0;
    return page;
  };
  const first = await ask({ after: start, limit: 100 });
  // Whoever may not see it sees nothing of it.
  if (first?.outcome !== 'accepted') return;
  if (tails.length === 0) return void (await ask({ limit: 100 }));
  const from = (back: number): Sequence => sequences.at(-1 - back) ?? start;
  await ask({ after: from(0), limit: 100 });
  if (!isFeed && sequences.length > 0)
    for (const wait of [0, 1]) await ask({ after: from(8), limit: 7, wait });
  for (const { limit, back, pages } of tails) {
    await ask({ limit });
    await ask({ after: 0, limit });
    await walkRecorded((after) => ask({ after, limit }), from(back), { maxPages: pages });
  }
  for (const query of [{}, { after: 0 }, { limit: 100 }, { after: 0, limit: 100 }]) await ask(query);
}

/** Reads a view once: of the ways to ask for what it shows, the one whose turn it is; `held` is a cursor of an earlier look. */
export async function lookOnce(
  { start, isFeed, ask }: View,
  turn: number,
  held: Sequence = start,
): Promise<Read | undefined> {
  const wait = isFeed ? {} : { wait: 1 };
  const ways = [{ after: start }, {}, { after: held }, { after: 0 }, { after: start, ...wait }];
  return ask({ limit: 100, ...ways[turn % ways.length] });
}

/** Reads the ends of a view again: what was missing in between is there before and afterwards. */
export async function lookAgain({ start, sequences, ask }: Known, isBrief: boolean): Promise<void> {
  const before = sequences.at(-111) ?? start;
  if (before !== start) await walkRecorded((after) => ask({ after, limit: 100 }), before, { maxPages: 2 });
  await ask({ after: start, limit: 100 });
  if (isBrief) return;
  for (const query of [{ after: 0, limit: 100 }, { limit: 100 }]) await ask(query);
}
