import { readings } from './plain-units.ts';
import type { PlainUnits } from './plain-units.ts';
import { shortestForm } from './secret-forms.ts';
import type { SecretForm } from './secret-forms.ts';

/** A part of a text, in UTF-16 units. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Of the sums of neighbouring units; the more bits, the fewer places have to be looked at closely. */
const tableBits = 18;
const base = 0x01000193;
/** What leaves a sum of so many units again. */
const leaving = Array.from({ length: shortestForm - 1 }).reduce<number>((power) => Math.imul(power, base), 1);
const ellipsis = 0x2026;
const space = 0x20;

/** Finds any of many forms in one pass: however many there are, a text takes as long. */
export class SecretSearch {
  readonly #byBeginning = new Map<number, SecretForm[]>();
  readonly #mayBegin = new Uint8Array(2 ** tableBits);

  add(form: SecretForm): void {
    let sum = 0;
    for (let at = 0; at < shortestForm; at += 1) sum = (Math.imul(sum, base) + form.text.charCodeAt(at)) | 0;
    this.#mayBegin[placeOf(sum)] = 1;
    const others = this.#byBeginning.get(sum) ?? [];
    others.push(form);
    this.#byBeginning.set(sum, others);
  }

  /** Where forms stand in the text, and beginnings of them that somebody has cut off with `…`; in order of their beginnings. */
  rangesIn(text: string): readonly Range[] {
    const found = readings(text).map((reading) => this.#rangesIn(reading));
    return found.length === 1
      ? (found[0] ?? [])
      : found.flat().toSorted((one, other) => one.start - other.start);
  }

  #rangesIn({ units, starts }: PlainUnits): readonly Range[] {
    const startOf = (at: number): number => starts?.[at] ?? at;
    const found: Range[] = [];
    let sum = 0;
    for (let at = 0; at < units.length; at += 1) {
      const left = at < shortestForm ? 0 : Math.imul(units[at - shortestForm] ?? 0, leaving);
      sum = (Math.imul((sum - left) | 0, base) + (units[at] ?? 0)) | 0;
      const begin = at - shortestForm + 1;
      if (begin < 0 || this.#mayBegin[placeOf(sum)] === 0) continue;
      const hit = this.#hitAt(units, begin, sum);
      if (hit === undefined) continue;
      found.push({ start: startOf(Math.max(hit.start, 0)), end: startOf(hit.end) });
    }
    return found;
  }

  #hitAt(units: Uint16Array, begin: number, sum: number): Range | undefined {
    let longest: Range | undefined;
    for (const form of this.#byBeginning.get(sum) ?? []) {
      const length = alikeFrom(units, begin, form.text);
      const end = begin + length;
      const isWhole = length === form.text.length;
      if (length < shortestForm || (!isWhole && !isCutAt(units, end))) continue;
      const hit = isWhole ? withEdges(units, { start: begin, end }, form) : { start: begin, end };
      if (longest === undefined || hit.end > longest.end) longest = hit;
    }
    return longest;
  }
}

function placeOf(sum: number): number {
  return (sum ^ (sum >>> 15)) & (2 ** tableBits - 1);
}

/** How many units from `begin` on are those of the text. */
function alikeFrom(units: Uint16Array, begin: number, text: string): number {
  let length = 0;
  while (length < text.length && units[begin + length] === text.charCodeAt(length)) length += 1;
  return length;
}

/** Whether the text was cut here: it ends, or goes on with `…`, perhaps after half an escape. */
function isCutAt(units: Uint16Array, at: number): boolean {
  let end = at;
  while (end < at + 6 && end < units.length && isOfEscape(units[end] ?? 0)) end += 1;
  if (units[end] === space) end += 1;
  return end >= units.length || units[end] === ellipsis;
}

/** `\`, `%`, `&`, `#`, hexadecimal digits, `u` and `x`. */
function isOfEscape(unit: number): boolean {
  return /[\\%&#0-9a-fux]/.test(String.fromCharCode(unit));
}

function withEdges(units: Uint16Array, { start, end }: Range, { before, after }: SecretForm): Range {
  let [from, to] = [start, end];
  for (let left = before; left > 0 && isBase64(units[from - 1]); left -= 1) from -= 1;
  for (let left = after; left > 0 && isBase64(units[to]); left -= 1) to += 1;
  return { start: from, end: to };
}

function isBase64(unit = 0): boolean {
  return /[0-9a-z_-]/.test(String.fromCharCode(unit));
}
