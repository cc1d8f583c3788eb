import type { ClauseId } from '../../spec/index.ts';
import type { Operation, Read, Send } from '../operation.ts';
import type { SeenMessage } from '../seen-message.ts';
import { mayBeStored, type Origin } from '../world/origin.ts';
import type { World } from '../world/world.ts';
import { captured, KnownFiles, type Captured } from '../world/captured.ts';
import { judgeOf, type Findings, messageRoot, type Finding } from '../anomalies/findings.ts';
import { remembered } from '../../spec/groups.ts';

/** What a message shows is what was sent: content, type, targets, files, session, host and author, in every copy. */
export const capture = judgeOf(
  [
    'content-corruption',
    'wrong-size',
    'wrong-content-type',
    'wrong-targets',
    'wrong-files',
    'wrong-session',
    'wrong-host',
    'wrong-author',
  ],
  (findings, world) => {
    const files = new KnownFiles(world);
    const [fields, attempts] = [new Fields(), new Attempts()];
    for (const stream of world.streams.values()) {
      for (const { item, place, knownBy, lastBy } of stream.showings()) {
        const { message } = item;
        judgeSize(findings, message, knownBy);
        const origin = world.originAt(stream, place);
        if (origin !== undefined)
          judgeMessage(
            { findings, fields },
            {
              world,
              files,
              attempts: ownOf(world, attempts.of(origin), message, origin),
              message,
              read: knownBy,
              last: lastBy,
            },
          );
      }
    }
    fields.addTo(findings);
  },
);

/** So many fields of one name with a wrong value, and so many that each stream leaves out, are kept until it is known which may be. */
const mostWrong = 100;

/** A message, and the view in which it was shown. */
interface Shown {
  readonly id: string | undefined;
  readonly view: string;
  /** The call of that view, whose answers are those of one release or of two that take turns. */
  readonly call: string;
  /** The channel or the feed, as far as it shows that view. */
  readonly stream: string;
  /** The first read that showed it like this, and the last. */
  readonly reads: readonly number[];
}

/** The reads that showed it, as far as they show that view. */
function pagesOf({ reads, view }: Shown): readonly string[] {
  return reads.map((read) => `${read} ${view}`);
}

type WrongField = Finding & {
  readonly name: Captured['name'];
  /** The message that shows no such field at all, and in which view, where that is what is wrong. */
  readonly leftOut?: Shown;
};

/** So many messages, in so many reads, all without a field: no chance, and no release that takes turns with another. */
const manyMessages = 6;
const manyReads = 2;

/**
 * What is wrong with fields whose names in a send the contract does not show: it counts once a message has shown such a
 * field as it was sent. A server that never does may not know the name. A wrong value is never excused then; one that is left out is
 * - where the same message shows the field elsewhere: how copies differ is judged where they are compared;
 * - where a call shows it of one message now, and then not;
 * - on pages that show it of no message, unless the whole stream never does.
 */
class Fields {
  readonly #kept = new Map<Captured['name'], readonly Operation[]>();
  /** Those that are left out by themselves: they may be excused, and are many then. */
  readonly #wrong = new Map<string, WrongField[]>();
  /** The fields that each message, each page, and each message in each view, has shown as they were sent, and the latter left out. */
  readonly #right = new Set<string>();
  readonly #leftOut = new Set<string>();
  /** By field and stream, what was shown without it, and by which reads. */
  readonly #lacking = new Map<
    string,
    { readonly ids: Set<string | undefined>; readonly reads: Set<number> }
  >();
  /** Fields that a call shows of a message at one time, and leaves out at another in the same view. */
  readonly #changing = new Set<string>();

  keep(name: Captured['name'], on: Shown, ...shown: readonly Operation[]): void {
    const { id, view, call, stream } = on;
    for (const where of [id, ...pagesOf(on), stream, view, `${view} ${id}`])
      this.#right.add(`${name} ${where}`);
    if (this.#leftOut.has(`${name} ${view} ${id}`)) this.#changing.add(`${name} ${call}`);
    if (!this.#kept.has(name)) this.#kept.set(name, shown);
  }

  wrong(field: WrongField): void {
    const { name, leftOut } = field;
    const inView = `${name} ${leftOut?.view} ${leftOut?.id}`;
    if (leftOut !== undefined) {
      this.#leftOut.add(inView);
      const ofStream = this.#lacking.get(`${name} ${leftOut.stream}`) ?? { ids: new Set(), reads: new Set() };
      this.#lacking.set(`${name} ${leftOut.stream}`, ofStream);
      ofStream.ids.add(leftOut.id);
      for (const read of leftOut.reads) ofStream.reads.add(read);
    }
    if (this.#right.has(inView)) this.#changing.add(`${name} ${leftOut?.call}`);
    const kind = `${name} ${leftOut?.stream}`;
    const known = this.#wrong.get(kind) ?? [];
    if (known.length < mostWrong) known.push(field);
    this.#wrong.set(kind, known);
  }

  /**
   * Excused: a field that is missing on a whole page, as where two releases take turns; how copies differ is judged where they are compared.
   * Not excused: a stream that never shows the field, in six messages and two reads, while another stream of that view does.
   */
  #mayBeOfPage(name: Captured['name'], on: Shown): boolean {
    const { stream, view } = on;
    if (pagesOf(on).some((page) => this.#right.has(`${name} ${page}`))) return false;
    if (this.#right.has(`${name} ${stream}`) || !this.#right.has(`${name} ${view}`)) return true;
    const { ids, reads } = this.#lacking.get(`${name} ${stream}`) ?? {};
    return (ids?.size ?? 0) < manyMessages || (reads?.size ?? 0) < manyReads;
  }

  addTo(findings: Findings): void {
    for (const fields of this.#wrong.values())
      for (const { leftOut, ...field } of fields) {
        const { name } = field;
        const kept = this.#kept.get(name);
        if (kept === undefined) break;
        if (
          (leftOut !== undefined && this.#mayBeOfPage(name, leftOut)) ||
          (leftOut !== undefined && this.#right.has(`${name} ${leftOut.id}`))
        )
          continue;
        if (this.#changing.has(`${name} ${leftOut?.call}`)) continue;
        findings.add({ ...field, witness: [...field.witness, ...kept] });
      }
  }
}

/** Where what is found goes: at once, or once it is known whether the server has the field. */
interface Noted {
  readonly findings: Findings;
  readonly fields: Fields;
}

/** One message beside what was sent. */
interface Case {
  readonly world: World;
  readonly files: KnownFiles;
  /** Those that may have made it, by their ends. */
  readonly attempts: readonly Send[];
  readonly message: SeenMessage;
  /** The first read that showed it like this, and the last. */
  readonly read: Read;
  readonly last: Read;
}

/**
 * Attempts without those that were answered with another message than the one that is shown, which is shown too: then this one is not
 * theirs. An answer that shows a message of somebody else says nothing: it may be the one before it, in the same text.
 */
function ownOf(
  { principals }: World,
  attempts: readonly Send[],
  { id }: SeenMessage,
  { places }: Origin,
): readonly Send[] {
  if (places.length < 2) return attempts;
  const isBySomebodyElse = ({ agent, shown }: Send): boolean => {
    const [sender, author] = [principals.idOf(agent), shown?.author?.id];
    return sender !== undefined && author !== undefined && sender !== author;
  };
  return attempts.filter(
    (attempt) =>
      attempt.shown?.id === undefined ||
      attempt.shown.id === id ||
      isBySomebodyElse(attempt) ||
      !places.some((place) => place.id === attempt.shown?.id),
  );
}

function judgeMessage(noted: Noted, each: Case): void {
  const { findings } = noted;
  const { attempts, message, read, world } = each;
  const { content } = message;
  if (content === undefined) return;
  if (attempts.some(({ stores }) => stores === 'nothing')) return;
  const [first] = attempts;
  if (first === undefined) return;
  const same =
    attempts.length === 1 && first.content?.digest === content.digest
      ? attempts
      : attempts.filter((attempt) => attempt.content?.digest === content.digest);
  findings.hold('message.content.unaltered', same.length > 0, () => ({
    name: 'content-corruption',
    expected: `message ${String(message.id)}: the text that was sent, of ${first.content?.bytes} bytes`,
    actual: `another one, of ${content.bytes} bytes`,
    witness: [first, read, ...toldBy(first, world)],
    root: messageRoot(message),
  }));
  const sent = same.length > 0 ? same : attempts;
  if (!sent.every(({ stores }) => stores === 'all')) return;
  for (const field of captured) judgeField(noted, each, field, sent);
  judgeAuthor(findings, each, sent);
}

/** What tells in traffic that an answer in another text shows what the service made of its send. */
function toldBy({ shown, content }: Send, { sends, history }: World): readonly Operation[] {
  const isOther = shown?.content !== undefined && shown.content.digest !== content?.digest;
  return isOther && history.facts.isPartial === true ? sends.tellingAnswers : [];
}

/** Attempts that may have made a message: the accepted ones, or else those that nobody knows of. Those that say the same stand for each other. */
class Attempts {
  readonly #known = new Map<Origin, readonly Send[]>();

  of(origin: Origin): readonly Send[] {
    const [only] = origin.sent;
    if (origin.sent.length === 1 && only?.attempts.length === 1)
      return mayBeStored(only) ? only.attempts : [];
    return remembered(this.#known, origin, () => differentOf(origin));
  }
}

function differentOf({ sent }: Origin): readonly Send[] {
  const attempts = sent
    .filter(mayBeStored)
    .flatMap((each) => each.attempts.filter(({ outcome }) => outcome !== 'refused'));
  return [...new Map(attempts.toReversed().map((each) => [sayingOf(each), each])).values()].toReversed();
}

/** What a send says and who says it; what becomes of targets and files depends on when it was. */
function sayingOf(send: Send): string {
  const { agent, content, contentType, session, host, stores, targets, files, index } = send;
  const isTimed = targets.length > 0 || files.length > 0;
  return JSON.stringify([agent, content?.digest, contentType, session, host, stores, isTimed && index]);
}

/** The view that a read is: of a channel or a feed, and of what the reader wrote or of what others did; of an unknown reader its own. */
function viewOf({ principals }: World, { author }: SeenMessage, { call, agent }: Read): string {
  const reader = principals.idOf(agent);
  return `${call} ${reader === undefined ? agent : reader === author?.id ? 'own' : 'of others'}`;
}

/** A field is right when it is what one of the attempts sent. */
function judgeField(
  { findings, fields }: Noted,
  { world, files, message, read, last }: Case,
  { name, clauseOf, problemOf }: Captured,
  sent: readonly Send[],
): void {
  const [send, ...others] = sent;
  const problem = send && problemOf(send, message, { world, files });
  if (send === undefined || problem === undefined) return;
  const further = others.map((other) => problemOf(other, message, { world, files }));
  if (further.includes(undefined)) return;
  const clause: ClauseId = clauseOf(send);
  const view = viewOf(world, message, read);
  const shown = {
    id: message.id,
    view,
    call: read.call,
    stream: `${read.stream} ${view}`,
    reads: [read.index, last.index],
  };
  if (problem === 'right' || further.includes('right')) {
    findings.count(clause);
    fields.keep(name, shown, send, read);
    return;
  }
  const wrong = {
    name,
    clause,
    expected: `message ${String(message.id)}: ${problem.expected}`,
    actual: problem.actual,
    witness: [send, read, ...(problem.witness ?? [])],
    decides: read,
    root: messageRoot(message),
  };
  if (problem.isExtra === true || name === 'wrong-content-type') findings.add(wrong);
  else {
    fields.wrong({ ...wrong, ...(problem.isLeftOut === true && { leftOut: shown }) });
  }
}

/** The author is one of the agents that sent it; those whose id no answer named say nothing. */
function judgeAuthor(findings: Findings, { world, message, read }: Case, sent: readonly Send[]): void {
  const shown = message.author?.id;
  const [send] = sent;
  if (shown === undefined || send === undefined) return;
  const ids = sent.map(({ agent }) => world.principals.idOf(agent));
  if (ids.includes(undefined) || world.history.facts.isPartial === true) return;
  if (ids.includes(shown)) {
    findings.count('author.is-the-agent');
    return;
  }
  const named: readonly Operation[] = [...world.principals.idsOf(send.agent).values()];
  findings.add({
    name: 'wrong-author',
    clause: 'author.is-the-agent',
    expected: `message ${String(message.id)} by agent ${String(ids[0])}, which sent it`,
    actual: `by ${shown}`,
    witness: [send, read, ...named],
    decides: read,
    root: messageRoot(message),
  });
}

function judgeSize(findings: Findings, message: SeenMessage, read: Read): void {
  const { content, sizeBytes } = message;
  if (content === undefined || sizeBytes === undefined) return;
  findings.hold('message.size-bytes.is-utf8-length', sizeBytes === content.bytes, () => ({
    name: 'wrong-size',
    expected: `message ${String(message.id)}: size_bytes ${content.bytes}, the length of its content in UTF-8`,
    actual: `size_bytes ${sizeBytes}`,
    witness: [read],
    root: messageRoot(message),
  }));
}
