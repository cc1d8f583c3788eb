import * as fc from 'fast-check';
import { inputSpace, named } from '../../space/input-space.ts';
import {
  isJsonObject,
  rankOfJson,
  simplerJson,
  simplerLists,
  type JsonValue,
} from '../../texts/json-values.ts';
import { accept, open, reject, type Label } from '../../space/labelled.ts';
import type { TargetInput, TargetKind, TargetPlace } from './send-body.ts';
import { anyUnit } from '../../space/units.ts';

type Targets = readonly TargetInput[];

/** Most targets of one message. */
const most = 20;

const targetKindsDrawn = ['agent', 'user', 'machine'] as const;

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Nobody has it; whether nobody may be named is left open. */
const unknownId = '00000000-0000-4000-8000-0000000000ff';

const noUuids = {
  'no-character': '',
  'a-word': 'agent-one',
  'a-name': '@someone',
  'an-e-mail-address': 'someone@localhost',
  'one-digit-short': unknownId.slice(0, -1),
  'one-digit-long': `${unknownId}0`,
  'no-hex-digit': `${unknownId.slice(0, -1)}g`,
  'two-uuids': `${unknownId},${unknownId}`,
};

/** Other spellings of a UUID, and what stands for no id: the contract does not say how it takes them. */
const oddIds: Readonly<Record<string, JsonValue>> = {
  'without-hyphens': unknownId.replaceAll('-', ''),
  'in-braces': `{${unknownId}}`,
  'as-a-urn': `urn:uuid:${unknownId}`,
  'in-capitals': unknownId.toUpperCase(),
  'with-a-line-end': `${unknownId}\n`,
  'of-an-unknown-principal': unknownId,
  nil: '00000000-0000-0000-0000-000000000000',
  max: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
};

const oddTargets: Readonly<Record<string, JsonValue>> = {
  'unknown-kind': { kind: 'robot', id: unknownId },
  'kind-in-capitals': { kind: 'AGENT', id: unknownId },
  'kind-of-no-text': { kind: 1, id: unknownId },
  'no-kind': { id: unknownId },
  'no-id': { kind: 'agent' },
  'id-of-no-text': { kind: 'agent', id: 1 },
  'null-id': { kind: 'agent', id: null },
  'extra-field': { kind: 'agent', id: unknownId, name: 'someone' },
  'a-text': unknownId,
  null: null,
  'a-list': ['agent', unknownId],
};

/**
 * Mention targets of a send. Places of different kinds are never the same principal; with two of one kind it is known
 * only at a target, so that they are open, as repetitions are.
 */
export const targetsSpace = inputSpace<Targets>({
  name: 'targets',
  boundaries: [
    named('open', 'none', []),
    ...targetKindsDrawn.map((kind) => named('accept', `one-${kind}`, [targetPlaceAt(kind)])),
    named(
      'accept',
      'one-of-each-kind',
      targetKindsDrawn.map((kind) => targetPlaceAt(kind)),
    ),
    named('open', 'the-same-twice', [targetPlaceAt('agent'), targetPlaceAt('agent')]),
    ...[19, 20].map((count) => named('open', `${count}-places`, targetPlaces(count))),
    ...[21, 22, 100, 1000].map((count) => named('reject', `${count}-places`, targetPlaces(count))),
    named(
      'reject',
      '21-times-the-same',
      Array.from({ length: 21 }, () => targetPlaceAt('agent')),
    ),
    // Whoever knows a target for nobody may refuse it; but of places a target has fewer than 21.
    named('reject', '21-of-nobody', nobodies(21, ['agent'])),
    named('reject', '21-of-nobody-of-every-kind', nobodies(21, targetKindsDrawn)),
    ...Object.entries(noUuids).map(([slug, id]) =>
      named('reject', `id-of-${slug}`, [literal({ kind: 'agent', id })]),
    ),
    ...targetKindsDrawn.map((kind) => named('reject', `${kind}-by-name`, [literal({ kind, id: 'someone' })])),
    named('reject', 'no-uuid-behind-a-place', [
      targetPlaceAt('user'),
      literal({ kind: 'agent', id: 'someone' }),
    ]),
    ...Object.entries(oddIds).map(([slug, id]) =>
      named('open', `id-${slug}`, [literal({ kind: 'agent', id })]),
    ),
    ...Object.entries(oddTargets).map(([slug, target]) =>
      named('open', `target-of-${slug}`, [literal(target)]),
    ),
  ],
  values: anyTargets(),
  labelOf: targetsLabel,
  simpler: (targets) => simplerLists(targets, simplerTarget),
  rank: (targets) => rankOfJson(targets as readonly JsonValue[]),
});

function targetsLabel(targets: Targets): Label | undefined {
  const labels = targets.flatMap((target) => ('literal' in target ? labelOfLiteral(target.literal) : []));
  const refusals = labels.filter(({ expectation }) => expectation === 'reject');
  const oneRefusal = refusals[0];
  if (targets.length > most) {
    const tooMany = 'message#/properties/mentions/maxItems';
    return targets.every(isSpelledOut)
      ? reject('targets/more-than-20', 'send.mentions-over-limit', tooMany)
      : undefined;
  }
  if (oneRefusal !== undefined) return labels.length > 1 || hasTwins(targets) ? undefined : oneRefusal;
  if (targets.length === 0) return open('targets/no-target');
  return labels[0] ?? (hasTwins(targets) ? open('targets/two-of-a-kind') : accept('targets/known'));
}

function labelOfLiteral(literalTarget: JsonValue): Label {
  if (!isWholeTarget(literalTarget)) return open('targets/odd-target');
  const { id } = literalTarget;
  // Whoever leaves out what UUIDs are written with may find one in it.
  if (
    uuid.test(id.replaceAll(/urn:uuid:|[{}()\s-]/gi, '').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'))
  )
    return open('targets/odd-or-unknown-id');
  return reject('targets/no-uuid', 'message.mentions.validated', 'mention-target#/properties/id/format');
}

/** A place, or a target whose id is a UUID as everybody writes it. */
function isSpelledOut(target: TargetInput): boolean {
  if (!('literal' in target)) return true;
  return isWholeTarget(target.literal) && uuid.test(target.literal.id);
}

/** A kind that there is, an id that is a text, and nothing else. */
function isWholeTarget(target: JsonValue): target is { readonly kind: TargetKind; readonly id: string } {
  if (!isJsonObject(target) || Object.keys(target).length !== 2) return false;
  return targetKindsDrawn.some((kind) => kind === target['kind']) && typeof target['id'] === 'string';
}

/** Two places of one kind, which may come to be one principal. */
function hasTwins(targets: Targets): boolean {
  const known = targets.flatMap((target) => ('kind' in target ? target.kind : []));
  return new Set(known).size < known.length;
}

function anyTargets(): fc.Arbitrary<Targets> {
  const aPlace = fc.record<TargetPlace>(
    { kind: fc.constantFrom(...targetKindsDrawn), index: fc.nat({ max: 1000 }) },
    { noNullPrototype: true },
  );
  const id = fc.oneof(
    fc.uuid(),
    fc.string({ maxLength: 40 }),
    fc.string({ unit: anyUnit, maxLength: 40 }),
    fc.constantFrom(...Object.values(noUuids)),
  );
  const withId = fc
    .record({ kind: fc.constantFrom<JsonValue>(...targetKindsDrawn), id }, { noNullPrototype: true })
    .map(literal);
  const odd = (fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<JsonValue>).map(literal);
  return fc.oneof(
    {
      arbitrary: fc
        .shuffledSubarray([...targetKindsDrawn])
        .map((chosen) => chosen.map((kind) => targetPlaceAt(kind))),
      weight: 2,
    },
    { arbitrary: fc.array(aPlace, { maxLength: 3 }), weight: 2 },
    { arbitrary: fc.array(aPlace, { maxLength: 60, size: 'max' }), weight: 2 },
    { arbitrary: fc.tuple(withId), weight: 2 },
    { arbitrary: fc.array(fc.oneof(aPlace, withId, odd), { maxLength: 4 }), weight: 1 },
  );
}

function* simplerTarget(target: TargetInput): Generator<TargetInput> {
  if ('literal' in target) for (const simpler of simplerJson(target.literal)) yield literal(simpler);
  else if (target.kind !== 'agent' || target.index > 0)
    yield* [targetPlaceAt('agent'), targetPlaceAt(target.kind)];
}

function targetPlaceAt(kind: TargetKind, index = 0): TargetPlace {
  return { kind, index };
}

function targetPlaces(count: number): Targets {
  return Array.from({ length: count }, (_, index) =>
    targetPlaceAt(targetKindsDrawn[index % targetKindsDrawn.length] ?? 'agent', index),
  );
}

/** So many different targets that nobody is. */
function nobodies(count: number, kinds: readonly TargetKind[]): Targets {
  const ids = Array.from({ length: count }, (_, index) => unknownId.slice(0, -4) + String(1000 + index));
  return ids.map((id, index) => literal({ kind: kinds[index % kinds.length] ?? 'agent', id }));
}

function literal(target: JsonValue): { readonly literal: JsonValue } {
  return { literal: target };
}
