import type { History, Read, Send } from '../operation.ts';
import { declarations, type Declaration } from './declared.ts';
import type { DimensionName, Values } from './dimensions.ts';
import { Situations } from './values.ts';

/** What an answer put to the test, and its values in the dimensions that a declaration of its subject may be along. */
export interface Situation {
  readonly subject: Declaration['subject'];
  readonly call: Read['call'];
  readonly values: Values;
}

/** The situations of a history, each about once: accepted reads, and the messages on them that the run sent. */
export function* situationsIn(history: History): Generator<Situation> {
  const known = new Situations(history);
  const sends = new Map<string, Send>();
  for (const each of history.operations) {
    const marker = each.kind === 'send' && each.outcome === 'accepted' ? keyOf(each.content) : undefined;
    if (marker !== undefined) sends.set(marker, each as Send);
  }
  const alike = new Alike();
  const valuesOfSends = new Map([...sends.values()].map((send) => [send, alike.of(known.ofSend(send))]));
  // Whether something is listed that should not be is put to the test by every send.
  for (const values of new Set(valuesOfSends.values()))
    yield { subject: 'presence', call: 'mentions', values };
  const told = new Told();
  for (const read of history.operations) {
    if (read.kind !== 'read' || read.outcome !== 'accepted' || !read.isBaseline) continue;
    const { call } = read;
    const ofRead = alike.of(known.ofRead(read));
    if (told.isNew(ofRead, 'page')) yield { subject: 'page', call, values: ofRead };
    // A cursor that was issued lies in the middle of its stream as any other does.
    if (ofRead.cursor === 'issued') yield { subject: 'page', call, values: { ...ofRead, cursor: 'middle' } };
    const ofItems = alike.of(ofMessages(ofRead));
    for (const { message } of read.items) {
      const send = sends.get(keyOf(message.content) ?? '');
      const ofSend = send && valuesOfSends.get(send);
      if (send === undefined || ofSend === undefined) continue;
      const after = isAlong('after') ? known.after(send, message, read).after : undefined;
      if (!told.isNew(ofItems, after ?? '', ofSend)) continue;
      const values = { ...ofItems, ...ofSend, ...(after && { after }) };
      yield { subject: 'message', call, values };
      yield { subject: 'presence', call, values };
    }
  }
}

/** A text without a marker is told by itself. */
function keyOf(content: Send['content']): string | undefined {
  return content?.marker ?? content?.digest;
}

let along: ReadonlySet<DimensionName> | undefined;

/** Whether a rule about messages could be broken along a dimension. */
function isAlong(name: DimensionName): boolean {
  along ??= new Set(
    Object.values(declarations).flatMap((each) => (each.subject === 'page' ? [] : each.along)),
  );
  return along.has(name);
}

/** What of the read of a page makes a difference to its messages. */
function ofMessages({ call, ...values }: Values): Values {
  const kept = Object.entries(values).filter(([name]) => isAlong(name as DimensionName));
  return { ...(call && { call }), ...Object.fromEntries(kept) };
}

/** One object for all values that are alike. */
class Alike {
  readonly #known = new Map<string, Values>();

  of(values: Values): Values {
    const key = JSON.stringify(values);
    const known = this.#known.get(key);
    if (known === undefined) this.#known.set(key, values);
    return known ?? values;
  }
}

/** What was told already: most messages are on many pages, in the same situation. */
class Told {
  readonly #by = new Map<Values, Map<string, Set<Values | undefined>>>();

  isNew(one: Values, word: string, other?: Values): boolean {
    const words = this.#by.get(one) ?? new Map<string, Set<Values | undefined>>();
    this.#by.set(one, words);
    const others = words.get(word) ?? new Set();
    words.set(word, others);
    if (others.has(other)) return false;
    others.add(other);
    return true;
  }
}
