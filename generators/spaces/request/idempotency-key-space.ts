import * as fc from 'fast-check';
import { inputSpace, type NamedValue } from '../../space/input-space.ts';
import { accept, type Label, open, type Template } from '../../space/labelled.ts';
import { rankOfJson } from '../../texts/json-values.ts';

/** An `Idempotency-Key` header; `null` for a request without one. */
export interface IdempotencyKeyInput {
  /** `{fresh}` stands for a UUID that was never used as a key. */
  readonly key: Template | null;
}

const keyForms: Readonly<Record<string, Template>> = {
  empty: '',
  'a-space': ' ',
  'a-space-inside': 'key {fresh}',
  quoted: '"{fresh}"',
  'a-prefix': 'key-{fresh}',
  'a-comma': '{fresh},{fresh}',
  'a-slash': 'a/{fresh}',
  'a-colon': 'a:{fresh}',
  'a-percent-escape': '%00{fresh}',
  'a-letter-beyond-ascii': 'é{fresh}',
  'a-tab': 'a\t{fresh}',
  ...Object.fromEntries(
    [1, 27, 28, 91, 92, 219, 220, 476, 964, 4060, 8000].map((count) => [
      `${36 + count}-characters`,
      `${'x'.repeat(count)}{fresh}`,
    ]),
  ),
};

/**
 * Keys of a send that were not used before. No form of a key is refused by the contract, and none but the usual one has
 * to be taken; a key that was used is a matter of what was sent under it.
 */
export const idempotencyKeySpace = inputSpace<IdempotencyKeyInput>({
  name: 'idempotency-key',
  boundaries: [
    { slug: 'a-uuid', expectation: 'accept', value: { key: '{fresh}' } },
    { slug: 'left-out', expectation: 'open', value: { key: null } },
    ...Object.entries(keyForms).map(([slug, key]): NamedValue<IdempotencyKeyInput> => ({
      slug,
      expectation: 'open',
      value: { key },
    })),
  ],
  values: fc.oneof(
    fc.constantFrom<IdempotencyKeyInput>({ key: '{fresh}' }, { key: null }),
    fc.tuple(visible(300), visible(300)).map(([before, behind]) => ({ key: `${before}{fresh}${behind}` })),
  ),
  labelOf: keyLabel,
  *simpler({ key }) {
    yield* [{ key: null }, { key: '{fresh}' }, { key: 'x{fresh}' }];
    const [before = '', behind = ''] = key?.split('{fresh}') ?? [];
    yield* [{ key: `${before}{fresh}` }, { key: `{fresh}${behind}` }];
    for (const [one, other] of [
      [before.slice(0, before.length / 2), behind],
      [before, behind.slice(0, behind.length / 2)],
      [before.slice(1), behind],
      [before, behind.slice(1)],
    ])
      yield { key: `${one}{fresh}${other}` };
  },
  rank: ({ key }) => rankOfJson(key),
});

function keyLabel({ key }: IdempotencyKeyInput): Label {
  if (key === null) return open('idempotency-key/none');
  return key === '{fresh}' ? accept('idempotency-key/usual') : open('idempotency-key/unusual');
}

function visible(maxLength: number): fc.Arbitrary<string> {
  const characters = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index));
  const plain = characters.filter((character) => !'{}'.includes(character));
  return fc.string({ unit: fc.constantFrom(...plain), maxLength, size: 'max' });
}
