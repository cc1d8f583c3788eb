import { type ClauseId, clauseOf, clauseOfPointer, rulesOf, type SchemaName } from '../../spec/index.ts';
import { mutant, type Mutant } from './base/mutant.ts';
import { nodeAt, schemasWithin, spoilAt, type Spoil } from './base/schema-places.ts';
import { type Answering, itemsOf, spoilBody, spoilRefusals } from './base/spoil-answer.ts';
import { wrongValuesOf } from './base/wrong-values.ts';

/** A kind of answer that schemas describe: what it holds, and how one place in it is spoiled wherever it occurs. */
interface Root {
  readonly name: string;
  readonly schemas: readonly SchemaName[];
  readonly spoil: (pointer: string, spoil: Spoil) => Answering;
}

const roots: readonly Root[] = [
  {
    name: 'mentions',
    schemas: ['mentions-response'],
    spoil: (pointer, spoil) =>
      spoilBody('mentions', (body) => spoilAt('mentions-response', body, pointer, spoil)),
  },
  {
    name: 'read',
    schemas: ['channel-read-response', 'message'],
    spoil: (pointer, spoil) =>
      spoilBody('read', (body) => {
        const messages = itemsOf(body, 'read').map((each) => spoilAt('message', each, pointer, spoil));
        return spoilAt('channel-read-response', { ...body, messages }, pointer, spoil);
      }),
  },
  {
    name: 'overview',
    schemas: ['workspace-overview-response'],
    spoil: (pointer, spoil) =>
      spoilBody('overview', (body) => spoilAt('workspace-overview-response', body, pointer, spoil)),
  },
  {
    name: 'refusal',
    schemas: ['api-error'],
    spoil: (pointer, spoil) =>
      spoilRefusals((answer) => ({ ...answer, body: spoilAt('api-error', answer.body, pointer, spoil) })),
  },
];

/** What the schema around it lets be null. */
const nullable = ['message-author-human-user#', 'message-author-machine#'];

/** One broken rule of a schema in one kind of answer. */
export interface SchemaMutant extends Mutant {
  /** The rule, as `rulesOf` names it. */
  readonly pointer: string;
  readonly schema: SchemaName;
}

/** For every rule that the schemas of answers state, and every kind of answer that it holds in, servers that break it. */
export const schemaMutants: readonly SchemaMutant[] = roots.flatMap((root) =>
  [...new Set(root.schemas.flatMap((name) => [...schemasWithin(name)]))].flatMap((schema) =>
    rulesOf(schema).flatMap((pointer) => mutantsOf(root, schema, pointer)),
  ),
);

function mutantsOf(root: Root, schema: SchemaName, pointer: string): SchemaMutant[] {
  const clause = clauseOfPointer(pointer)?.id;
  // An element of a channel read that is no object is no message: what the list holds is not described.
  if (clause === undefined || (root.name === 'read' && pointer === 'message#/type')) return [];
  const { place, keyword, key } = partsOf(pointer);
  const wrongValues = wrongValuesOf(nodeAt(place), keyword, key).filter(
    ({ slug }) => !(slug === 'is-null' && nullable.includes(place)),
  );
  return wrongValues.map(({ slug, what, spoil }) => ({
    ...mutant(
      `${root.name}-${schemaSlug(place, key)}-${slug}`,
      clause,
      schemaSentence(root, place, what, clause),
      root.spoil(place, spoil),
    ),
    pointer,
    schema,
  }));
}

function partsOf(pointer: string): { place: string; keyword: string; key: string | undefined } {
  const required = /^(.*)\/required\/([^/]+)$/.exec(pointer);
  if (required) return { place: required[1] ?? '', keyword: 'required', key: required[2] };
  const cut = pointer.lastIndexOf('/');
  return { place: pointer.slice(0, cut), keyword: pointer.slice(cut + 1), key: undefined };
}

/** `message#/properties/content_type` as `message-content-type`. */
function schemaSlug(place: string, key: string | undefined): string {
  const steps = place
    .replace('#', '')
    .split('/')
    .filter((step) => step !== 'properties' && step !== 'then');
  return [...steps, ...(key === undefined ? [] : [key])]
    .join('-')
    .replaceAll('_', '-')
    .replaceAll('allOf', 'all-of');
}

function schemaSentence(root: Root, place: string, what: string, clause: ClauseId): string {
  return `${place.replace('#', '').replaceAll('/properties/', '.')} ${what} in a ${root.name} answer (${clauseOf(clause).level})`;
}
