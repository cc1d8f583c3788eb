import { describe, expect, it } from 'vitest';
import type { Person } from '../../../suites/population/people.ts';
import type { PopulationRead } from '../../../suites/population/reads.ts';
import type { Population } from '../../../suites/population/population.ts';
import { plainest } from '../../../history/situations/dimensions.ts';
import { presenceRules } from '../../../suites/population/presence-rules.ts';
import type { Sent } from '../../../suites/population/sent.ts';
import { exchangeOf } from '../../fixtures/exchange.ts';

const settleMs = 400;
const keptMs = 4_800;
/** The walk of the channel begins this long after the last send was answered, in ms. */
const laterMs = 1_000;

interface Message {
  readonly bytes: number;
  readonly isShown?: false;
}

/** Messages of one author in one channel, one sent after the other, and a walk of the channel soon after. */
function populationOf(messages: readonly Message[], afterMs = laterMs): Population {
  const sent = messages.map(({ bytes }, index): Sent => ({
    case: plainest,
    text: 'x'.repeat(bytes),
    marker: `m${index}`,
    channelId: 'channel',
    targets: [],
    files: [],
    session: undefined,
    host: undefined,
    contentType: undefined,
    exchange: { ...exchangeOf({}), startedMs: 10 * index, endedMs: 10 * index + 5 },
  }));
  const items = messages.flatMap(({ isShown = true }, index) =>
    isShown
      ? [
          {
            id: `m${index}`,
            sequence: BigInt(index + 1),
            content: sent[index]?.text,
            message: {},
            record: {},
          },
        ]
      : [],
  );
  const startedMs = 10 * messages.length + afterMs;
  const page: PopulationRead = {
    of: 'first',
    reader: 'author',
    case: undefined,
    after: 0n,
    limit: 100,
    nextAfter: BigInt(messages.length),
    hasMore: false,
    highWatermark: BigInt(messages.length),
    exchange: { ...exchangeOf({}), startedMs, endedMs: startedMs + 5 },
    items,
  };
  return {
    people: new Map(),
    sent,
    refused: [],
    reads: [page],
    first: [page],
    soon: [],
    last: [page],
    settleMs,
    keptMs,
    sentOf: ({ id }) => sent.find(({ marker }) => marker === id),
  };
}

const readable = presenceRules.find(({ slug }) => slug === 'every-accepted-message-is-readable');

function missingOf(messages: readonly Message[]): number | undefined {
  return readable?.judge(populationOf(messages)).problems.length;
}

describe('a long message that is gone soon, between short ones that are there', () => {
  const short = { bytes: 100 };
  const gone = { bytes: 16_000, isShown: false } as const;

  it('is missing when nothing as long came after it', () => {
    expect(missingOf([short, gone, short])).toBe(1);
    expect(missingOf([short, gone, { bytes: 15_000 }, short])).toBe(1);
  });

  it('may have made room for newer ones that are as long together', () => {
    expect(missingOf([short, gone, { bytes: 16_000 }, short])).toBe(0);
    expect(missingOf([short, gone, { bytes: 11_000 }, { bytes: 12_000 }, short])).toBe(0);
  });

  it('was dropped when nothing of its length ever shows', () => {
    expect(missingOf([short, gone, { bytes: 9_000 }, { bytes: 8_000 }, short])).toBe(1);
  });

  it('is missing beside an older one that is as long, whatever came after it', () => {
    expect(missingOf([{ bytes: 16_000 }, gone, { bytes: 16_000 }, short])).toBe(1);
  });

  it('leaves it open when it was read so late that only what is long may be gone', () => {
    const late = readable?.judge(populationOf([short, gone, short], keptMs + 1));
    expect(late?.problems).toEqual([]);
    expect(late?.open).toMatch(/^an accepted message is missing, such as m1 of 16000 bytes, .* read so late/);
    expect(readable?.judge(populationOf([short, short], keptMs + 1)).open).toBeUndefined();
    // What is newer and as long took its place, however soon it is read.
    expect(readable?.judge(populationOf([short, gone, { bytes: 16_000 }], keptMs + 1)).open).toBeUndefined();
  });
});

it('a missing message is told by what its case says, and by no code of it', () => {
  const population = populationOf([{ bytes: 100 }, { bytes: 100, isShown: false }, { bytes: 100 }]);
  const sent = population.sent.map((each) => ({
    ...each,
    case: { ...each.case, special: () => ({ host: 'a host' }) },
  }));
  const sentOf: Population['sentOf'] = ({ id }) => sent.find(({ marker }) => marker === id);
  const [problem] = readable?.judge({ ...population, sent, sentOf }).problems ?? [];
  expect(problem?.expected).toMatch(/^the accepted message m1 \(author, .*, with 0 targets of its own\)$/);
  expect(problem?.expected).not.toContain('=>');
});

describe('everything of one sender is missing', () => {
  const agentId = '00000000-0000-4000-8000-0000000000a1';

  /** Three messages of which the one in the middle is the reader's and not there; beside them what somebody else sent. */
  function missingBeside(author: string): number | undefined {
    const population = populationOf([{ bytes: 100 }, { bytes: 100, isShown: false }, { bytes: 100 }]);
    const sent = population.sent.map((each, at) =>
      at === 1 ? { ...each, case: { ...each.case, sender: 'reader' as const } } : each,
    );
    const sentOf: Population['sentOf'] = ({ id }) => sent.find(({ marker }) => marker === id);
    const other = { id: 'o', sequence: 9n, content: 'x', message: { author: { id: author } }, record: {} };
    const reads = population.reads.map((read) => ({ ...read, items: [...read.items, other] }));
    const reader: Person = {
      name: 'reader',
      agentId,
      humanUserId: undefined,
      machineId: undefined,
      workspaceId: undefined,
    };
    const people = new Map([[reader.name, reader]]);
    const all = { ...population, people, sent, sentOf, reads, first: reads, last: reads };
    return readable?.judge(all).problems.length;
  }

  it('and told by others, unless what it sent besides may have taken its place', () => {
    expect(missingBeside('00000000-0000-4000-8000-0000000000a2')).toBe(1);
    expect(missingBeside(agentId)).toBe(0);
  });
});
