import { describe, expect, it } from 'vitest';
import { formOf, maxJsonDepth } from '../../../../harness/client/json/json-form.ts';
import { KnownBodies } from '../../../../harness/client/json/known-bodies.ts';

const body = (letter: string): Buffer => Buffer.from(JSON.stringify({ content: letter.repeat(2_000) }));

/** As an answer is read: a body that is not known is looked through first. */
function read(bodies: KnownBodies, bytes: Uint8Array): unknown {
  return (bodies.known(bytes) ?? bodies.read(bytes, formOf(bytes, maxJsonDepth))).json;
}

describe('bodies that come again', () => {
  it('are read once', () => {
    const bodies = new KnownBodies();
    expect(read(bodies, body('a'))).toBe(read(bodies, body('a')));
  });

  it('are told from others of the same length', () => {
    const bodies = new KnownBodies();
    for (const letter of ['a', 'b', 'a'])
      expect(read(bodies, body(letter))).toEqual({ content: letter.repeat(2_000) });
  });

  it('keep integers beyond 2^53, and are undefined where they are no JSON', () => {
    const bodies = new KnownBodies();
    const padding = ' '.repeat(1_000);
    expect(read(bodies, Buffer.from(`${padding}[9007199254740993]`))).toEqual([9007199254740993n]);
    expect(read(bodies, Buffer.from(`${padding}{`))).toBeUndefined();
  });
});
