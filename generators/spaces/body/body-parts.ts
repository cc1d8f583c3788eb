import * as fc from 'fast-check';
import type { InputSpace, NamedValue } from '../../space/input-space.ts';
import type { JsonValue } from '../../texts/json-values.ts';
import type { Label } from '../../space/labelled.ts';
import type { SendBodyInput } from './send-body.ts';
import { runsOf } from '../../texts/text.ts';

/** The plainest body of a send. */
export const plainBody: SendBodyInput = Object.freeze({ content: runsOf('a'), fields: {} });

/** One part of the body of a send, seen from the whole: what it can be, in a body that is plain but for it. */
export interface BodyPart {
  readonly isIn: (body: SendBodyInput) => boolean;
  readonly without: (body: SendBodyInput) => SendBodyInput;
  /** The label of the part in a body that has it. */
  readonly labelIn: (body: SendBodyInput) => Label | undefined;
  readonly boundaries: readonly NamedValue<SendBodyInput>[];
  /** The body with any value of the part. */
  readonly anyIn: (body: SendBodyInput) => fc.Arbitrary<SendBodyInput>;
  /** The body with simpler values of the part. */
  readonly simpler: (body: SendBodyInput) => Iterable<SendBodyInput>;
  readonly rank: (body: SendBodyInput) => readonly number[];
}

/** A part that has a member of its own in the input. */
export function memberPart<Key extends 'content' | 'mentions' | 'attachments'>(
  key: Key,
  space: InputSpace<NonNullable<SendBodyInput[Key]>>,
): BodyPart {
  return bodyPart(space, {
    valueIn: (body) => body[key] as NonNullable<SendBodyInput[Key]> | undefined,
    withValue: (body, value) => ({ ...body, [key]: value }),
    without: ({ [key]: _left, ...others }) => others as SendBodyInput,
  });
}

/** A part that is a plain field. */
export function fieldPart(name: string, space: InputSpace<JsonValue>): BodyPart {
  return bodyPart(space, {
    valueIn: ({ fields }) => fields[name],
    withValue: (body, value) => ({ ...body, fields: { ...body.fields, [name]: value } }),
    without: (body) => ({ ...body, fields: withoutPart(body.fields, name) }),
  });
}

interface Place<Value> {
  readonly valueIn: (body: SendBodyInput) => Value | undefined;
  readonly withValue: (body: SendBodyInput, value: Value) => SendBodyInput;
  readonly without: (body: SendBodyInput) => SendBodyInput;
}

function bodyPart<Value>(space: InputSpace<Value>, { valueIn, withValue, without }: Place<Value>): BodyPart {
  return {
    isIn: (body) => valueIn(body) !== undefined,
    without,
    labelIn(body) {
      const value = valueIn(body);
      return value === undefined ? undefined : space.labelOf(value);
    },
    boundaries: space.boundaries.map(({ label, expectation, value }) => ({
      slug: label,
      expectation,
      value: withValue(plainBody, value),
    })),
    anyIn: (body) => space.arbitrary.map(({ value }) => withValue(body, value)),
    *simpler(body) {
      const value = valueIn(body);
      if (value === undefined) return;
      for (const each of space.simpler(value)) yield withValue(body, each);
    },
    rank(body) {
      const value = valueIn(body);
      return value === undefined ? [0] : [1, ...space.rank(value)];
    },
  };
}

/** The fields but one. */
export function withoutPart(fields: SendBodyInput['fields'], name: string): SendBodyInput['fields'] {
  return Object.fromEntries(Object.entries(fields).filter(([other]) => other !== name));
}
