import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { Together } from '../../../harness/hooks/together.ts';

const never = new AbortController().signal;

/** A call that counts. */
function counted(): { calls: number; call: () => Promise<void> } {
  const counter = {
    calls: 0,
    call: async () => {
      counter.calls += 1;
    },
  };
  return counter;
}

/** Something that others wait for until it is opened. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

describe('a call that does for all', () => {
  it('is made at once for somebody who is alone', async () => {
    const counter = counted();
    const together = new Together();
    await together.ask(counter.call, never);
    await together.among(() => together.ask(counter.call, never));
    expect(counter.calls).toBe(2);
  });

  it('is made once, when all that are present have asked for it', async () => {
    const counter = counted();
    const together = new Together();
    const { opened: arranged, open: arrange } = gate();
    const both = [
      together.among(() => together.ask(counter.call, never)),
      together.among(async () => {
        await arranged;
        await together.ask(counter.call, never);
      }),
    ];
    await turn();
    expect(counter.calls).toBe(0);
    arrange();
    await Promise.all(both);
    expect(counter.calls).toBe(1);
  });

  it('comes right after what all want to do last, and tells whose failed', async () => {
    const together = new Together();
    const { opened, open } = gate();
    const order: string[] = [];
    const noting = (what: string) => async () => void order.push(what);
    const call = noting('call');
    const all = [
      together.among(() => together.ask(call, never, noting('last of one'))),
      together.among(async () => {
        await opened;
        order.push('asks late');
        await together.ask(call, never, () => Promise.reject(new Error('last of the other')));
      }),
    ];
    open();
    const ends = await Promise.allSettled(all);
    expect(order).toEqual(['asks late', 'last of one', 'call']);
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });

  it('does not wait for one that ends without asking', async () => {
    const counter = counted();
    const together = new Together();
    const { opened, open: end } = gate();
    const other = together.among(() => opened);
    const asking = together.among(() => together.ask(counter.call, never));
    await turn();
    expect(counter.calls).toBe(0);
    end();
    await Promise.all([other, asking]);
    expect(counter.calls).toBe(1);
  });

  it('is not made for one that has been given up on: the others are not ready', async () => {
    const counter = counted();
    const together = new Together();
    const ending = new AbortController();
    const { opened: arranged, open: arrange } = gate();
    const other = together.among(async () => {
      await arranged;
      await together.ask(counter.call, never);
    });
    void together.among(async () => {
      void together.ask(counter.call, ending.signal);
      await turn();
      ending.abort();
    });
    await turn();
    await turn();
    expect(counter.calls).toBe(0);
    arrange();
    await other;
    expect(counter.calls).toBe(1);
  });

  it('leaves nothing on the signal of whoever asked', async () => {
    const together = new Together();
    const { signal } = new AbortController();
    await together.ask(() => Promise.resolve(), signal);
    await together.ask(() => Promise.reject(new Error('no')), signal).catch(() => undefined);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('fails for all of them', async () => {
    const together = new Together();
    const fail = (): Promise<void> => Promise.reject(new Error('the server did not come back'));
    const both = [0, 1].map(() => together.among(() => together.ask(fail, never)));
    const ends = await Promise.allSettled(both);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
