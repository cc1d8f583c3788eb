import * as fc from 'fast-check';
import { readSentBody } from '../../../spec/oracles/requests/sent-body.ts';
import { inputSpace } from '../../space/input-space.ts';
import { type Label, open } from '../../space/labelled.ts';
import { isJsonObject, rankOfJson, simplerStrings } from '../../texts/json-values.ts';
import type { JsonObject, JsonValue } from '../../texts/json-values.ts';
import { lowerNumbers } from '../../texts/simpler-text.ts';
import { type Run, runsOf } from '../../texts/text.ts';
import { sendBodySpace } from '../body/send-body-space.ts';
import { type WireBody, wireBytesOf } from './wire-body.ts';
import { wireForms } from './wire-forms.ts';

const plainForms = wireForms.filter(
  ({ body }) => body.bytes.length === 1 && (body.bytes[0]?.count ?? 0) === 1,
);

/** What is done to the bytes of a form: the place is modulo their number. */
const byteEdits: readonly ((bytes: string, at: number, more: string) => string)[] = [
  (bytes) => bytes,
  (bytes, at, more) => bytes.slice(0, at) + more + bytes.slice(at),
  (bytes, at, more) => bytes.slice(0, at) + more + bytes.slice(at + 1),
  (bytes, at) => bytes.slice(0, at) + bytes.slice(at + 1),
  (bytes, at) => bytes.slice(0, at),
  (bytes, at) => bytes.slice(at),
  (bytes, at) => bytes.slice(0, at) + bytes,
];

const piece = fc.oneof(
  fc.constantFrom(...'{}[]",:\\ \n\0'.split(''), '\\u0000', '\\ud800', '\\udc00', '1', 'null', '"a":1,'),
  fc.integer({ min: 0, max: 255 }).map((byte) => String.fromCharCode(byte)),
);

const editedBodies = fc
  .tuple(fc.constantFrom(...plainForms), fc.constantFrom(...byteEdits), fc.nat({ max: 1000 }), piece)
  .map(([{ body }, edit, at, more]): WireBody => {
    const unit = body.bytes[0]?.unit ?? '';
    return { ...body, bytes: [{ unit: edit(unit, at % (unit.length + 1), more), count: 1 }] };
  });

/** Whatever a form repeats, so many times. */
const repeated = fc
  .tuple(
    fc.constantFrom(...wireForms.filter((form) => !plainForms.includes(form))),
    fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 50_000 })),
  )
  .map(([{ body }, count]): WireBody => {
    const bytes = body.bytes.map((run) => (run.count === 1 ? run : { ...run, count }));
    return { ...body, bytes };
  });

/** The forms that have a name, each with at most one edit: a piece put in or in place of a byte, bytes left out, a count. */
const anyWireBody: fc.Arbitrary<WireBody> = fc.oneof(
  { arbitrary: editedBodies, weight: 29 },
  { arbitrary: repeated, weight: 1 },
);

/** Longer bodies may be stopped on the way, whatever is in them. */
const plainSizeBytes = 2000;

/**
 * Bodies of a send as bytes. What every JSON parser reads is labelled by what it says; what a server, or what stands
 * before it, may refuse because it is no JSON in UTF-8 that is declared as such, is open.
 */
export const wireBodySpace = inputSpace<WireBody>({
  name: 'wire-body',
  boundaries: wireForms.map(({ slug, expectation, body }) => ({ slug, expectation, value: body })),
  boundaryPercent: 40,
  values: anyWireBody,
  labelOf: wireBodyLabel,
  simpler: simplerWireBodies,
  rank: (body) => [
    body.bytes.reduce((sum, { unit, count }) => sum + unit.length * count, 0),
    ...rankOfJson(body as unknown as JsonObject),
  ],
});

function wireBodyLabel(body: WireBody): Label | undefined {
  if (body.contentType !== 'application/json' || body.contentEncoding !== null)
    return open('wire-body/declared-otherwise');
  const bytes = wireBytesOf(body, 'marker');
  if (bytes.length > plainSizeBytes) return open('wire-body/large');
  const read = readSentBody({ body: bytes });
  if (read.kind !== 'object' && read.kind !== 'value') return open('wire-body/no-plain-json');
  const label = sendBodySpace.labelOf(
    inputOf((read.kind === 'object' ? read.fields : read.value) as JsonValue),
  );
  // A label has one reason to refuse.
  return label ? { ...label, label: `wire-body/${label.label}` } : open('wire-body/doubly-odd');
}

function inputOf(value: JsonValue): Parameters<typeof sendBodySpace.labelOf>[0] {
  if (!isJsonObject(value)) return { fields: {}, instead: value };
  const { content, ...others } = value;
  if (typeof content === 'string') return { content: runsOf(content), fields: others };
  return { fields: content === undefined ? others : { content, ...others } };
}

function* simplerWireBodies(body: WireBody): Generator<WireBody> {
  const { bytes } = body;
  if (body.contentType !== 'application/json') yield { ...body, contentType: 'application/json' };
  if (body.contentEncoding !== null) yield { ...body, contentEncoding: null };
  for (const index of bytes.keys()) yield { ...body, bytes: bytes.toSpliced(index, 1) };
  for (const [index, run] of bytes.entries())
    for (const each of simplerRuns(run)) yield { ...body, bytes: bytes.with(index, each) };
}

function* simplerRuns({ unit, count }: Run): Generator<Run> {
  for (const fewer of lowerNumbers(count, 1)) yield { unit, count: fewer };
  for (const each of simplerStrings(unit)) yield { unit: each, count };
}
