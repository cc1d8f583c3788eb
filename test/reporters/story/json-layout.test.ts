import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { itemsOfJson, layOutJson, readJson } from '../../../reporters/story/json-layout.ts';
import { widthOf } from '../../../harness/output/printable.ts';

/** Without the blanks between tokens; those inside of strings stay. */
function tokensOf(text: string): string {
  return text.replace(/("(?:[^"\\]|\\.)*"?)|\s+/gsu, '$1');
}

/** The lines of a text; `undefined` where it is no JSON object or array. */
function linesOf(text: string, columns: number): readonly string[] | undefined {
  const json = readJson(text);
  return json && layOutJson(json, columns).map((line) => line.text);
}

const containers = fc
  .oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()))
  .map((value) => JSON.stringify(value));

describe('layOutJson', () => {
  it('leaves on one line what fits', () => {
    expect(linesOf('{"a":[1,2],"b":{}}', 40)).toEqual(['{"a": [1, 2], "b": {}}']);
  });

  it('breaks what does not, with as many items on a line as fit', () => {
    expect(linesOf('{"first":1,"second":2,"third":[true,false,null,"x"]}', 24)).toEqual([
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
    expect(linesOf(text, 80)?.join('')).toBe(String.raw`{"n": 9007199254740993, "x": 1.0, "s": "\u00e9\/"}`);
  });

  it('changes nothing but the blanks between tokens, wherever the text was cut off', () => {
    fc.assert(
      fc.property(containers, fc.nat(), fc.integer({ min: 10, max: 80 }), (json, cut, columns) => {
        const text = json.slice(0, 1 + (cut % json.length));
        expect(tokensOf(linesOf(text, columns)?.join('\n') ?? 'refused')).toBe(tokensOf(text));
      }),
      { numRuns: 500 },
    );
  });

  it('fits the width, but for single tokens that do not', () => {
    const lines = linesOf(JSON.stringify({ ids: Array.from({ length: 60 }, (_, index) => index) }), 30) ?? [];
    expect(lines.length).toBeGreaterThan(4);
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(30);
  });

  it.each(['', 'null', '"text"', '<html>', '{"a" 1}', '[1 2]', '{1:2}', '[]]', '{"a":}', '[,]', '[1,]'])(
    'refuses %s, which is no JSON object or array',
    (text) => {
      expect(linesOf(text, 40)).toBeUndefined();
    },
  );

  it('leaves what is nested without end', () => {
    expect(linesOf('['.repeat(100_000), 40)).toBeUndefined();
    expect(linesOf(`${'['.repeat(30)}${']'.repeat(30)}`, 40)).toBeDefined();
  });

  it('puts what is marked in lines of its own, wherever it stands, and nothing else', () => {
    const json = readJson('{"page":{"next_after":7,"has_more":true,"rest":[1,2]},"other":1}', 'answers[2]');
    const marked = itemsOfJson(json ?? { open: '', items: [], close: '' }).filter(
      ({ path }) => path === 'answers[2].page.has_more',
    );
    expect(json && layOutJson(json, 80, new Set(marked))).toEqual([
      { text: '{', isMarked: false },
      { text: '  "page": {', isMarked: false },
      { text: '    "next_after": 7,', isMarked: false },
      { text: '    "has_more": true,', isMarked: true },
      { text: '    "rest": [1, 2]', isMarked: false },
      { text: '  },', isMarked: false },
      { text: '  "other": 1', isMarked: false },
      { text: '}', isMarked: false },
    ]);
  });

  it('names each place as findings do', () => {
    const json = readJson('{"a":[{"b-c":1},{"d e":2}]}');
    expect(json && itemsOfJson(json).map(({ path }) => path)).toEqual([
      'a',
      'a[0]',
      'a[0].b-c',
      'a[1]',
      'a[1]["d e"]',
    ]);
  });
});
