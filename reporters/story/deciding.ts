import { namesStatus } from '../../harness/results/deciding-exchange.ts';
import type { EvidenceExchange, FindingEvent } from '../../harness/results/generated/events.ts';
import { itemsOfJson, type JsonGroup, type JsonItem } from './json-layout.ts';

/** Shorter texts stand in a sentence for other things too. */
const shortestName = 8;

/** What of a deciding answer is marked. */
export interface Marks {
  readonly isStatus: boolean;
  /** Of its body the items that the finding is about; empty where it names none that is shown. */
  itemsIn(json: JsonGroup): ReadonlySet<JsonItem>;
  /** Whether a line that is no JSON by itself has such an item. */
  isLine(text: string): boolean;
}

/** Of an answer that decides nothing. */
export const noMarks: Marks = { isStatus: false, itemsIn: () => new Set(), isLine: () => false };

/** What is marked in the answer that decides a finding: by the place in its body, or else by what the finding says of it. */
export function marksOf(finding: FindingEvent, exchange: EvidenceExchange): Marks {
  const { places = [], expected, actual } = finding;
  const paths = new Set(places.map(({ path }) => path).filter((path) => path !== ''));
  const rules: readonly ((item: JsonItem) => boolean)[] = [
    ({ path }) => paths.has(path),
    ({ key, value }) => 'text' in value && isSaid(actual, key, value.text),
    ({ value }) => 'text' in value && isNamed(actual, value.text),
    ({ key, value }) => 'text' in value && isOtherThan(expected, key) && hasWords(actual, bare(value.text)),
    ({ value }) => 'text' in value && isNamed(expected, value.text),
  ];
  return {
    isStatus: namesStatus(actual, exchange),
    itemsIn: (json) => {
      const items = itemsOfJson(json);
      const found = rules.map((rule) => items.filter(rule)).find(({ length }) => length > 0);
      return new Set(found ?? []);
    },
    isLine: (text) => [...text.matchAll(pair)].some(([, key = '', value = '']) => isSaid(actual, key, value)),
  };
}

/** A key of JSON and its value, where that is no group. */
const pair = /("[\w-]+"):\s*("(?:[^"\\]|\\.)*"|[^\s"[\]{},]+)/gu;

/** `next_after 43` says that `next_after` is 43. */
function isSaid(words: string, key: string, value: string): boolean {
  const name = nameOf(key);
  return name !== '' && hasWords(words, `${name} ${bare(value)}`);
}

/** `uploaded_at 2026-01-01T00:00:00Z`: a key and the value that it has to have. */
function isOtherThan(words: string, key: string): boolean {
  const name = nameOf(key);
  return /^\w+_\w+$/.test(name) && hasWords(words, name);
}

function nameOf(key: string): string {
  return key.replaceAll(/[":\s]/g, '');
}

function hasWords(sentence: string, words: string): boolean {
  return ` ${sentence.replaceAll(/[,;:]/g, ' ')} `.includes(` ${words} `);
}

/** An id or a text that a sentence quotes. */
function isNamed(words: string, value: string): boolean {
  const text = bare(value);
  if (!value.startsWith('"') || text.length < shortestName) return false;
  const at = words.indexOf(text);
  return (
    at >= 0 && !/[\w-]/.test(words.slice(at - 1, at) + words.slice(at + text.length, at + text.length + 1))
  );
}

function bare(value: string): string {
  return value.replaceAll(/^"|"$/g, '');
}
