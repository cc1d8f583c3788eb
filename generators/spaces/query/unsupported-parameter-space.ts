import * as fc from 'fast-check';
import { isPageParameter } from '../../../spec/calls/index.ts';
import { inputSpace, named } from '../../space/input-space.ts';
import { rankOfJson } from '../../texts/json-values.ts';
import { open, reject, type Label } from '../../space/labelled.ts';
import { anyUnit } from '../../space/units.ts';

const idOfNobody = '00000000-0000-4000-8000-0000000000ff';

/** What would name another recipient or another workspace. */
const overrides = [
  ...'recipient recipient_id recipient_agent_id agent agent_id user user_id human_user_id'.split(' '),
  ...'machine machine_id target target_id mentioned as on_behalf_of workspace workspace_id'.split(' '),
  ...'workspaceId tenant tenant_id'.split(' '),
];

const otherParameters = [
  'before',
  'order',
  'sort',
  'offset',
  'page',
  'cursor',
  'q',
  'fields',
  'include',
  'since',
  '_',
];

/** Names that may be meant for a parameter of the call, or that its table of statuses hints at. */
const doubtful = [
  'AFTER',
  'Limit',
  'after[]',
  'limit[0]',
  ' after',
  'wait',
  'access_token',
  'api_key',
  'token',
  '',
];

/**
 * Query parameters that the mentions call does not have, one at a time, raw. That they are refused is inferred; that they
 * have no effect has a clause of its own.
 */
export const unsupportedParameterSpace = inputSpace<string>({
  name: 'unsupported',
  boundaries: [
    ...overrides.map((name) => named('reject', `override-${name}`, `${name}=${idOfNobody}`)),
    ...otherParameters.map((name) => named('reject', `other-${name}`, `${name}=1`)),
    ...doubtful.map((name) =>
      named('open', `doubtful-${parameterSlug(name)}`, `${encodeURIComponent(name)}=1`),
    ),
    named('open', 'doubtful-no-value', 'recipient'),
    named('open', 'doubtful-5000-characters', `recipient=${'x'.repeat(5000)}`),
  ],
  values: fc
    .tuple(
      fc.oneof(
        fc.constantFrom(...overrides, ...otherParameters),
        fc.string({
          unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz_'.split('')),
          minLength: 1,
          maxLength: 20,
        }),
        fc.string({ unit: anyUnit, maxLength: 6 }),
      ),
      fc.oneof(fc.uuid(), fc.constant(idOfNobody), fc.string({ unit: anyUnit, maxLength: 12 })),
    )
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`),
  labelOf: unsupportedParameterLabel,
  *simpler(query) {
    const [name, value] = query.split('=');
    yield* [`recipient=${idOfNobody}`, `order=1`, `${name}=1`, `${name}=`, `x=${value}`, 'x=1'];
  },
  rank: rankOfJson,
});

function unsupportedParameterLabel(query: string): Label | undefined {
  const [, name, value] = /^([a-z_A-Z]*)=(.*)$/.exec(query) ?? [];
  if (name === undefined || value === undefined) return open('unsupported/odd-name');
  if (isPageParameter(name, 'mentions')) return undefined;
  if (name === '' || isPageParameter(name.toLowerCase(), 'mentions') || doubtful.includes(name))
    return open('unsupported/doubtful-name');
  // Empty or overlong ones may be taken for none, or be refused on the way.
  if (value === '' || value.length > 1000) return open('unsupported/doubtful-value');
  return overrides.includes(name)
    ? reject('unsupported/an-override', 'mentions.override-is-400')
    : reject('unsupported/an-unknown-name', 'errors.unsupported-parameter-is-400');
}

function parameterSlug(name: string): string {
  return name === '' ? 'no-name' : name.replaceAll(/\W/g, '-');
}
