import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layOutJson } from '../../reporters/json-layout.ts';
import { widthOf } from '../../harness/output/printable.ts';

/** Without the blanks between tokens; those inside of strings stay. */
function tokensOf(text: string): string {
  return text.replace(/("(?:[^"\\]|\\.)*"?)|\s+/gsu, '$1');
}

const containers = fc
  .oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()))
  .map((value) => JSON.stringify(value));

describe('layOutJson', () => {
  it('leaves on one line what fits', () => {
    expect(layOutJson('{"a":[1,2],"b":{}}', 40)).toEqual(['{"a": [1, 2], "b": {}}']);
  });

  it('breaks what does not, with as many items on a line as fit', () => {
    expect(layOutJson('{"first":1,"second":2,"third":[true,false,null,"x"]}', 24)).toEqual([
      '{',
      '  "first": 1,',
      '  "second": 2,',
      '  "third": [',
      '    true, false, null,',
      '    "x"',
      '  ]',
      '}',
    ]);
  });

  it('keeps integers and escapes as the server wrote them', () => {
    const text = String.raw`{"n":9007199254740993,"x":1.0,"s":"\u00e9\/"}`;
    expect(layOutJson(text, 80)?.join('')).toBe(
      String.raw`{"n": 9007199254740993, "x": 1.0, "s": "\u00e9\/"}`,
    );
  });

  it('changes nothing but the blanks between tokens, wherever the text was cut off', () => {
    fc.assert(
      fc.property(containers, fc.nat(), fc.integer({ min: 10, max: 80 }), (json, cut, columns) => {
        const text = json.slice(0, 1 + (cut % json.length));
        expect(tokensOf(layOutJson(text, columns)?.join('\n') ?? 'refused')).toBe(tokensOf(text));
      }),
      { numRuns: 500 },
    );
  });

  it('fits the width, but for single tokens that do not', () => {
    const lines =
      layOutJson(JSON.stringify({ ids: Array.from({ length: 60 }, (_, index) => index) }), 30) ?? [];
    expect(lines.length).toBeGreaterThan(4);
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(30);
  });

  it.each(['', 'null', '"text"', '<html>', '{"a" 1}', '[1 2]', '{1:2}', '[]]', '{"a":}', '[,]', '[1,]'])(
    'refuses %s, which is no JSON object or array',
    (text) => {
      expect(layOutJson(text, 40)).toBeUndefined();
    },
  );

  it('leaves what is nested without end', () => {
    expect(layOutJson('['.repeat(100_000), 40)).toBeUndefined();
    expect(layOutJson(`${'['.repeat(30)}${']'.repeat(30)}`, 40)).toBeDefined();
  });
});
