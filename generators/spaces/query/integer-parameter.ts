import { open, reject, type Expectation, type Label } from '../../space/labelled.ts';
import type { ClauseId } from '../../../spec/index.ts';
import { spellingOf } from './query-parameter.ts';

/** A parameter of a call that should be an integer, and what the contract says of it there. */
export interface IntegerParameter {
  /** Of the space. */
  readonly name: string;
  /** As it stands in the query. */
  readonly parameter: string;
  /** The label of a request without it. */
  readonly omitted: Label;
  readonly ofInteger: (value: bigint) => Label;
  /** Clause by which what is no integer is refused; absent where that is left open. */
  readonly integersOnly?: ClauseId;
  /** One that is to be taken. */
  readonly plain: string;
  /** Integers with two sides, and what is expected on each. */
  readonly integers: Readonly<Record<Expectation, readonly (number | bigint)[]>>;
}

/** What is said of a query in which nothing but the parameter stands. */
export function labelOf(definition: IntegerParameter, query: string): Label {
  const { name, parameter, omitted, ofInteger, integersOnly } = definition;
  const spelling = spellingOf(parameter, query);
  if (spelling.form === 'omitted') return omitted;
  if (spelling.form === 'integer') return ofInteger(spelling.value);
  if (spelling.form === 'odd' || integersOnly === undefined) return open(`${name}/${spelling.form}-spelling`);
  return reject(`${name}/other-than-an-integer`, integersOnly);
}
