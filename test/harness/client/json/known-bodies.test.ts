import { describe, expect, it } from 'vitest';
import { KnownBodies } from '../../../../harness/client/json/known-bodies.ts';

const body = (letter: string): Buffer => Buffer.from(JSON.stringify({ content: letter.repeat(2_000) }));

describe('bodies that come again', () => {
  it('are read once', () => {
    const bodies = new KnownBodies();
    expect(bodies.read(body('a')).json).toBe(bodies.read(body('a')).json);
  });

  it('are told from others of the same length', () => {
    const bodies = new KnownBodies();
    for (const letter of ['a', 'b', 'a'])
      expect(bodies.read(body(letter)).json).toEqual({ content: letter.repeat(2_000) });
  });

  it('keep integers beyond 2^53, and are not read when they are nested too deep', () => {
    const bodies = new KnownBodies();
    const padding = ' '.repeat(1_000);
    expect(bodies.read(Buffer.from(`${padding}[9007199254740993]`)).json).toEqual([9007199254740993n]);
    expect(bodies.read(Buffer.from('['.repeat(300)))).toEqual({ json: undefined, isTooDeep: true });
    expect(bodies.read(Buffer.from(`${padding}{`))).toEqual({ json: undefined, isTooDeep: false });
  });
});
