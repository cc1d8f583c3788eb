import * as fc from 'fast-check';
import { inputSpace, named } from '../../space/input-space.ts';
import { rankOfJson, simplerJson, simplerLists, type JsonValue } from '../../texts/json-values.ts';
import { accept, open, reject, type Label } from '../../space/labelled.ts';
import type { FileInput } from './send-body.ts';

type Files = readonly FileInput[];

/** Most files of one message. */
const most = 20;

const literals: Readonly<Record<string, JsonValue>> = {
  'an-unknown-id': '00000000-0000-4000-8000-0000000000ff',
  'a-word': 'file',
  'no-character': '',
  null: null,
  'a-number': 1,
  'an-object': { id: '00000000-0000-4000-8000-0000000000ff' },
  'a-path': '../../etc/hosts',
};

/** Attached files of a send: one that is ready is taken, more than 20 are not; how a file is named is left open. */
export const attachmentsSpace = inputSpace<Files>({
  name: 'attachments',
  boundaries: [
    named('open', 'none', []),
    named('accept', 'one-file', filePlaces(1)),
    named('open', 'the-same-twice', [{ file: 0 }, { file: 0 }]),
    ...[2, 19, 20].map((count) => named('open', `${count}-files`, filePlaces(count))),
    ...[21, 22, 100, 1000].map((count) => named('reject', `${count}-files`, filePlaces(count))),
    named(
      'reject',
      '21-times-the-same',
      Array.from({ length: 21 }, () => ({ file: 0 })),
    ),
    ...Object.entries(literals).map(([slug, literal]) => named('open', `file-by-${slug}`, [{ literal }])),
  ],
  values: anyFiles(),
  labelOf: attachmentsLabel,
  simpler: (files) => simplerLists(files, simplerFile),
  rank: (files) => rankOfJson(files as readonly JsonValue[]),
});

function attachmentsLabel(files: Files): Label | undefined {
  const isOdd = files.some((file) => 'literal' in file);
  if (files.length > most) {
    const tooMany = 'message#/properties/attachments/maxItems';
    return isOdd ? undefined : reject('attachments/more-than-20', 'send.attachments-over-limit', tooMany);
  }
  if (isOdd) return open('attachments/odd-file');
  if (files.length === 0) return open('attachments/no-file');
  return files.length === 1 ? accept('attachments/a-ready-file') : open('attachments/maybe-one-file-twice');
}

function anyFiles(): fc.Arbitrary<Files> {
  const place = fc.record({ file: fc.nat({ max: 1000 }) }, { noNullPrototype: true });
  const odd = (fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<JsonValue>).map((literal) => ({ literal }));
  return fc.oneof(
    fc.array(place, { maxLength: 2 }),
    fc.array(place, { maxLength: 60, size: 'max' }),
    fc.array(fc.oneof<fc.Arbitrary<FileInput>[]>(place, odd), { maxLength: 3 }),
  );
}

function* simplerFile(file: FileInput): Generator<FileInput> {
  if ('literal' in file) for (const literal of simplerJson(file.literal)) yield { literal };
  else if (file.file > 0) yield { file: 0 };
}

function filePlaces(count: number): Files {
  return Array.from({ length: count }, (_, file) => ({ file }));
}
