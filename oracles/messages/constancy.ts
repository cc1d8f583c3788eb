import { isSameInstant } from '../values/instants.ts';
import { asText } from '../values/json-texts.ts';
import { judgeEach, inconclusive } from '../values/judgement.ts';
import type { Judgement, Problem } from '../values/judgement.ts';
import { differenceOf } from './content.ts';

/** An object of an answer whose shape nobody has vouched for. */
type Fields = Readonly<Record<string, unknown>>;

const fixedFields = ['id', 'workspace_id', 'channel_id', 'content_type', 'content', 'size_bytes'];

/**
 * A message read again is the one read before. Left out are its author, which {@link judgeAuthorConstant} has, its place, its
 * receipts and the state of its files; an absent list, an empty one and null are the same, and so is one instant that is
 * written in two ways.
 */
export function judgeMessageConstant(first: Fields, later: Fields): Judgement {
  const [before, after] = [partsOf(first), partsOf(later)];
  const [was, is] = [first['created_at'], later['created_at']];
  const isSame = typeof was === 'string' && typeof is === 'string' && isSameInstant(was, is) === true;
  return judgeParts(before, isSame ? { ...after, created_at: was } : after);
}

/** The author of a message read again is the one read before; an absent field and null are the same. */
export function judgeAuthorConstant(first: Fields, later: Fields): Judgement {
  if (!isFields(first['author'])) return inconclusive;
  return judgeParts(first['author'], isFields(later['author']) ? later['author'] : {});
}

function partsOf(message: Fields): Fields {
  return {
    ...Object.fromEntries(fixedFields.map((name) => [name, message[name]])),
    created_at: message['created_at'],
    mentions: setOf(message['mentions'], ({ kind, id }) => `${asText(kind)} ${asText(id).toLowerCase()}`),
    attachments: setOf(message['attachments'], ({ id }) => asText(id).toLowerCase()),
  };
}

function judgeParts(first: Fields, later: Fields): Judgement {
  const names = [...new Set([...Object.keys(first), ...Object.keys(later)])];
  return judgeEach(names, (name) => {
    const before = canonical(ownField(first, name), name);
    const after = canonical(ownField(later, name), name);
    return before === after ? undefined : changeOf(`${name} as read before`, before, after);
  });
}

/** A server may name a field like one that every object inherits. */
function ownField(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/**
 * One text for one value under a name: keys sorted, absent members and null left out, big integers written in full, ids
 * in lower case. The id of a session is not one of ours: its letter case counts.
 */
function canonical(value: unknown, name: string): string {
  if (Array.isArray(value)) return `[${value.map((each) => canonical(each, name)).join(',')}]`;
  if (isFields(value)) {
    const keys = Object.keys(value).filter((key) => value[key] !== undefined && value[key] !== null);
    const members = keys.toSorted().map((key) => `${JSON.stringify(key)}:${canonical(value[key], key)}`);
    return `{${members.join(',')}}`;
  }
  if (value === undefined) return 'null';
  if (typeof value === 'string' && isIdName(name)) return JSON.stringify(value.toLowerCase());
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}

function isIdName(name: string): boolean {
  return name === 'id' || (name.endsWith('_id') && name !== 'session_id');
}

function setOf(value: unknown, keyOf: (element: Fields) => string): readonly string[] {
  return Array.isArray(value) ? [...new Set(value.filter(isFields).map(keyOf))].toSorted() : [];
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Contents can be half a million bytes: of a longer text what is around the difference is shown. */
const longestShown = 80;

function changeOf(what: string, before: string, after: string): Problem {
  const isLong = Math.max(before.length, after.length) > longestShown;
  if (!isLong) return { expected: `${what}, ${before}`, actual: after };
  const difference = differenceOf(before, after);
  return { ...difference, expected: `${what}: ${difference.expected}` };
}
