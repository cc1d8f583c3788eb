import * as fc from 'fast-check';
import { inputSpace, type NamedValue, namedAll } from '../../space/input-space.ts';
import { rankOfJson, simplerJson, type JsonValue } from '../../texts/json-values.ts';
import { accept, open, reject, type Expectation, type Label } from '../../space/labelled.ts';
import { anyUnit } from '../../space/units.ts';

/** In characters. */
const maxLength = 80;

/** Text that is as long however one counts: letters, digits and common signs, no space at its ends. */
const plainText = /^[!-~](?:[ -~]*[!-~])?$/;

/**
 * Agent hosts of a send: 1 to 80 characters. What characters are is left open, and so is every text of which the length
 * depends on that, or that has characters which a host may well not have.
 */
export const agentHostSpace = inputSpace<JsonValue>({
  name: 'agent-host',
  boundaries: [
    ...ofLength('accept', [1, 2, 79, 80]),
    ...ofLength('reject', [0, 81, 82, 255, 256, 5000]),
    ...namedAll<JsonValue>('accept', {
      'letters-of-both-cases': 'FuzzerHost',
      'a-blank-inside': 'fuzzer host 1.0 (x64)',
    }),
    ...namedAll<JsonValue>('open', {
      'letters-beyond-ascii': 'h\u00f4te-\u4e3b',
      null: null,
      'a-number': 7,
      'a-list': ['cli'],
      'an-object': {},
      'a-space': ' ',
      'spaces-around': ' cli ',
      '80-2-byte-chars': 'é'.repeat(maxLength),
      '80-4-byte-chars': '😀'.repeat(maxLength),
      '40-4-byte-chars': '😀'.repeat(maxLength / 2),
      '41-marked-letters': 'e\u0301'.repeat(41),
      'a-nul': 'cli\0',
      'a-lone-surrogate': 'cli\ud800',
      'a-line-end': 'cli\n',
      'a-mark-of-direction': '\u202ecli',
    }),
  ],
  values: fc.oneof(
    fc.integer({ min: 1, max: maxLength }).chain(plainOfLength),
    fc.integer({ min: maxLength + 1, max: 300 }).chain(plainOfLength),
    fc.string({ unit: anyUnit, maxLength: 100, size: 'max' }),
    fc.constantFrom<JsonValue>('', null, 0, true, []),
  ),
  labelOf: agentHostLabel,
  simpler: simplerJson,
  rank: rankOfJson,
});

function agentHostLabel(value: JsonValue): Label {
  if (typeof value !== 'string') return open('agent-host/no-text');
  if (value === '') return outOfRange('no-character', 'minLength');
  if (!plainText.test(value)) return open('agent-host/unusual-characters');
  return value.length > maxLength
    ? outOfRange('too-many-characters', 'maxLength')
    : accept('agent-host/in-range');
}

function outOfRange(slug: string, keyword: string): Label {
  const rule = `message-author#/properties/agent_host/${keyword}`;
  return reject(`agent-host/${slug}`, 'author.agent-host.out-of-range-refused', rule);
}

function plainOfLength(length: number): fc.Arbitrary<string> {
  return fc.string({ unit: 'grapheme-ascii', minLength: length, maxLength: length, size: 'max' });
}

function ofLength(expectation: Expectation, lengths: readonly number[]): NamedValue<JsonValue>[] {
  return lengths.map((length) => ({ slug: `${length}-characters`, expectation, value: 'h'.repeat(length) }));
}
