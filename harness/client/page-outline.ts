import { isRecord, type JsonRecord, stringifyExact } from '../../spec/calls/index.ts';
import type { JsonPath } from './json-path.ts';

/** Runs and marked sequences of a row that are shown: what is far from any that is marked is left out first. */
const mostParts = 60;
const shownAround = 3;

type OutlinedSequence = bigint | number | undefined;

/** What there is to be known of a page without its items. */
export interface PageOutline {
  /** Name of the list. */
  readonly list: string;
  readonly sequences: readonly OutlinedSequence[];
  /** What the page says of itself. */
  readonly page: unknown;
}

/** An answer as a page; `undefined` for any other. */
export function pageOutlineOf(json: unknown): PageOutline | undefined {
  const found = listInJson(json);
  if (found === undefined || !isRecord(json)) return undefined;
  const [list, items] = found;
  return { list, sequences: items.map(sequenceIn), page: json['page'] };
}

/** A page in two lines: the sequences of its items in a row, and what it says of itself. Nothing is cleaned, nor cut but the row. */
export function outlineText({ list, sequences, page }: PageOutline): string {
  const count = `${sequences.length} item${sequences.length === 1 ? '' : 's'}`;
  const row = sequences.length === 0 ? count : `${count} with the sequences ${outlineRow(sequences)}`;
  return [`${list}: ${row}`, ...(page === undefined ? [] : [`page: ${stringifyExact(page)}`])].join('\n');
}

/**
 * Sequences in their order: those that rise by one as `1-97`, and a fall marked, with what is far from it left out:
 * `1-4 7 ⟦9⟧ ⟦8⟧ 10-12`.
 */
export function outlineRow(sequences: readonly OutlinedSequence[]): string {
  const marked = new Set(
    sequences.flatMap((each, index) => (isFall(sequences[index - 1], each) ? [index - 1, index] : [])),
  );
  const parts: { text: string; isMarked: boolean }[] = [];
  for (let index = 0; index < sequences.length;) {
    const end = endOfRun(sequences, index, marked);
    const [first, last] = [sequences[index], sequences[end]];
    const isMarked = marked.has(index);
    if (isMarked) parts.push({ text: `⟦${String(first)}⟧`, isMarked });
    else
      parts.push({
        text: end - index < 2 ? listed(sequences.slice(index, end + 1)) : `${first}-${last}`,
        isMarked,
      });
    index = end + 1;
  }
  return bounded(parts);
}

/** Where the item stands that a text names by its id, or by the marker of its content. */
export function pathOfNamed(json: unknown, text: string, runId: string): JsonPath | undefined {
  const [list, items] = listInJson(json) ?? ['', []];
  const index = items.findIndex((item) => namesOf(item, runId).some((name) => text.includes(name)));
  return index < 0 ? undefined : [list, String(index)];
}

/** The id of the message that an answer is, or is wrapped around. */
export function idOfMessage(json: unknown): string | undefined {
  const id = isRecord(json) ? messageIn(json)['id'] : undefined;
  return typeof id === 'string' ? id : undefined;
}

function listInJson(json: unknown): readonly [name: string, items: readonly JsonRecord[]] | undefined {
  if (!isRecord(json)) return undefined;
  for (const [name, value] of Object.entries(json)) {
    if (Array.isArray(value) && (value.length > 0 ? value.every(isItem) : isRecord(json['page'])))
      return [name, value as readonly JsonRecord[]];
  }
  return undefined;
}

function isItem(value: unknown): boolean {
  return isRecord(value) && sequenceIn(value) !== undefined;
}

function sequenceIn(item: JsonRecord): OutlinedSequence {
  const message = item['message'];
  const sequence = item['sequence'] ?? (isRecord(message) ? message['sequence'] : undefined);
  return typeof sequence === 'number' || typeof sequence === 'bigint' ? sequence : undefined;
}

/** Beginnings of a marker and ids are long enough to stand in a text for nothing else. */
function namesOf(item: JsonRecord, runId: string): readonly string[] {
  const message = messageIn(item);
  const { content } = message;
  const end = typeof content === 'string' && content.startsWith(runId) ? content.indexOf('.') : -1;
  const marker = typeof content === 'string' && end > 0 ? [content.slice(0, end + 1)] : [];
  return [item['id'], message['id'], ...marker].filter(
    (name): name is string => typeof name === 'string' && name.length >= 8,
  );
}

function messageIn(record: JsonRecord): JsonRecord {
  return isRecord(record['message']) ? record['message'] : record;
}

function isFall(before: OutlinedSequence, after: OutlinedSequence): boolean {
  return before !== undefined && after !== undefined && after < before;
}

function endOfRun(sequences: readonly OutlinedSequence[], from: number, marked: ReadonlySet<number>): number {
  let end = from;
  while (
    !marked.has(end) &&
    end + 1 < sequences.length &&
    !marked.has(end + 1) &&
    isNext(sequences[end], sequences[end + 1])
  )
    end += 1;
  return end;
}

function isNext(one: OutlinedSequence, other: OutlinedSequence): boolean {
  return one !== undefined && other !== undefined && BigInt(other) === BigInt(one) + 1n;
}

function listed(sequences: readonly OutlinedSequence[]): string {
  return sequences.map((each) => String(each ?? '?')).join(' ');
}

function bounded(parts: readonly { readonly text: string; readonly isMarked: boolean }[]): string {
  if (parts.length <= mostParts) return parts.map(({ text }) => text).join(' ');
  const places = parts.flatMap(({ isMarked }, index) => (isMarked ? index : [])).slice(0, 4);
  const kept = new Set([0, 1, 2, parts.length - 3, parts.length - 2, parts.length - 1]);
  for (const place of places)
    for (let index = place - shownAround; index <= place + shownAround; index += 1) kept.add(index);
  return parts
    .flatMap(({ text }, index) => (kept.has(index) ? text : kept.has(index - 1) ? '…' : []))
    .join(' ');
}
