import { anyWireBody } from './any-wire-body.ts';
import { inputSpace } from '../../space/input-space.ts';
import {
  isJsonObject,
  rankOfJson,
  simplerStrings,
  type JsonObject,
  type JsonValue,
} from '../../texts/json-values.ts';
import { open, type Label } from '../../space/labelled.ts';
import { sendBodySpace } from '../body/send-body-space.ts';
import { lowerNumbers } from '../../texts/simpler-text.ts';
import { runsOf, type Run } from '../../texts/text.ts';
import { wireBytesOf, type WireBody } from './wire-body.ts';
import { wireForms } from './wire-forms.ts';

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
  labelOf,
  simpler,
  rank: (body) => [
    body.bytes.reduce((sum, { unit, count }) => sum + unit.length * count, 0),
    ...rankOfJson(body as unknown as JsonObject),
  ],
});

function labelOf(body: WireBody): Label | undefined {
  if (body.contentType !== 'application/json' || body.contentEncoding !== null)
    return open('wire-body/declared-otherwise');
  const bytes = wireBytesOf(body, 'marker');
  if (bytes.length > plainSizeBytes) return open('wire-body/large');
  const value = parsed(bytes);
  if (value === undefined) return open('wire-body/no-plain-json');
  const label = sendBodySpace.labelOf(inputOf(value));
  // A label has one reason to refuse.
  return label ? { ...label, label: `wire-body/${label.label}` } : open('wire-body/doubly-odd');
}

/** The one value that every JSON parser reads; undefined when there is none, or a name comes twice. */
function parsed(bytes: Buffer): JsonValue | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value = JSON.parse(text) as JsonValue;
    return namesIn(value) === colonsOutsideStrings(text) ? value : undefined;
  } catch {
    return undefined;
  }
}

function namesIn(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce<number>((sum, member) => sum + namesIn(member as JsonValue), own);
}

function colonsOutsideStrings(json: string): number {
  return json.replaceAll(/"(?:[^"\\]|\\.)*"/gs, '').split(':').length - 1;
}

function inputOf(value: JsonValue): Parameters<typeof sendBodySpace.labelOf>[0] {
  if (!isJsonObject(value)) return { fields: {}, instead: value };
  const { content, ...others } = value;
  if (typeof content === 'string') return { content: runsOf(content), fields: others };
  return { fields: content === undefined ? others : { content, ...others } };
}

function* simpler(body: WireBody): Generator<WireBody> {
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
