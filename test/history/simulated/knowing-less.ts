import { describe, expect, it } from 'vitest';
import { judgeHistory } from '../../../history/judges/index.ts';
import type { History, Operation } from '../../../history/operation.ts';
import type { Item, SeenMessage } from '../../../history/seen-message.ts';
import { Random } from '../../../selftest/histories/base/random.ts';
import { type HistoryMutant, historyMutants } from '../../../selftest/histories/mutants.ts';
import { judgedOnce, quarterOf, simulateConforming, simulateMutant } from './judged.ts';

/** Ways to know less of what happened. */
type Weakening = (history: History, random: Random) => History;

const nothing = { items: [], nextAfter: undefined, hasMore: undefined, highWatermark: undefined };

/** No answer came to some of it: sends may have happened or not, reads showed nothing. */
const unanswered: Weakening = (history, random) =>
  changed(history, (operation) => {
    if (operation.outcome !== 'accepted' || !random.chance(0.15)) return operation;
    if (operation.kind === 'change') return operation;
    const lost = { outcome: 'indeterminate', status: undefined } as const;
    if (operation.kind === 'read') return { ...operation, ...lost, ...nothing, agentId: undefined };
    return operation.kind === 'send'
      ? { ...operation, ...lost, shown: undefined }
      : { ...operation, ...lost };
  });

/** Clocks that are read earlier before, and later after. */
const widened: Weakening = (history, random) =>
  changed(history, (operation) => ({
    ...operation,
    startedMs: operation.startedMs - random.between(0, 30),
    endedMs: operation.endedMs + random.between(0, 30),
  }));

const slower: Weakening = ({ facts, operations }) => ({
  facts: { ...facts, settleMs: facts.settleMs * 1.5 },
  operations,
});

/** Some messages are those of a stranger: nobody knows who sent what. */
const estranged: Weakening = (history, random) => {
  const strangers = new Map<string, boolean>();
  const isStranger = (marker: string | undefined): boolean => {
    if (marker === undefined) return false;
    const known = strangers.get(marker) ?? random.chance(0.15);
    strangers.set(marker, known);
    return known;
  };
  const messages = new Map<SeenMessage, SeenMessage>();
  const items = new Map<Item, Item>();
  const messageOf = (message: SeenMessage): SeenMessage => {
    if (!isStranger(message.content?.marker)) return message;
    const made = messages.get(message) ?? {
      ...message,
      content: message.content && {
        ...message.content,
        digest: `by others ${message.content.digest}`,
        marker: undefined,
      },
    };
    messages.set(message, made);
    return made;
  };
  const itemOf = (item: Item): Item => {
    const message = messageOf(item.message);
    if (message === item.message) return item;
    const made = items.get(item) ?? { ...item, message };
    items.set(item, made);
    return made;
  };
  const kept = history.operations.filter(
    (operation) => operation.kind !== 'send' || !isStranger(operation.content?.marker),
  );
  return changed({ ...history, operations: kept }, (operation) =>
    operation.kind === 'read' ? { ...operation, items: operation.items.map(itemOf) } : operation,
  );
};

/** All of them, by name. */
const weakenings: Readonly<Record<string, Weakening>> = {
  'no answer to some of it': unanswered,
  'wider intervals': widened,
  'a longer settle time': slower,
  'messages of strangers': estranged,
};

function changed({ facts, operations }: History, change: (operation: Operation) => Operation): History {
  return { facts, operations: operations.map(change).toSorted((one, other) => one.endedMs - other.endedMs) };
}

/** What may take each other's name when less is known. */
const families: readonly (readonly string[])[] = [
  ['poll-skip', 'late-commit', 'newest-page-hole', 'long-poll-disagrees', 'resurrection'],
  // A number that is given out again is a message lost, and the loss is what fewer reads show.
  ['vanished', 'lost-write', 'silent-drop', 'lost-across-restart', 'inconsistent-offsets', 'sequence-reuse'],
  ['has-more-false', 'stale-read', 'read-your-writes', 'monotonic-reads'],
  ['late-insert', 'nonmonotonic-send'],
  ['mutated', 'feed-channel-disagree'],
  // What nobody reported stands in the wrong place, too.
  ['receipt-order', 'receipts-shrink', 'receipt-on-read'],
];

function familiesIn(history: History): ReadonlySet<string> {
  const names = judgedOnce(history).anomalies.map(({ name }) => name);
  return new Set(names.map((name) => families.find((family) => family.includes(name))?.[0] ?? name));
}

const ways = Object.entries(weakenings).map(([name, weaken], part) => ({ name, weaken, part }));

/** Holds the judges against histories of which less is known: they find no more. Each way to know less meets a quarter of the services. */
export function describeKnowingLess(mutants: readonly HistoryMutant[], seeds: readonly number[]): void {
  describe.each(ways)('knowing less ($name)', ({ weaken, part }) => {
    it('makes no conforming service break anything', async () => {
      const alarms: string[] = [];
      for (const seed of seeds.filter((_, index) => index % ways.length === part)) {
        const { history, mayWarn } = await simulateConforming(seed);
        const { anomalies } = judgeHistory(weaken(history, new Random(seed)));
        const said = anomalies.filter(({ clause }) => !mayWarn.includes(clause));
        alarms.push(...said.map(({ name, clause }) => `seed ${seed}: ${name} (${clause})`));
      }
      expect(alarms).toEqual([]);
    });

    it.each(quarterOf(mutants, part))('makes the service of $id break no more', async (mutant) => {
      const { history } = await simulateMutant(mutant, 1);
      const before = familiesIn(history);
      const after = familiesIn(weaken(history, new Random(historyMutants.indexOf(mutant))));
      expect([...after].filter((each) => !before.has(each))).toEqual([]);
    });
  });
}
