import { describe, expect, it } from 'vitest';
import type { History, Operation, Read, Send } from '../../../history/operation.ts';
import type { Item, SeenMessage } from '../../../history/seen-message.ts';
import { type Sequence, sequenceOf } from '../../../history/sequence.ts';
import { Random } from '../../../selftest/histories/base/random.ts';
import { drawFreedoms } from '../../../selftest/histories/choices/freedoms.ts';
import type { HistoryMutant } from '../../../selftest/histories/mutants.ts';
import { simulate } from '../../../selftest/histories/simulate.ts';
import { linesOf, readBack } from '../fixtures.ts';
import { namesIn, quarterOf, simulateMutant } from './judged.ts';

/** Other ids in another order, and other names of credentials. */
function renamed(history: History): History {
  const ids = /0000000[12]-0000-4000-8000-([0-9a-f]{12})/g;
  const other = (_: string, digits: string): string =>
    `abcdef01-0000-4000-9000-${(0xff_ff_ff - Number.parseInt(digits, 16)).toString(16).padStart(12, '0')}`;
  const text = linesOf(history).replaceAll(ids, other).replaceAll('agent-1-', 'someone-');
  return sortedLists(readBack(text));
}

/** Targets are sorted by their ids. */
function sortedLists(history: History): History {
  return mapped(history, {
    message: (message) => ({ ...message, targets: message.targets.toSorted() }),
    operation: (operation) =>
      operation.kind === 'send' ? { ...operation, targets: operation.targets.toSorted() } : operation,
  });
}

interface Mapping {
  readonly message?: (message: SeenMessage) => SeenMessage;
  readonly sequence?: (sequence: Sequence) => Sequence;
  readonly operation?: (operation: Operation) => Operation;
}

/** A history with everything in it put through a mapping; what was one object stays one. */
function mapped({ facts, operations }: History, { message, sequence, operation }: Mapping): History {
  const [messages, items] = [new Map<SeenMessage, SeenMessage>(), new Map<Item, Item>()];
  const number = (value: Sequence | undefined) =>
    value === undefined ? undefined : (sequence?.(value) ?? value);
  const messageOf = (given: SeenMessage): SeenMessage => {
    const renumbered = { ...given, sequence: number(given.sequence) };
    const made = messages.get(given) ?? message?.(renumbered) ?? renumbered;
    messages.set(given, made);
    return made;
  };
  const itemOf = (given: Item): Item => {
    const made = items.get(given) ?? {
      ...given,
      sequence: number(given.sequence),
      message: messageOf(given.message),
    };
    items.set(given, made);
    return made;
  };
  const readOf = (read: Read): Read => ({
    ...read,
    after: number(read.after),
    nextAfter: number(read.nextAfter),
    highWatermark: number(read.highWatermark),
    items: read.items.map(itemOf),
  });
  const sendOf = (send: Send): Send => ({ ...send, shown: send.shown && messageOf(send.shown) });
  const each = (given: Operation): Operation =>
    given.kind === 'read' ? readOf(given) : given.kind === 'send' ? sendOf(given) : given;
  return { facts, operations: operations.map((given) => operation?.(each(given)) ?? each(given)) };
}

const big = 2n ** 60n;

/** The same history, told otherwise. */
const tellings: Readonly<Record<string, (history: History) => History>> = {
  'written as lines and read back': (history) => readBack(linesOf(history)),
  'with other ids and names': renamed,
  'at another time': (history) =>
    mapped(history, {
      operation: (operation) => ({
        ...operation,
        startedMs: operation.startedMs + 4_096,
        endedMs: operation.endedMs + 4_096,
      }),
    }),
  'with other numbers, beyond 2^53': (history) =>
    mapped(history, {
      sequence: (value) => (value <= 0 ? value : (sequenceOf(BigInt(value) * 3n + big) ?? 0)),
    }),
};

/**
 * What only shows while nothing is sent anywhere, or where nothing happened to be sent in between; a wait, which is late only beside
 * reads that are not: another history has more of those; and a length that nobody gets to see: another history shows it.
 */
const needsQuiet = ['empty-stall', 'missed-wakeup', 'silent-drop'];

const others = await simulate({
  seed: 5,
  space: 2,
  variants: drawFreedoms(new Random(5)).filter(({ mayWarn }) => mayWarn === undefined),
  conditions: (drawn) => ({ ...drawn, settleMs: 400 }),
});

/** Holds the judges against the same told otherwise; each telling has a quarter of the mutants. */
export function describeToldOtherwise(mutants: readonly HistoryMutant[]): void {
  describe.each(Object.entries(tellings))('a history %s', (name, tell) => {
    it.each(quarterOf(mutants, Object.keys(tellings).indexOf(name)))(
      'of $id is judged the same',
      async (mutant) => {
        const { history } = await simulateMutant(mutant, 1);
        expect(namesIn(tell(history))).toEqual(namesIn(history));
      },
    );
  });

  describe('a history with an unrelated one in between', () => {
    const { history: other } = others;
    const judgedOther = namesIn(other);
    const share = quarterOf(mutants, 1).filter(
      ({ anomaly, events }) => !needsQuiet.includes(anomaly) && events?.includes('restart') !== true,
    );

    it.each(share)('of $id is judged the same', async (mutant) => {
      const { history } = await simulateMutant(mutant, 1);
      const operations = [...history.operations, ...other.operations]
        .toSorted((one, two) => one.endedMs - two.endedMs)
        .map((operation, index) => ({ ...operation, index }));
      const own = { ...history.facts, isDurable: other.facts.isDurable };
      const expected = new Set([...namesIn({ ...history, facts: own }), ...judgedOther]);
      expect(namesIn({ facts: own, operations })).toEqual([...expected].toSorted());
    });
  });
}
