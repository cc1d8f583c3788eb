import { absenceRoots, Findings, markerRoot, pageRoot } from '../../anomalies/findings.ts';
import type { Read, Send } from '../../operation.ts';
import type { Sequence } from '../../sequence.ts';
import { mayHaveLeft } from '../../world/changes.ts';
import { inWords, type Page } from '../../world/page.ts';
import type { Sent } from '../../world/origin.ts';
import type { Proof } from '../../world/proofs.ts';
import type { Place } from '../../world/sight.ts';
import { countWhile } from '../../world/sorted.ts';
import type { Stream } from '../../world/stream.ts';
import type { World } from '../../world/world.ts';
import { leastKeptMs, readsFrom, walksOf } from '../../world/walks.ts';
import { endsOf, heldBy } from './vanished.ts';

/**
 * A complete walk soon after, on the last page of which an older message of the author in the same channel was there: hardly a server
 * keeps any size for a shorter time. What is read only later may be gone, if its size is one that goes first.
 */
export function soonAfter(
  stream: Stream,
  author: string | undefined,
  { channel, firstMs, attempts, ack }: Sent,
  fromMs: number,
  settleMs: number,
): Proof | undefined {
  // An attempt whose answer got lost may have stored it long before another was acknowledged.
  const storedMs = attempts.length === 1 ? (ack?.endedMs ?? 0) : firstMs;
  const untilMs = storedMs + leastKeptMs(settleMs);
  const walks = walksOf(stream);
  const first = countWhile(walks.length, (rank) => (walks[rank]?.startedMs ?? 0) <= fromMs);
  for (const walk of walks.slice(first)) {
    if (walk.startedMs > untilMs) break;
    if (walk.last.startedMs > untilMs) continue;
    const anchor = walk.pages
      .flatMap(({ places }) => places)
      .findLast(
        (place) =>
          place.item.message.author?.id === author &&
          place.item.message.channel === channel &&
          place.knownMs < firstMs,
      );
    if (walk.isComplete && anchor !== undefined && readsFrom(walk, anchor).length === 1)
      return { walk, anchor };
  }
  return undefined;
}

/** Notes a message that was accepted and is not on the pages of a walk that show an older one. */
export function addLost(
  findings: Findings,
  { stream, proof }: { readonly stream: Stream; readonly proof: Proof },
  sent: Sent,
  { name, clause, witness }: Pick<Parameters<Findings['add']>[0], 'name' | 'clause' | 'witness'>,
): void {
  const pages = readsFrom(proof.walk, proof.anchor);
  const page = pageOf(pages, stream.isFeed ? undefined : sent.ack?.shown?.sequence) ?? pages[0];
  const root = rootOf(sent);
  const altered = alteredIn(stream, sent);
  findings.add({
    name,
    clause,
    expected: `${page === undefined ? stream.name : inWords(page)}: the message of ${sent.content.bytes} bytes that was accepted${named(sent)}`,
    actual:
      altered === undefined
        ? `it is nowhere, while ${proof.anchor.id} at ${proof.anchor.sequence}, which is older, is there`
        : `no message has its text: ${altered.id} at ${altered.sequence}, which its answer shows, has another`,
    // Of a longer walk the pages do not fit: then its ends are shown, and the witness alone says less.
    witness: [...witness, page, proof.anchor.knownBy, ...endsOf(pages), heldBy(pages, proof.anchor)],
    decides: page,
    root,
    dependsOn: [root, ...absenceRoots(pages, sent.content.bytes)],
    breaks: [root],
  });
}

/** Its root: by its marker, else by its text. */
function rootOf({ content }: Sent): string {
  return markerRoot(content.marker ?? content.digest);
}

/** How a reader finds it: by the marker in its text, or by the id that its answer showed. */
function named({ content, attempts }: Sent): string {
  const name = content.marker ?? attempts.map(({ shown }) => shown?.id).find((id) => id !== undefined);
  return name === undefined ? '' : ` as message ${name}`;
}

/** What the answer to a send shows that stood nowhere before, and has another text. */
function alteredIn({ all }: Stream, { attempts, firstMs }: Sent): Place | undefined {
  const ids = new Set(attempts.flatMap(({ shown }) => shown?.id ?? []));
  return all.find(({ id, origin, knownMs }) => ids.has(id) && origin === undefined && knownMs >= firstMs);
}

/** The page on which a message lies that its answer put at a place, as far as pages say up to where they go. */
function pageOf(pages: readonly Read[], place: Sequence | undefined): Read | undefined {
  if (place === undefined) return undefined;
  return pages.find(
    ({ after, nextAfter }) =>
      after !== undefined && after < place && nextAfter !== undefined && nextAfter >= place,
  );
}

/**
 * Reads of nothing in a stream, from beyond all that anybody ever saw there: nothing newer can have taken the place of a message. Of what
 * was recorded on its way nobody knows.
 */
export function readsOfNothing({ history }: Pick<World, 'history'>, stream: Stream): readonly Page[] {
  if (history.facts.isPartial === true) return [];
  const top = stream.all.reduce<Sequence>((most, { sequence }) => (sequence > most ? sequence : most), 0);
  return stream.pages.filter(
    ({ after, size, hasMore, nextAfter }) =>
      size === 0 &&
      hasMore === false &&
      after !== undefined &&
      after >= top &&
      // Where it goes on there was something that nobody can read.
      nextAfter !== undefined &&
      nextAfter <= after,
  );
}

/** A message that has to show to a reader, and the credential that this one reads with. */
interface Awaited {
  readonly sent: Sent;
  readonly ack: Send;
  readonly agent: string;
  readonly reader: string | undefined;
}

/** Of some reads of nothing the one from before a message on, as soon as that has to show to its reader, who had not been away. */
export function readWithout(
  world: World,
  stream: Stream,
  nothing: readonly Page[],
  { sent, ack, agent, reader }: Awaited,
): Read | undefined {
  const { settleMs } = world;
  if (sent.attempts.length > 1) return undefined;
  // A cursor that its reader made up may lie beyond all that is to come.
  const liesBefore = (after: Sequence): boolean =>
    after === 0 || stream.issuerOf(after, sent.firstMs) !== undefined;
  const page = nothing.find(
    ({ read, after = 0, startedMs }) =>
      read.agent === agent &&
      liesBefore(after) &&
      startedMs > ack.endedMs + settleMs &&
      startedMs <= ack.endedMs + 2 * settleMs,
  );
  return page === undefined || mayHaveLeft(world, reader, { fromMs: sent.firstMs, toMs: page.endedMs })
    ? undefined
    : page.read;
}

/** Notes a message that was accepted and is not where there is nothing at all. */
export function addDropped(
  findings: Findings,
  read: Read,
  sent: Sent,
  { name, clause, witness }: Pick<Parameters<Findings['add']>[0], 'name' | 'clause' | 'witness'>,
): void {
  const { content } = sent;
  const root = rootOf(sent);
  findings.add({
    name,
    clause,
    expected: `${inWords(read)}: the message of ${content.bytes} bytes that was accepted${named(sent)}`,
    actual: 'nothing beyond that cursor, at any time',
    witness: [...witness, read],
    decides: read,
    root,
    dependsOn: [root, pageRoot(read)],
    breaks: [root],
  });
}
