import { describe, expect, it } from 'vitest';
import { readChannel } from '../../../spec/calls/index.ts';
import { findEnd, mostRequests } from '../../../harness/stream/find-end.ts';
import { type PageRead, readPage } from '../../../harness/stream/page.ts';
import { exchangeOf } from '../../fixtures/exchange.ts';

/** A channel whose n-th message, from 0 on, has the sequence `at(n)`. */
interface Channel {
  readonly count: number;
  readonly at: (index: number) => bigint;
}

/** How a server answers; what is left out is as most do it. */
interface Manner {
  /** Messages that a page holds at most. */
  readonly cap?: number;
  readonly newest?: 'newest' | 'oldest' | 'refused';
  readonly watermark?: (last: bigint) => bigint | undefined;
  /** Status for a cursor; 200 when it is `undefined`. */
  readonly refusal?: (after: bigint, bounds: { first: bigint; last: bigint }) => number | undefined;
  readonly nextOfEmpty?: (after: bigint, last: bigint) => bigint;
  /** The cursor is not looked at. */
  readonly ignoresCursor?: boolean;
  /** Sequences that one read looks at, at most. */
  readonly scan?: bigint;
}

const dense: Channel = { count: 1_000_000, at: (index) => BigInt(index) + 1n };
const sparse: Channel = {
  count: 1_000_000,
  at: (index) => BigInt(index) * 977n + BigInt((index * 31) % 900),
};
const beyondDoubles: Channel = { count: 300_000, at: (index) => 2n ** 60n + BigInt(index) * 3n };
const trimmed: Channel = { count: 20_000, at: (index) => 5_000_000n + BigInt(index) };
const uneven: Channel = {
  count: 100_000,
  at: (index) => BigInt(index) + (index > 60_000 ? 10n ** 12n : 0n),
};

const quiet: Manner = { newest: 'refused', watermark: () => undefined };

function serve(
  { count, at }: Channel,
  manner: Manner = {},
): { asked: number; read: (after: bigint | undefined, limit: number) => Promise<PageRead> } {
  const last = at(count - 1);
  const bounds = { first: at(0), last };
  const firstAbove = (after: bigint): number => {
    let [low, high] = [0, count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (at(middle) > after) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  const server = {
    asked: 0,
    read: (after: bigint | undefined, limit: number): Promise<PageRead> => {
      server.asked += 1;
      const size = Math.min(limit, manner.cap ?? limit);
      const answer = (status: number, json: unknown): Promise<PageRead> =>
        Promise.resolve(readPage(exchangeOf(readChannel('c', { after, limit }), { status, json })));
      if (after === undefined && manner.newest === 'refused') return answer(400, refused);
      const status = after === undefined ? undefined : manner.refusal?.(after, bounds);
      if (status !== undefined) return answer(status, refused);
      const isNewest = after === undefined && manner.newest !== 'oldest';
      const cursor = manner.ignoresCursor === true ? 0n : (after ?? 0n);
      const from = isNewest ? Math.max(0, count - size) : firstAbove(cursor);
      const sequences: bigint[] = [];
      for (let index = from; index < count && sequences.length < size; index += 1) {
        if (manner.scan !== undefined && !isNewest && at(index) > cursor + manner.scan) break;
        sequences.push(at(index));
      }
      const scanned = manner.scan === undefined || isNewest ? undefined : cursor + manner.scan;
      const isCut = from + sequences.length < count;
      const next =
        sequences.at(-1) ?? (isCut ? (scanned ?? cursor) : (manner.nextOfEmpty?.(cursor, last) ?? cursor));
      return answer(200, {
        messages: sequences.map((sequence) => ({ id: `m${sequence}`, content: 'x', sequence })),
        page: {
          next_after: next,
          has_more: isCut,
          high_watermark: manner.watermark === undefined ? last : manner.watermark(last),
        },
      });
    },
  };
  return server;
}

const refused = { error: { code: 'bad', message: 'refused' } };

const limits: Readonly<Record<string, Manner>> = {
  'shows its newest page': {},
  'shows its oldest page without a cursor': { newest: 'oldest' },
  'has the watermark of another count': { newest: 'refused', watermark: () => 2n ** 62n },
  'has no watermark and wants a cursor': quiet,
  'calls a cursor beyond the end a conflict': {
    ...quiet,
    refusal: (after, { last }) => (after > last ? 409 : undefined),
  },
  'refuses a huge cursor': { ...quiet, refusal: (after) => (after >= 2n ** 63n ? 400 : undefined) },
  'calls a cursor below what is kept a conflict': {
    ...quiet,
    refusal: (after, { first }) => (after > 0n && after < first - 1n ? 409 : undefined),
  },
  'ends an empty page at its end': { ...quiet, nextOfEmpty: (_after, last) => last },
  'puts thirty on a page': { ...quiet, cap: 30 },
};
const channels = { dense, sparse, beyondDoubles, trimmed };

describe('the end of a stream', () => {
  for (const [manner, how] of Object.entries(limits)) {
    for (const [name, channel] of Object.entries(channels)) {
      it(`is found in ${mostRequests} requests where a ${name} channel ${manner}`, async () => {
        const server = serve(channel, how);
        const nextAfter = channel.at(channel.count - 1);
        expect(await findEnd(server.read)).toMatchObject({ isComplete: true, nextAfter });
        expect(server.asked).toBeLessThanOrEqual(mostRequests);
      });
    }
  }

  it('is one page where little is there', async () => {
    const server = serve({ count: 7, at: (index) => BigInt(index) + 1n });
    expect(await findEnd(server.read)).toMatchObject({ isComplete: true, nextAfter: 7n });
    expect(server.asked).toBe(1);
  });

  it('is found behind a wide gap', async () => {
    const server = serve(uneven, quiet);
    expect((await findEnd(server.read)).nextAfter).toBe(uneven.at(99_999));
    expect(server.asked).toBeLessThanOrEqual(mostRequests);
  });

  it('is found where a read looks at a bounded stretch', async () => {
    const server = serve(uneven, { scan: 10n ** 11n });
    expect(await findEnd(server.read)).toMatchObject({ isComplete: true, nextAfter: uneven.at(99_999) });
  });

  it('is never taken to lie where no page has led, whatever the watermark says', async () => {
    const server = serve(dense, { newest: 'refused', watermark: (last) => last + 1_000n });
    expect((await findEnd(server.read)).nextAfter).toBe(1_000_000n);
  });

  it('is walked to, as far as one goes, where the cursor is not looked at', async () => {
    const server = serve(
      { count: 1_000, at: (index) => BigInt(index) + 1n },
      { ...quiet, ignoresCursor: true },
    );
    const found = await findEnd(server.read);
    expect(found).toMatchObject({ isComplete: false, problem: expect.stringContaining('stays') as string });
  });
});
