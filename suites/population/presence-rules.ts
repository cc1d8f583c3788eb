import { isRecord } from '../../spec/calls/index.ts';
import { isRefusedAsInvalid, statusOf } from '../../harness/client/exchange.ts';
import type { PageItem } from '../../harness/stream/page.ts';
import { describeAnswer } from '../../harness/verdict/outcome.ts';
import { judgeEach, type Problem } from '../../spec/oracles/values/judgement.ts';
import { showsTarget, type NamedTarget } from '../../spec/oracles/messages/targets.ts';
import { classOf } from '../../history/world/walks.ts';
import type { ClauseId } from '../../spec/index.ts';
import { asText } from '../../spec/oracles/values/json-texts.ts';
import { sharedBy, siblings } from '../arrange/mentions/shared-principals.ts';
import type { Person, ReaderName } from './people.ts';
import type { Population } from './population.ts';
import { itemsOf, type PopulationRead } from './reads.ts';
import type { Sent } from './sent.ts';
import { copiesOf, each, isOfChannel, isOfFeed, together, type Rule, type Verdict } from './rule.ts';

/** Which messages come to which feed, and that every one that was accepted is in its channel. */
export const presenceRules: readonly Rule[] = [
  {
    ...listsAll(
      'mentions.matches-agent-target',
      'feeds-list-all-that-names-the-agent',
      'every message that names the agent is listed',
      'agent',
    ),
    shows: 'mentions',
  },
  listsAll(
    'mentions.matches-human-target',
    'feeds-list-all-that-names-the-human',
    'every message that names the human behind an agent is listed',
    'user',
  ),
  listsAll(
    'mentions.matches-machine-target',
    'feeds-list-all-that-names-the-machine',
    'every message that names the machine of an agent is listed',
    'machine',
  ),
  {
    clause: 'mentions.across-channels',
    slug: 'feeds-span-the-channels',
    title: 'every mention in the second channel is listed',
    needs: ['reader', 'second-channel', 'mentions-binding'],
    judge: (all) =>
      together(
        [...all.people.values()].map((reader) =>
          judgeListed(
            all,
            reader,
            (sent) => sent.case.channel === 'second' && waysTo(all, sent, reader).length > 0,
          ),
        ),
      ),
  },
  {
    clause: 'mentions.status-is-200',
    slug: 'feeds-are-answered-with-200',
    title: 'every page of a feed that is accepted has status 200, more after it or not',
    needs: ['reader', 'mentions-binding'],
    judge: (all) =>
      each(
        all.reads.filter(isOfFeed),
        ({ exchange }) =>
          judgeEach([statusOf(exchange)], (status) =>
            status === 200 ? undefined : { expected: 'status 200', actual: describeAnswer(exchange) },
          ),
        ({ exchange }) => [exchange],
      ),
  },
  {
    clause: 'service.sent-is-readable',
    slug: 'every-accepted-message-is-readable',
    title: 'every accepted message is in its channel, whatever it carries',
    needs: [],
    shows: 'channel-read',
    judge: (all) => judgeReadable(all, 'author'),
  },
  {
    clause: 'service.channels-are-shared',
    slug: 'every-reader-sees-every-message',
    title: 'every accepted message is there for every agent that reads its channel',
    needs: ['reader'],
    judge: (all) =>
      together(
        [...all.people.keys()].filter((name) => name !== 'author').map((name) => judgeReadable(all, name)),
      ),
  },
  {
    clause: 'send.parts-go-together',
    slug: 'what-is-taken-alone-is-taken-together',
    title: 'a send is accepted when every value that it carries is accepted in other sends',
    needs: [],
    judge: judgeTogether,
  },
];

/** What a send carries, as far as a server has no reason to take one part only without another. */
const parts = ['channel', 'target', 'text', 'length', 'files', 'session', 'host'] as const;

/**
 * A refused send of which every part was accepted with others, of an agent or of an API key as this one. What a content type demands of a
 * text is left open.
 */
function judgeTogether({ sent, refused }: Population): Verdict {
  const isByKey = ({ case: { sender } }: Sent): boolean => sender === 'api-key';
  const isOrdinary = ({ case: own }: Sent): boolean => own.special === undefined && own.type === 'default';
  const isRefused = ({ exchange }: Sent): boolean => isRefusedAsInvalid(exchange);
  const withPart = (of: Sent, part: (typeof parts)[number]): Sent | undefined =>
    sent.find(
      (each) => isOrdinary(each) && isByKey(each) === isByKey(of) && each.case[part] === of.case[part],
    );
  // A file may be of use once, or to whoever put it there alone.
  const attached = sent.flatMap(({ files }) => files);
  const isOfUseAgain = new Set(attached).size < attached.length;
  const mayAttach = ({ files, case: { sender } }: Sent): boolean =>
    files.length === 0 ||
    (isOfUseAgain && sent.some((each) => each.files.length > 0 && each.case.sender === sender));
  const meant = refused.filter(
    (each) =>
      isOrdinary(each) &&
      isRefused(each) &&
      mayAttach(each) &&
      parts.every((part) => withPart(each, part) !== undefined),
  );
  const accepted = sent.filter(isOrdinary);
  return each(
    [...meant, ...accepted],
    (one) =>
      judgeEach([one], ({ exchange, case: own }) =>
        meant.includes(one)
          ? {
              expected: `a success: others with each of ${parts.map((part) => own[part]).join(', ')} are accepted`,
              actual: describeAnswer(exchange),
            }
          : undefined,
      ),
    (one) => [one.exchange, ...parts.flatMap((part) => withPart(one, part)?.exchange ?? []).slice(0, 3)],
  );
}

function listsAll(clause: ClauseId, slug: string, title: string, kind: NamedTarget['kind']): Rule {
  return {
    clause,
    slug,
    title,
    needs: ['reader', 'mentions-binding'],
    judge: (all) =>
      together(
        [...all.people.values()].map((reader) =>
          judgeListed(
            all,
            reader,
            (sent) => waysTo(all, sent, reader)[0] === kind,
            // That a kind leads there is shown by what comes in no other way.
            (sent) => waysTo(all, sent, reader).length === 1,
          ),
        ),
      ),
  };
}

/**
 * Through which of its targets a message comes to somebody's feed, the agent first; none if it need not: what another agent of
 * the same human or machine sent may count as self-authored.
 */
function waysTo(
  { people }: Population,
  { targets, case: { sender } }: Sent,
  reader: Person,
): readonly NamedTarget['kind'][] {
  if (sender === reader.name || isOfOne(people.get(sender), reader)) return [];
  const own = [
    { kind: 'agent', id: reader.agentId },
    { kind: 'user', id: reader.humanUserId },
    { kind: 'machine', id: reader.machineId },
  ] as const;
  return own.flatMap(({ kind, id }) => (id !== undefined && showsTarget(targets, { kind, id }) ? kind : []));
}

/** Whether two share a human or a machine, as the reader and its peer do. */
function isOfOne(one: Person | undefined, other: Person): boolean {
  if (one === undefined) return false;
  return (siblings.has(one.name) && siblings.has(other.name)) || sharedBy(one, other) !== undefined;
}

/** What must be in somebody's feed is on the last walk of it, or was on an earlier page. */
function judgeListed(
  all: Population,
  reader: Person,
  isMeant: (sent: Sent) => boolean,
  isProof: (sent: Sent) => boolean = () => true,
): Verdict {
  // Only what its channel shows with its targets can be expected.
  const taken = new Set(
    copiesOf(all, isOfChannel)
      .filter(({ item, sent }) =>
        sent.targets.every((target) => showsTarget(item.message['mentions'], target)),
      )
      .map(({ sent }) => sent),
  );
  const isOwn = (page: PopulationRead): boolean => isOfFeed(page) && page.reader === reader.name;
  return judgeThere(
    all,
    all.sent.filter((sent) => isMeant(sent) && taken.has(sent)),
    isOwn,
    // Mentions may be kept for each target by itself: those of other agents have no part in it, where others are named beside.
    ({ targets }) => {
      const own = targets.filter(({ kind, id }) => kind !== 'agent' || id === reader.agentId);
      return (own.length > 0 ? own : targets).map(({ kind, id }) => `${kind} ${id}`);
    },
    { isOfTargets: true, isProof },
  );
}

function judgeReadable(all: Population, name: ReaderName): Verdict {
  const isOwn = (page: PopulationRead): boolean => isOfChannel(page) && page.reader === name;
  const channels = new Set(all.last.filter(isOwn).map(({ of }) => of));
  return judgeThere(
    all,
    all.sent.filter(({ case: { channel } }) => channels.has(channel)),
    isOwn,
    // What names somebody may be kept for longer.
    ({ targets }) => targets.slice(0, 1).map(() => 'somebody'),
    // The newest messages of a population are one of each sender in each channel, so that whoever keeps few of each has one.
    { isEverySenderHeard: true },
  );
}

/** Whom a message names of those by whom a feed may list it. */
type Names = (sent: Sent) => readonly string[];

/** A walk of a stream after all was sent: when it began, and what it shows. */
interface Look {
  readonly startedMs: number;
  readonly shown: ReadonlySet<Sent>;
  /** Of all messages, of the population or not, in the order of the walk. */
  readonly items: readonly PageItem[];
}

/** A message that may be missing, and what that is held against. */
interface Candidate {
  readonly sent: Sent;
  readonly names: Names;
  /** Whether one tells whether another is there. */
  readonly isBeside: (one: Sent, other: Sent) => boolean;
  /** Whether a message of its kind, by length and by whom it names, was ever shown. */
  readonly isKindShown: boolean;
  /** What is newer takes the place of what names the same targets, whoever sent it and wherever. */
  readonly isOfTargets: boolean;
}

/** How a stream keeps messages. */
interface Kept {
  /** Where nothing of one sender in a channel is there, what others sent tells of it. */
  readonly isEverySenderHeard?: boolean;
  /** By target, in the order of age and length, over all channels and senders. */
  readonly isOfTargets?: boolean;
  /** Of which messages it proves something that they are there; all if left out. */
  readonly isProof?: (sent: Sent) => boolean;
}

/**
 * Messages are there. One that is missing is a failure only between two of its sender in its channel that are there: one acknowledged
 * before it was sent, and one sent after it was acknowledged. What that rests on is in docs/decisions/reading-streams.md:
 * - Retention that takes the older first has taken the older one before; one that takes the longer first too, if that is no shorter
 *   and of no other kind.
 * - Nothing goes soon, unless newer ones that are as long together took its place, and that of older ones of its target before; and a
 *   kind that never shows was dropped.
 * - A target may keep few mentions, so that one says nothing of another that does not name all that it names, and one of any channel
 *   says it then.
 * - Where every sender has to be heard, and nothing of one is there at all, not even the newest or what it sent besides, those of all
 *   others tell it.
 */
function judgeThere(
  all: Population,
  meant: readonly Sent[],
  isOwn: (page: PopulationRead) => boolean,
  names: Names,
  { isEverySenderHeard = false, isOfTargets = false, isProof = () => true }: Kept,
): Verdict {
  const known = new Set(copiesOf(all, isOwn).map(({ sent }) => sent));
  const beside = isEverySenderHeard ? heardOtherwise(all, isOwn) : [];
  const heard = new Set([...[...known].map(senderAndChannel), ...beside]);
  const isBeside = (one: Sent, other: Sent): boolean =>
    senderAndChannel(one) === senderAndChannel(other) ||
    (isEverySenderHeard && !heard.has(senderAndChannel(other)) && one.channelId === other.channelId);
  const looks = [all.soon, all.first, all.last].flatMap((walks) =>
    (['first', 'second', 'feed'] as const).map((of) =>
      lookOf(
        all,
        walks.filter((page) => isOwn(page) && page.of === of),
      ),
    ),
  );
  const kind = (sent: Sent): string => classOf(bytesOf(sent), { ...sent, targets: names(sent).toSorted() });
  const kindsShown = new Set([...known].map(kind));
  const isMissed = (sent: Sent, keptMs: number): boolean => {
    const candidate = { sent, names, isBeside, isKindShown: kindsShown.has(kind(sent)), isOfTargets };
    return looks.some((look) => isMissedBy({ ...all, keptMs }, look, candidate));
  };
  const pages = all.last.filter(isOwn).slice(0, 1);
  const unseen = meant.filter((sent) => !known.has(sent));
  const missed = new Set(unseen.filter((sent) => isMissed(sent, all.keptMs)));
  const late = unseen.filter((sent) => !missed.has(sent) && isMissed(sent, Infinity));
  const verdict = each(
    meant.filter((sent) => missed.has(sent) || (known.has(sent) && isProof(sent))),
    (sent) => judgeEach([sent], (message) => (known.has(message) ? undefined : missing(message))),
    (sent) => [sent.exchange, ...pages.map(({ exchange }) => exchange)],
  );
  const [first] = late;
  if (first === undefined) return verdict;
  const what = late.length === 1 ? 'an accepted message is' : `${late.length} accepted messages are`;
  const open = `${what} missing, such as ${first.marker} of ${bytesOf(first)} bytes, and was read so late that it may be gone by then`;
  return { ...verdict, open };
}

/** The senders of whom a channel shows anything: what they sent besides may have taken the place of all that is of the population. */
function heardOtherwise(
  { people, sent, reads }: Population,
  isOwn: (page: PopulationRead) => boolean,
): readonly string[] {
  const names = new Map([...people.values()].map(({ name, agentId }) => [agentId, name]));
  return reads.filter(isOwn).flatMap(({ of, items }) => {
    const channelId = sent.find(({ case: { channel } }) => channel === of)?.channelId;
    const authors = new Set(
      items.map(({ message: { author } }) => (isRecord(author) ? author['id'] : undefined)),
    );
    return [...authors].map((id) => `${names.get(asText(id))} ${channelId}`);
  });
}

function senderAndChannel({ case: { sender }, channelId }: Sent): string {
  return `${sender} ${channelId}`;
}

function lookOf(all: Population, pages: readonly PopulationRead[]): Look {
  const own = new Set(pages);
  return {
    startedMs: Math.min(...pages.map(({ exchange }) => exchange.startedMs)),
    shown: new Set(copiesOf(all, (page) => own.has(page)).map(({ sent }) => sent)),
    items: itemsOf(pages),
  };
}

/**
 * Whether a look shows that a message is missing. Of three that one author sent to one channel one after the other, the second is missing
 * where the third is shown, and
 * - the first as well, which names nobody else and is at least as long: whatever forgets the second had forgotten the first before;
 * - or, soon after the second was sent, the first or another older one, and nothing newer as long as the second may have taken its place.
 */
function isMissedBy(all: Population, look: Look, candidate: Candidate): boolean {
  const { sent, names, isBeside, isKindShown, isOfTargets } = candidate;
  const { settleMs, keptMs } = all;
  const { startedMs, shown } = look;
  const { exchange } = sent;
  const beside = [...shown].filter((each) => isBeside(each, sent));
  if (!beside.some((each) => each.exchange.startedMs > exchange.endedMs)) return false;
  const ageMs = startedMs - exchange.endedMs;
  const isSoon = ageMs > settleMs && ageMs <= keptMs;
  const named = names(sent);
  const namesNoOther = (each: Sent): boolean => names(each).every((name) => named.includes(name));
  const isOlder = (each: Sent): boolean => each.exchange.endedMs < exchange.startedMs;
  const wouldBeGone = (each: Sent): boolean =>
    isOlder(each) && namesNoOther(each) && isKeptNoLonger(each, sent);
  if (beside.some(wouldBeGone)) return true;
  if (!isSoon || !beside.some(isOlder)) return false;
  if (![...shown].some((each) => isOlder(each) && namesNoOther(each))) return false;
  const mayBeReplaced = isKindShown && !(isOfTargets && [...shown].some(wouldBeGone));
  return !(mayBeReplaced && isReplaced(all, look, sent, isOlder));
}

/** Whether what stands after all that is older is as long together as a message: then it may have taken its place. */
function isReplaced(
  { sentOf }: Population,
  { items }: Look,
  sent: Sent,
  isOlder: (each: Sent) => boolean,
): boolean {
  const last = items.findLastIndex((item) => {
    const shown = sentOf(item);
    return shown !== undefined && isOlder(shown);
  });
  const newer = items.slice(last + 1).map(({ content = '' }) => Buffer.byteLength(content));
  return newer.reduce((sum, bytes) => sum + bytes, 0) >= bytesOf(sent);
}

/** Whether a server forgets one message before another, whichever length goes first. */
function isKeptNoLonger(one: Sent, other: Sent): boolean {
  const [bytes, least] = [bytesOf(one), bytesOf(other)];
  const classAlone = (sent: Sent): string => classOf(bytesOf(sent), { ...sent, targets: [] });
  return bytes >= least && classAlone(one) === classAlone(other);
}

function bytesOf({ text }: Sent): number {
  return Buffer.byteLength(text);
}

function missing({ marker, targets, case: { special, ...own } }: Sent): Problem {
  const what = Object.values(own).join(', ');
  const more = special === undefined ? '' : `, with ${targets.length} targets of its own`;
  return {
    expected: `the accepted message ${marker} (${what}${more})`,
    actual: 'it is missing between others',
  };
}
