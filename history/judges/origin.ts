import { isUuid } from '../../spec/index.ts';
import type { Read, Send } from '../operation.ts';
import type { SeenMessage } from '../seen-message.ts';
import type { Place, Showing } from '../world/sight.ts';
import type { Origin } from '../world/origin.ts';
import type { Stream } from '../world/stream.ts';
import type { World } from '../world/world.ts';
import { judgeOf, type Findings, messageRoot } from '../anomalies/findings.ts';

/** Where messages come from: nothing of a refused send, nothing that nobody sent, and everything in its own channel. */
export const origin = judgeOf(
  ['aborted-read', 'conflict-applied', 'unexpected', 'cross-channel-leak'],
  (findings, world) => {
    const shown = new Set<Origin>();
    for (const stream of world.streams.values()) {
      for (const place of stream.all) {
        const from = world.originAt(stream, place);
        if (from === undefined) judgeUnsent(findings, stream, place, world);
        else {
          if (from.hasRefused) shown.add(from);
          // What carries no marker may also be of a send whose content nobody knows.
          if (from.marker !== undefined || world.sends.firstUnknownMs >= place.knownMs)
            judgeRefused(findings, stream, place, { from, world });
          judgeChannel(findings, stream, place, { from, world });
        }
      }
      for (const showing of stream.showings()) judgeNamedChannel(findings, stream, showing, world);
    }
    // In traffic a message is known by the answer to its send, and one that was refused has none.
    if (world.history.facts.isPartial !== true) countRefused(findings, world, shown);
  },
);

/** A refused send is put to the test when its channel was read afterwards. */
function countRefused(findings: Findings, { sends, streams }: World, shown: ReadonlySet<Origin>): void {
  for (const from of sends.all()) {
    if (!from.hasRefused || shown.has(from)) continue;
    for (const { standing, channel, attempts } of from.sent) {
      const read = streams.get(`channel ${channel}`)?.pages.at(-1)?.read;
      if (read === undefined || read.startedMs <= (attempts[0]?.endedMs ?? 0)) continue;
      if (standing === 'refused') findings.count('send.refused-stores-nothing');
      if (standing === 'conflict') findings.count('send.conflict-stores-nothing');
    }
  }
}

function judgeRefused(
  findings: Findings,
  { channel }: Stream,
  { item, knownBy }: Place,
  { from, world: { principals } }: { readonly from: Origin; readonly world: World },
): void {
  const { sent, marker } = from;
  if (!from.hasRefused) return;
  // What a body that servers read in different ways left may be the very text that was refused in another form.
  if (sent.some(({ attempts }) => attempts.some(isTakenSomehow))) return;
  // Sends may share a marker; of those with the very text that is shown, to this channel, one has to be accepted.
  const alike = sent.filter(({ content }) => content.digest === item.message.content?.digest);
  const here = alike.filter((each) => each.channel === channel);
  const possible = here.length > 0 ? here : alike.length > 0 ? alike : sent;
  if (!possible.every(({ standing }) => standing === 'refused' || standing === 'conflict')) return;
  // A short text may be that of others, and what was accepted elsewhere may be repeated here.
  const mayBeOfOthers = marker === undefined || possible.length < alike.length;
  const author = item.message.author?.id;
  const senders = possible.map((each) => principals.authorOf(each) ?? principals.usualAuthorOf(each.agent));
  if (mayBeOfOthers && (author === undefined || !senders.includes(author))) return;
  const refusal = possible.flatMap(({ attempts }) => attempts)[0];
  const isConflict = possible.some(({ standing }) => standing === 'conflict');
  findings.add({
    name: isConflict ? 'conflict-applied' : 'aborted-read',
    clause: isConflict ? 'send.conflict-stores-nothing' : 'send.refused-stores-nothing',
    expected: `nothing of a send that was refused with status ${String(refusal?.status)}`,
    actual: `message ${String(item.message.id)} in ${knownBy.stream}`,
    witness: [refusal, knownBy],
    root: messageRoot(item.message),
  });
}

function isTakenSomehow({ stores, outcome }: Send): boolean {
  return stores === 'nothing' && outcome !== 'refused';
}

/** A marker of the run that was never sent, by one of its agents; while any content is unknown, it may be that one. */
function judgeUnsent(
  findings: Findings,
  { name }: Stream,
  { id, item, knownBy, knownMs }: Place,
  world: World,
): void {
  const { content, author } = item.message;
  const marker = content?.marker;
  if (marker === undefined || world.contradicted.has(marker) || world.quotations.has(id)) return;
  if (author?.id !== undefined && world.principals.isAnother(author.id)) return;
  if (world.sends.firstUnknownMs < knownMs) return;
  findings.add({
    name: 'unexpected',
    clause: 'channel-read.nothing-unsent',
    expected: `${name}: nothing that nobody sent`,
    actual: `message ${String(item.message.id)} with ${marker}`,
    witness: [knownBy],
    root: messageRoot(item.message),
  });
}

function judgeChannel(
  findings: Findings,
  { channel }: Stream,
  { item, knownBy }: Place,
  { from: { sent, marker }, world: { history } }: { readonly from: Origin; readonly world: World },
): void {
  // In traffic others send as well: without a marker nothing tells what nobody sent.
  if (marker !== undefined || history.facts.isPartial !== true) findings.count('channel-read.nothing-unsent');
  if (channel === undefined || marker === undefined) return;
  const isKept = sent.some((each) => each.channel === channel);
  if (!isKept && ![channel, ...sent.map((each) => each.channel)].every(isSpelledOut)) return;
  findings.hold('send.to-the-named-channel', isKept, () => ({
    name: 'cross-channel-leak',
    expected: `message ${String(item.message.id)} in channel ${String(sent[0]?.channel)} alone, where it was sent to`,
    actual: `it stands in channel ${channel}`,
    witness: [sent[0]?.ack ?? sent[0]?.attempts[0], knownBy],
    root: messageRoot(item.message),
  }));
}

/** The channel that a message names is the one it is read in, or was sent to. */
function judgeNamedChannel(
  findings: Findings,
  stream: Stream,
  { item, knownBy }: Showing,
  world: World,
): void {
  const { message } = item;
  const from = world.originOf(message);
  const channels = channelsOf(stream, from);
  if (message.channel === undefined || channels.length === 0) return;
  findings.hold('message.channel-id.is-its-channel', channels.includes(message.channel), () => ({
    name: 'cross-channel-leak',
    expected: `message ${String(message.id)} to name channel ${channels.join(' or ')}`,
    actual: `it names ${message.channel}`,
    witness: blame(world, message, knownBy),
    root: messageRoot(message),
  }));
}

function channelsOf({ channel }: Stream, from: Origin | undefined): readonly string[] {
  const channels = channel === undefined ? new Set(from?.sent.map((sent) => sent.channel)) : [channel];
  return [...channels].every(isSpelledOut) ? [...channels] : [];
}

/** Of another spelling of an id, or a name, servers may make one that is there: which channel was asked for is open then. */
function isSpelledOut(channel: string | undefined): boolean {
  return channel !== undefined && isUuid(channel);
}

/** The send that a message comes from, and the read that showed it. */
function blame(world: World, message: SeenMessage, read: Read): readonly (Send | Read | undefined)[] {
  return [world.causeOf(message), read];
}
