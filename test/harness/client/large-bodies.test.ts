import { describe, expect, it } from 'vitest';
import { LargeBodies } from '../../../harness/client/large-bodies.ts';

const never = new AbortController().signal;
const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

describe('large answers', () => {
  it('are read at once as far as there is room, the others in their order', async () => {
    const bodies = new LargeBodies();
    const began: string[] = [];
    const ask = (name: string, bytes: number): Promise<() => void> =>
      bodies.turn(bytes, never).then((giveBack) => {
        began.push(name);
        return giveBack;
      });
    const [one, two, three, four] = [
      ask('one', 10_000_000),
      ask('two', 5_000_000),
      ask('three', 30_000_000),
      ask('four', 1_000_000),
    ];
    await soon();
    expect(began).toEqual(['one', 'two']);
    (await two)();
    await soon();
    expect(began).toEqual(['one', 'two']);
    (await one)();
    (await three)();
    (await four)();
    expect(began).toEqual(['one', 'two', 'three', 'four']);
  });

  it('that are said to be larger than any may be are read alone', async () => {
    const bodies = new LargeBodies();
    const giveBack = await bodies.turn(1e12, never);
    let isSecond = false;
    const second = bodies.turn(300_000, never).then(() => (isSecond = true));
    await soon();
    expect(isSecond).toBe(false);
    giveBack();
    await second;
  });

  it('that nobody waits for any more make room for the next', async () => {
    const bodies = new LargeBodies();
    await bodies.turn(10_000_000, never);
    const leaving = new AbortController();
    const large = bodies.turn(40_000_000, leaving.signal);
    const small = bodies.turn(1_000_000, never);
    leaving.abort(new Error('no longer'));
    await expect(large).rejects.toThrow('no longer');
    await expect(small).resolves.toBeTypeOf('function');
  });

  it('are read alone whatever they take', async () => {
    const bodies = new LargeBodies();
    expect(await bodies.take({ reading: 200_000_000, staying: 100_000_000 })).toBe(true);
  });

  const weight = { reading: 10_000_000, staying: 50_000_000 };

  /** As many of a weight as are taken and held, of five. */
  async function full(bodies: LargeBodies, most = 5): Promise<object[]> {
    const held: object[] = [];
    while (held.length < most && (await bodies.take(weight))) {
      const made = {};
      bodies.hold(made, weight.staying);
      held.push(made);
    }
    return held;
  }

  it('are refused once what became of others leaves no room, and read again when that is gone', async () => {
    const bodies = new LargeBodies();
    const held = await full(bodies);
    expect(held).toHaveLength(4);
    held.length = 0;
    expect(await bodies.take(weight)).toBe(true);
    expect(bodies.heldBytes).toBe(0);
  });

  describe('that a server may give by the contract', () => {
    it('wait until others are gone', async () => {
      const bodies = new LargeBodies();
      const held = await full(bodies);
      const waiting = bodies.take(weight, { mayWait: true });
      let isTaken = false;
      void waiting.then(() => (isTaken = true));
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(isTaken).toBe(false);
      held.length = 0;
      expect(await waiting).toBe(true);
      expect(bodies.heldBytes).toBe(0);
    });

    it('are read in the end though nobody lets go: they may be what those wait for', async () => {
      const bodies = new LargeBodies();
      const held = await full(bodies);
      expect(await bodies.take(weight, { mayWait: true })).toBe(true);
      expect(held).toHaveLength(4);
    });

    it('are waited for no longer once nobody asks for them', async () => {
      const bodies = new LargeBodies();
      const held = await full(bodies);
      const ending = new AbortController();
      const waiting = bodies.take(weight, { mayWait: true, signal: ending.signal });
      ending.abort(new Error('no longer'));
      await expect(waiting).rejects.toThrow('no longer');
      expect(held).toHaveLength(4);
    });
  });

  it('have more room where several runs share a process', async () => {
    const bodies = new LargeBodies();
    bodies.share();
    const unshare = bodies.share();
    const kept = await full(bodies, 9);
    expect(kept.length).toBeGreaterThanOrEqual(7);
    const weight = { reading: 10_000_000, staying: 20_000_000 };
    expect(await bodies.take(weight)).toBe(true);
    unshare();
    expect(await bodies.take(weight)).toBe(false);
  });

  it('count no more once somebody means to keep them', () => {
    const bodies = new LargeBodies();
    const [kept, other] = [{}, {}];
    bodies.hold(kept, 50_000_000);
    bodies.hold(other, 1_000_000);
    bodies.letStay(kept);
    bodies.letStay(kept);
    expect(bodies.heldBytes).toBe(1_000_000);
  });
});
