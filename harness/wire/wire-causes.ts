import type { SchemaProblem } from '../../spec/index.ts';
import type { JsonPath } from '../client/json-path.ts';
import type { WireProblem } from './wire-judgement.ts';
import type { WireSighting } from './wire-ledger.ts';

/** Values that one function of a server writes, whatever their key is: told by its end. */
const families: readonly (readonly [RegExp, string])[] = [
  [/_at$/, 'time'],
  [/^id$|(?<!session)_id$/, 'id'],
];

/**
 * By what a broken rule of a schema is told to have the same cause as another: an extra field of one name in any object, one
 * rule about values of one key or family; a missing key only where it is the same rule.
 */
export function causeOf(
  { keyword, pointer, message }: Pick<SchemaProblem, 'keyword' | 'pointer' | 'message'>,
  path: JsonPath,
): Pick<WireProblem, 'kind' | 'value'> {
  if (keyword === 'required') return { kind: pointer };
  // The message names the key that is one too many.
  if (keyword === 'additionalProperties') return { kind: message };
  const key = path.findLast((each) => !/^[0-9]+$/.test(each)) ?? '';
  const [, family] = families.find(([form]) => form.test(key)) ?? [];
  return { kind: `${keyword} of ${family ?? key}`, value: path.join('/') };
}

/** Sightings that come from one cause together, in the order in which the first of each was met. */
export function byCause(sightings: readonly WireSighting[]): readonly (readonly WireSighting[])[] {
  let groups: { readonly keys: readonly string[]; readonly members: readonly WireSighting[] }[] = [];
  for (const sighting of sightings) {
    const keys = keysOf(sighting);
    const same = groups.filter((group) => group.keys.some((key) => keys.includes(key)));
    const joined = {
      keys: [...same.flatMap((group) => group.keys), ...keys],
      members: [...same.flatMap(({ members }) => members), sighting],
    };
    const [first] = same;
    groups =
      first === undefined
        ? [...groups, joined]
        : groups.map((group) => (group === first ? joined : group)).filter((group) => !same.includes(group));
  }
  return groups.map(({ members }) => members);
}

function keysOf({ problem: { kind, value }, exchange: { id } }: WireSighting): readonly string[] {
  return [`kind ${kind}`, ...(value === undefined ? [] : [`value ${value} of ${id}`])];
}
