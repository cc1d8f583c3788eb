import type { Operation, Read, Report } from '../operation.ts';
import type { SeenMessage } from '../seen-message.ts';
import { isOneAgent } from '../world/principals.ts';
import { ackOf, targetsAt, type Place, type Showing } from '../world/sight.ts';
import { push } from '../world/sorted.ts';
import type { Stream } from '../world/stream.ts';
import type { World } from '../world/world.ts';
import { judgeOf, type Findings, messageRoot, type Finding } from '../anomalies/findings.ts';

/** A preview lists so many agents at most. */
const mostListed = 32;
/** Of one message so many forms are compared: each new report makes one. */
const mostForms = 64;
/** So many agents that never reported are kept. */
const mostListedOnes = 1_000;

/**
 * Retrievals: reported ones alone, never the author's, in the order of recording, and none is taken back. In the order of this file:
 * - `receipt-on-read` (`judgeReported`, `judgeReader`): an agent of the run is listed for a message of the run that it read, none of its
 *   credentials had reported anything by then, and a form of the message that was shown long after it was accepted lacks the agent: a
 *   program beside that reports what comes would have done so before. Excused where somebody reports in its name, since it is listed
 *   for what it never read (`isReportedByOthers`), or had read another and long after was not listed (`isNotListedByReading`).
 * - `receipt-author` (`judgeAuthor`): a message lists its own author.
 * - `receipt-order` (`judgeRecorded`, `orderWitness`): one whose report came more than a second and the settle time later stands before
 *   the other, or two forms of a message list the same agents in two orders.
 * - `receipts-shrink` (`judgeGrowth`, `judgePair`): a later form lacks who was listed, though its preview is not full.
 */
export const receipts = judgeOf(
  ['receipt-on-read', 'receipt-author', 'receipt-order', 'receipts-shrink'],
  (findings, world) => {
    const listed = new Listed(world);
    for (const stream of world.streams.values()) {
      for (const showing of stream.showings()) {
        if (showing.item.receipts === undefined) continue;
        countReader(findings, listed, world, { stream, showing });
        if (showing.item.receipts.agents.length === 0) continue;
        judgeAuthor(findings, world, showing);
        judgeReported(listed, world, showing);
        judgeRecorded(findings, listed, world, showing);
      }
      for (const place of stream.all)
        if (!place.isConstant) judgeGrowth(findings, { listed, world, stream }, place);
    }
    listed.addTo(findings);
  },
);

/** Agents that are listed though they never reported: each finding by its agent, and those whose credential others use as well. */
class Listed {
  readonly #findings: { readonly agent: string; readonly finding: Finding }[] = [];
  readonly #reportedByOthers = new Set<string>();
  readonly #unlistedReaders = new Set<string>();
  readonly #world: World;
  #channelReads: ReadonlyMap<string, readonly Read[]> | undefined;
  readonly #firstReads = new Map<string, ReadonlyMap<string, Read>>();
  #reportsNaming: ReadonlyMap<string, readonly Report[]> | undefined;

  constructor(world: World) {
    this.#world = world;
  }

  /** Reads of a channel, whatever became of them. */
  readsOf(channel: string): readonly Read[] {
    this.#channelReads ??= channelReadsOf(this.#world);
    return this.#channelReads.get(`channel ${channel}`) ?? [];
  }

  /** The first read of a stream by a credential that shows a message. */
  firstRead(stream: string, credential: string, { id }: SeenMessage): Read | undefined {
    const known = this.#firstReads.get(stream) ?? firstReadsOf(this.#world.streams.get(stream));
    this.#firstReads.set(stream, known);
    return known.get(`${credential} ${id}`);
  }

  /** Reports of a channel, and those elsewhere that name its message: whether a server looks at the channel of one is not stated. */
  reportsOf({ channel = '', id = '' }: SeenMessage): readonly Report[] {
    const { reportsOf } = this.#world;
    this.#reportsNaming ??= reportsNaming(reportsOf.values());
    const named = this.#reportsNaming.get(id) ?? [];
    const elsewhere = named.filter((each) => each.channel !== channel && each.channel !== '');
    return [...(reportsOf.get(channel) ?? []), ...(reportsOf.get('') ?? []), ...elsewhere];
  }

  get isFull(): boolean {
    return this.#findings.length >= mostListedOnes;
  }

  add(agent: string, finding: Finding): void {
    this.#findings.push({ agent, finding });
  }

  /** It is listed for a message that it had not even read: somebody reports in its name. */
  isReportedByOthers(agent: string): void {
    this.#reportedByOthers.add(agent);
  }

  /** It has read a message, and long after was not listed for it: where it is listed, something else has put it there. */
  isNotListedByReading(agent: string): void {
    this.#unlistedReaders.add(agent);
  }

  addTo(findings: Findings): void {
    for (const { agent, finding } of this.#findings) {
      const isOfReading = finding.clause === 'receipts.client-reported';
      const hasOtherCause = isOfReading && this.#unlistedReaders.has(agent);
      if (!hasOtherCause && !this.#reportedByOthers.has(agent)) findings.add(finding);
    }
  }
}

function channelReadsOf({ history }: World): ReadonlyMap<string, readonly Read[]> {
  const reads = new Map<string, Read[]>();
  for (const operation of history.operations)
    if (operation.kind === 'read' && operation.call === 'channel-read')
      push(reads, operation.stream, operation);
  return reads;
}

function reportsNaming(all: Iterable<readonly Report[]>): ReadonlyMap<string, readonly Report[]> {
  const naming = new Map<string, Report[]>();
  for (const reports of all)
    for (const report of reports) for (const id of report.messages) push(naming, id, report);
  return naming;
}

/** Who first read which message when, as far as reads began: what stands by its end may have begun before others. */
function firstReadsOf(stream: Stream | undefined): ReadonlyMap<string, Read> {
  const first = new Map<string, Read>();
  for (const { read } of stream?.pages ?? [])
    for (const { message } of read.items) {
      const name = `${read.agent} ${message.id}`;
      const known = first.get(name);
      if (known === undefined || read.startedMs < known.startedMs) first.set(name, read);
    }
  return first;
}

function agentsOf({ item }: Showing): readonly string[] {
  return item.receipts?.agents ?? [];
}

/**
 * What showed so late, without an agent among its retrievals, an older mention of it in the same channel that it had not listed: another
 * program with its credential that reports what mentions it would have reported that one, too.
 */
function unreportedBefore(
  listed: Listed,
  { streams }: World,
  { sequence, origin, knownBy: { stream } }: Place,
  { agent, credentials, sinceMs }: Pick<Reader, 'agent' | 'credentials'> & { readonly sinceMs: number },
): Showing | undefined {
  const isListedBefore = ({ item, lastBy }: Showing): boolean =>
    credentials.some((each) => {
      const read = listed.firstRead(`feed ${each}`, each, item.message);
      return read !== undefined && read.startedMs < lastBy.endedMs;
    });
  for (const other of streams.get(stream)?.places ?? []) {
    if (other.sequence >= sequence) break;
    const ackedMs = ackOf(other)?.endedMs ?? Number.POSITIVE_INFINITY;
    if (ackedMs >= (origin?.firstMs ?? 0) || targetsAt(other)?.includes(`agent:${agent}`) !== true) continue;
    const unlisted = unlistedSince(other, agent, sinceMs);
    if (unlisted !== undefined && !isListedBefore(unlisted)) return unlisted;
  }
  return undefined;
}

function judgeAuthor(findings: Findings, world: World, showing: Showing): void {
  const { message } = showing.item;
  const author = message.author?.id;
  const agents = agentsOf(showing);
  if (author === undefined) return;
  findings.hold('receipts.agent-ids.no-author', !agents.includes(author), () => ({
    name: 'receipt-author',
    expected: `message ${String(message.id)}: no author among its retrievals`,
    actual: `${author} among ${agents.length}`,
    witness: [showing.knownBy, world.causeOf(message)],
    root: messageRoot(message),
  }));
}

/** An agent of ours that never reported anything of a channel, and only read. */
function judgeReported(listed: Listed, world: World, showing: Showing): void {
  const { message } = showing.item;
  const { principals } = world;
  // Messages of others may have been reported by the same agent in another run.
  if (world.originOf(message) === undefined || message.channel === undefined) return;
  const reports = listed.reportsOf(message);
  for (const agent of agentsOf(showing)) {
    const credentials = principals.credentialsOf(agent);
    if (credentials.length === 0 || agent === message.author?.id) continue;
    // Which agent an API key acts for is left open; and what began when an answer ended may have come before it.
    const isBy = (each: Operation): boolean => credentials.includes(each.agent) || !isOneAgent(each.agent);
    const mayBeBy = (each: Operation): boolean => isBy(each) && each.startedMs <= showing.knownBy.endedMs;
    if (reports.some(mayBeBy)) continue;
    judgeReader(listed, world, showing, { agent, credentials, mayBeBy, isReporting: reports.some(isBy) });
  }
}

function shows({ items }: Read, { id }: SeenMessage): boolean {
  return items.some(({ message }) => message.id === id);
}

/** An agent that is listed without a report of a message. */
interface Reader {
  readonly agent: string;
  readonly credentials: readonly string[];
  /** Whether it may have done something, and before it was listed. */
  readonly mayBeBy: (each: Operation) => boolean;
  /** Whether it ever reports: then a program beside may report for it, too. */
  readonly isReporting: boolean;
}

/** A reader that is not among the retrievals when a later read shows them. */
function countReader(
  findings: Findings,
  listed: Listed,
  { principals, settleMs }: World,
  { stream: { isFeed }, showing }: { readonly stream: Stream; readonly showing: Showing },
): void {
  const { knownBy, lastBy, item } = showing;
  const reader = principals.idOf(knownBy.agent);
  if (reader === undefined || reader === item.message.author?.id || lastBy.startedMs <= knownBy.endedMs)
    return;
  if (agentsOf(showing).includes(reader)) return;
  findings.count(isFeed ? 'mentions.records-no-retrieval' : 'receipts.client-reported');
  if (!isFeed && lastBy.startedMs > knownBy.endedMs + settleMs) listed.isNotListedByReading(reader);
}

function judgeReader(
  listed: Listed,
  world: World,
  { item: { message }, place, knownBy }: Showing,
  { agent, credentials, mayBeBy, isReporting }: Reader,
): void {
  const readBy = (name: string): Read | undefined =>
    credentials
      .map((each) => listed.firstRead(name, each, message))
      .find((read) => read !== undefined && read.startedMs < knownBy.endedMs);
  const inChannel = readBy(`channel ${message.channel}`);
  const inFeed = credentials.map((each) => readBy(`feed ${each}`)).find((read) => read !== undefined);
  const read = inChannel ?? inFeed;
  if (read === undefined) return listed.isReportedByOthers(agent);
  if (listed.isFull) return;
  const mayHaveShown = (each: Read): boolean =>
    mayBeBy(each) && (each.outcome !== 'accepted' || shows(each, message));
  // What else may have put it there.
  const other = inChannel ?? listed.readsOf(String(message.channel)).find(mayHaveShown);
  const unreported =
    other === undefined
      ? unreportedBefore(listed, world, place, {
          agent,
          credentials,
          sinceMs: knownBy.endedMs + world.settleMs,
        })
      : undefined;
  const ackedMs = ackOf(place)?.endedMs ?? Number.POSITIVE_INFINITY;
  // A program beside that reports for the agent what comes would have done so by then.
  const unlisted = unreported ?? unlistedSince(place, agent, ackedMs + world.settleMs);
  if (unlisted === undefined || (unreported === undefined && isReporting)) return;
  const [named] = credentials.flatMap((each) => world.principals.idsOf(each).get(agent) ?? []);
  listed.add(agent, {
    name: 'receipt-on-read',
    clause: unreported === undefined ? 'receipts.client-reported' : 'mentions.records-no-retrieval',
    expected: `message ${String(message.id)}: agent ${agent} not among its retrievals, since it only read it`,
    actual: 'it is listed',
    witness: [read, knownBy, world.causeOf(message), named, other, unlisted.lastBy, ackOf(unlisted.place)],
    root: messageRoot(message),
  });
}

/** Agents whose reports were acknowledged long before those of others are listed before them. */
function judgeRecorded(findings: Findings, listed: Listed, world: World, showing: Showing): void {
  const { message } = showing.item;
  const agents = agentsOf(showing);
  if (agents.length < 2 || message.channel === undefined || message.id === undefined) return;
  const times = agents.map((agent) => reportOf(listed, world, showing, agent));
  for (let index = 1; index < times.length; index += 1) {
    const [before, after] = [times[index - 1], times[index]];
    if (before === undefined || after === undefined) continue;
    const unlisted = reportedAfter(world, showing.place, {
      agent: agents[index - 1],
      own: before,
      other: after,
    });
    if (unlisted === undefined) {
      // Where neither is known to be the later one, either order is right, and shows nothing.
      if (reportedAfter(world, showing.place, { agent: agents[index], own: after, other: before }))
        findings.count('receipts.agent-ids.ordered');
      continue;
    }
    findings.add({
      name: 'receipt-order',
      clause: 'receipts.agent-ids.ordered',
      expected: `message ${message.id}: agent ${String(agents[index])} before ${String(agents[index - 1])}, which reported later`,
      actual: agents.join(', '),
      witness: [showing.knownBy, after.first, unlisted.lastBy, before.first, after.named, before.named],
      root: messageRoot(message),
    });
  }
}

/** What shows that an agent reported a message well after another had; `undefined` where nothing does. */
function reportedAfter(
  world: World,
  place: Place,
  { agent, own, other }: { readonly agent: unknown; readonly own: FirstReport; readonly other: FirstReport },
): Showing | undefined {
  // Of two recorded within one second, as far as the server's clock tells, the order is by id.
  const sinceMs = other.first.endedMs + Math.max(world.settleMs, 1000);
  return own.first.startedMs > sinceMs ? unlistedSince(place, String(agent), sinceMs) : undefined;
}

/** What showed a message so late without an agent among its retrievals: nobody else had reported one for that agent before. */
function unlistedSince(place: Place, agent: string, sinceMs: number): Showing | undefined {
  return [...place.forms].find(
    ({ item: { receipts }, lastMs }) =>
      receipts !== undefined && !receipts.hasMore && !receipts.agents.includes(agent) && lastMs > sinceMs,
  );
}

/** The first report of an agent for a message, and what told whose it was. */
interface FirstReport {
  readonly first: Report;
  readonly named: Read | undefined;
}

/** The first report of an agent for a message, if all that may be one are certain: whether one that goes to another channel counts is not stated. */
function reportOf(
  listed: Listed,
  { principals }: World,
  { item: { message } }: Showing,
  agent: string,
): FirstReport | undefined {
  const credentials = principals.credentialsOf(agent);
  const { channel, id } = message;
  if (credentials.length === 0 || channel === undefined || id === undefined) return undefined;
  const own = listed.reportsOf(message).filter((report) => credentials.includes(report.agent));
  const first = own.find(({ messages }) => messages.includes(id));
  const isCertain = own.every(
    (each) => each.outcome === 'accepted' && (each.channel === channel || each.channel === ''),
  );
  if (first === undefined || !isCertain) return undefined;
  const [named] = credentials.flatMap((each) => principals.idsOf(each).get(agent) ?? []);
  return { first, named };
}

/**
 * What shows that a later form lists agents in another order than an earlier one, with nobody left out; `undefined` when nothing does. Of two
 * recorded within one second, as far as the server's clock tells, the order is by id, so that a new one may come in between, and
 * push the last out of a full preview, unless it is known to have reported later.
 */
function orderWitness(
  { listed, world }: Seeing,
  earlier: Showing,
  later: Showing,
): Finding['witness'] | undefined {
  const [was, is] = [agentsOf(earlier), agentsOf(later)];
  const kept = is.filter((agent) => was.includes(agent));
  if (kept.some((agent, index) => was[index] !== agent)) return [];
  const inBetween = is.slice(0, kept.length < was.length ? is.length : is.indexOf(kept.at(-1) ?? ''));
  const sinceMs = earlier.knownMs + Math.max(world.settleMs, 1000);
  const late = inBetween
    .filter((agent) => !was.includes(agent))
    .map((agent) => reportOf(listed, world, later, agent))
    .find((report) => report !== undefined && report.first.startedMs > sinceMs);
  return late && [late.first, late.named];
}

/** Where forms of a message are shown. */
interface Seeing {
  readonly listed: Listed;
  readonly world: World;
  readonly stream: Stream;
}

/** Forms of one message in one stream, each held against those that were shown before it. */
function judgeGrowth(findings: Findings, seeing: Seeing, place: Place): void {
  const all = [...place.forms].filter(({ item }) => item.receipts !== undefined);
  const forms = all.slice(0, mostForms).toSorted((one, other) => one.knownMs - other.knownMs);
  for (const earlier of forms) {
    for (const later of forms) {
      // The later form was shown by a read that began after the earlier one had been.
      if (earlier === later || later.lastMs <= earlier.knownMs + seeing.world.settleMs) continue;
      judgePair(findings, seeing, { earlier, later, forms });
    }
  }
}

interface Pair {
  readonly earlier: Showing;
  readonly later: Showing;
  readonly forms: readonly Showing[];
}

function judgePair(findings: Findings, seeing: Seeing, { earlier, later, forms }: Pair): void {
  const { world, stream } = seeing;
  const { message } = later.item;
  const [was, is] = [agentsOf(earlier), agentsOf(later)];
  const clause = 'receipts.agent-ids.earlier-is-a-prefix';
  if (was.length === 0 && is.length > 0) findings.count('receipts.empty-means-none-recorded');
  if (was.every((agent, index) => is[index] === agent)) {
    if (was.length > 0) findings.count(clause);
    return;
  }
  // A preview has no least length: with more beyond it, it may end sooner than before.
  if (later.item.receipts?.hasMore === true && is.every((agent, index) => was[index] === agent)) return;
  const missing = was.filter((agent) => !is.includes(agent));
  const isShorter = missing.length > 0 && is.length < mostListed;
  const shownBy = isShorter ? [] : orderWitness(seeing, earlier, later);
  if (shownBy === undefined) return;
  const about = {
    expected: `${stream.name}, message ${String(message.id)}: a preview that begins with ${was.join(', ')}, as before`,
    actual: is.length === 0 ? 'nobody' : is.join(', '),
    root: messageRoot(message),
  };
  const cause = world.causeOf(message);
  // Shown again later, so that they were recorded all the time.
  const again = forms.find(
    (form) =>
      missing.some((agent) => agentsOf(form).includes(agent)) && form.lastMs > later.knownMs + world.settleMs,
  );
  const deniesAll = is.length === 0 && later.item.receipts?.hasMore === false;
  // The same form may have been shown before, when nobody had reported.
  const denied =
    deniesAll && again !== undefined
      ? stream.pages.find(
          ({ startedMs, endedMs, read }) =>
            startedMs > earlier.knownMs + world.settleMs &&
            endedMs + world.settleMs < again.lastMs &&
            read.items.includes(later.item),
        )
      : undefined;
  if (denied !== undefined)
    findings.add({
      ...about,
      name: 'receipts-shrink',
      clause: 'receipts.empty-means-none-recorded',
      witness: [denied.read, earlier.knownBy, again?.lastBy, cause],
    });
  findings.add({
    ...about,
    name: isShorter ? 'receipts-shrink' : 'receipt-order',
    clause,
    witness: [later.lastBy, earlier.knownBy, cause, ...shownBy],
  });
}
