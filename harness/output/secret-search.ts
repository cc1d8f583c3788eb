import { type PlainUnits, readings } from './plain-units.ts';
import { type SecretForm, shortestForm } from './secret-forms.ts';
import { push } from '../../spec/groups.ts';

/** A part of a text, in UTF-16 units. */
export interface SecretRange {
  readonly start: number;
  readonly end: number;
}

/** Of the sums of neighbouring units; the more bits, the fewer places have to be looked at closely. */
const tableBits = 22;
const base = 0x01000193;
/** What leaves a sum of so many units again. */
const leaving = Array.from({ length: shortestForm - 1 }).reduce<number>((power) => Math.imul(power, base), 1);
const ellipsis = 0x2026;
const space = 0x20;

/** A place in a form from which on it may be found. */
interface Anchor {
  readonly form: SecretForm;
  readonly offset: number;
}

/** Finds any of many forms in one pass: however many there are, a text takes as long. */
export class SecretSearch {
  readonly #anchors = new Map<number, Anchor[]>();
  /** A bit for each sum. */
  readonly #mayBegin = new Uint32Array(2 ** (tableBits - 5));

  add(form: SecretForm): void {
    const last = form.text.length - shortestForm;
    // Every part of the least length has one of these in it.
    const step = Math.max(1, form.least - shortestForm + 1);
    for (let offset = 0; offset < last; offset += step) this.#anchor({ form, offset });
    this.#anchor({ form, offset: last });
  }

  #anchor(anchor: Anchor): void {
    const { form, offset } = anchor;
    let sum = 0;
    for (let at = offset; at < offset + shortestForm; at += 1)
      sum = (Math.imul(sum, base) + form.text.charCodeAt(at)) | 0;
    const place = placeInSum(sum);
    this.#mayBegin[place >>> 5] = (this.#mayBegin[place >>> 5] ?? 0) | (1 << (place & 31));
    push(this.#anchors, sum, anchor);
  }

  /** Where forms stand in the text, whole or for the most part, and what somebody has left of them beside a `…`. */
  rangesIn(text: string): readonly SecretRange[] {
    const found = readings(text).flatMap((reading) => this.#rangesIn(reading));
    return found.length < 2 ? found : found.toSorted((one, other) => one.start - other.start);
  }

  #mayBeginWith(sum: number): boolean {
    const place = placeInSum(sum);
    return ((this.#mayBegin[place >>> 5] ?? 0) & (1 << (place & 31))) !== 0;
  }

  #rangesIn({ units, starts }: PlainUnits): SecretRange[] {
    const startOf = (at: number): number => starts?.[at] ?? at;
    const found: SecretRange[] = [];
    let sum = 0;
    for (let at = 0; at < units.length; at += 1) {
      const left = at < shortestForm ? 0 : Math.imul(units[at - shortestForm] ?? 0, leaving);
      sum = (Math.imul((sum - left) | 0, base) + (units[at] ?? 0)) | 0;
      const begin = at - shortestForm + 1;
      if (begin < 0 || !this.#mayBeginWith(sum)) continue;
      for (const anchor of this.#anchors.get(sum) ?? []) {
        const hit = hitAt(units, begin, anchor);
        if (hit !== undefined) found.push({ start: startOf(hit.start), end: startOf(hit.end) });
      }
    }
    return found;
  }
}

function hitAt(units: Uint16Array, begin: number, { form, offset }: Anchor): SecretRange | undefined {
  const { text, least } = form;
  const forward = alikeFrom(units, begin, { text, offset });
  if (forward < shortestForm) return undefined;
  const backward = alikeBefore(units, begin, { text, offset });
  const [start, end] = [begin - backward, begin + forward];
  if (end - start >= least) return withEdges(units, { start, end }, form);
  const isBeginning = backward === offset && isCutAt(units, end);
  const isEnd = offset + forward === text.length && (start === 0 || units[start - 1] === ellipsis);
  return isBeginning || isEnd ? { start, end } : undefined;
}

function placeInSum(sum: number): number {
  return (sum ^ (sum >>> 15)) & (2 ** tableBits - 1);
}

interface Place {
  readonly text: string;
  readonly offset: number;
}

/** How many units from `begin` on are those of the text from its place on. */
function alikeFrom(units: Uint16Array, begin: number, { text, offset }: Place): number {
  let length = 0;
  while (offset + length < text.length && units[begin + length] === text.charCodeAt(offset + length))
    length += 1;
  return length;
}

/** How many units before `begin` are those of the text before its place. */
function alikeBefore(units: Uint16Array, begin: number, { text, offset }: Place): number {
  let length = 0;
  while (
    length < offset &&
    length < begin &&
    units[begin - length - 1] === text.charCodeAt(offset - length - 1)
  )
    length += 1;
  return length;
}

/** Whether the text was cut here: it ends, or goes on with `…`, perhaps after half an escape. */
function isCutAt(units: Uint16Array, at: number): boolean {
  let end = at;
  while (end < at + 6 && end < units.length && isOfEscape(units[end] ?? 0)) end += 1;
  if (units[end] === space) end += 1;
  return end >= units.length || units[end] === ellipsis;
}

/** `\`, `%`, `&`, `#`, `~`, hexadecimal digits, `u` and `x`. */
function isOfEscape(unit: number): boolean {
  return /[\\%&#~0-9a-fux]/.test(String.fromCharCode(unit));
}

function withEdges(
  units: Uint16Array,
  { start, end }: SecretRange,
  { before, after }: SecretForm,
): SecretRange {
  let [from, to] = [start, end];
  for (let left = before; left > 0 && isBase64(units[from - 1]); left -= 1) from -= 1;
  for (let left = after; left > 0 && isBase64(units[to]); left -= 1) to += 1;
  return { start: from, end: to };
}

function isBase64(unit = 0): boolean {
  return /[0-9a-z_-]/.test(String.fromCharCode(unit));
}
