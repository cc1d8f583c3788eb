import * as fc from 'fast-check';
import type { WireBody } from './wire-body.ts';
import { wireForms } from './wire-forms.ts';

const plainForms = wireForms.filter(
  ({ body }) => body.bytes.length === 1 && (body.bytes[0]?.count ?? 0) === 1,
);

/** What is done to the bytes of a form: the place is modulo their number. */
const edits: readonly ((bytes: string, at: number, more: string) => string)[] = [
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

const edited = fc
  .tuple(fc.constantFrom(...plainForms), fc.constantFrom(...edits), fc.nat({ max: 1000 }), piece)
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
export const anyWireBody: fc.Arbitrary<WireBody> = fc.oneof(
  { arbitrary: edited, weight: 29 },
  { arbitrary: repeated, weight: 1 },
);
