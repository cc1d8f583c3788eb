import type { Rules } from '../../../reference/rules/rules.ts';
import { isObject } from './spoil-answer.ts';

/** Objects of a body are read as by decoders to which the names of fields are the same in either letter case. */
export function readingInAnyLetterCase(isMeant: (key: string, value: object) => boolean): Partial<Rules> {
  const named = (key: string, value: unknown): unknown =>
    isObject(value) && isMeant(key, value)
      ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name.toLowerCase(), each]))
      : value;
  return { readJson: (text) => JSON.parse(text, named) };
}
