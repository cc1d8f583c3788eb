import { clauseOf, clauseOfPointer, rulesOf, type SchemaName } from '../../spec/index.ts';
import type { RouteName } from '../../reference/model/routes.ts';
import { mutant, type Mutant, named } from './base/mutant.ts';
import { nodeAt, schemasWithin, spoilAt, type Spoil } from './base/schema-places.ts';
import { type Answering, itemsOf, spoilBody, spoilRefusals } from './base/spoil-answer.ts';
import { wrongValuesOf } from './base/wrong-values.ts';

/** A kind of answer that schemas describe: what it holds, and how one place in it is spoiled wherever it occurs. */
interface Root {
  readonly schemas: readonly SchemaName[];
  readonly spoil: (pointer: string, spoil: Spoil) => Answering;
}

const roots: Readonly<Record<string, Root>> = {
  mentions: bodyOf('mentions', 'mentions-response'),
  read: {
    schemas: ['channel-read-response', 'message'],
    spoil: (pointer, spoil) =>
      spoilBody('read', (body) => {
        const messages = itemsOf(body, 'read').map((each) => spoilAt('message', each, pointer, spoil));
        return spoilAt('channel-read-response', { ...body, messages }, pointer, spoil);
      }),
  },
  overview: bodyOf('overview', 'workspace-overview-response'),
  refusal: {
    schemas: ['api-error'],
    spoil: (pointer, spoil) =>
      spoilRefusals((answer) => ({ ...answer, body: spoilAt('api-error', answer.body, pointer, spoil) })),
  },
};

function bodyOf(route: RouteName, schema: SchemaName): Root {
  return {
    schemas: [schema],
    spoil: (pointer, spoil) => spoilBody(route, (body) => spoilAt(schema, body, pointer, spoil)),
  };
}

/** What the schema around it lets be null. */
const nullable = ['message-author-human-user#', 'message-author-machine#'];

/** One broken rule of a schema in one kind of answer. */
export interface SchemaMutant extends Mutant {
  /** The rule, as `rulesOf` names it. */
  readonly pointer: string;
  readonly schema: SchemaName;
}

/** For every rule that the schemas of answers state, and every kind of answer that it holds in, servers that break it. */
export const schemaMutants: readonly SchemaMutant[] = Object.keys(roots).flatMap((root) =>
  [...new Set((roots[root]?.schemas ?? []).flatMap((name) => [...schemasWithin(name)]))].flatMap((schema) =>
    rulesOf(schema).flatMap((pointer) => mutantsOf(root, schema, pointer)),
  ),
);

function mutantsOf(root: string, schema: SchemaName, pointer: string): SchemaMutant[] {
  const clause = clauseOfPointer(pointer)?.id;
  // An element of a channel read that is no object is no message: what the list holds is not described.
  if (clause === undefined || (root === 'read' && pointer === 'message#/type')) return [];
  const { place, keyword, key } = partsOf(pointer);
  const fields = place.replace('#', '').replaceAll('/properties/', '.');
  return Object.entries(wrongValuesOf(nodeAt(place), keyword, key)).flatMap(([form, spoil]) => {
    const { id: slug, what } = named(form);
    const fault = roots[root]?.spoil(place, spoil) ?? {};
    if (slug === 'is-null' && nullable.includes(place)) return [];
    const sentence = `${fields} ${what} in a ${root} answer (${clauseOf(clause).level})`;
    return {
      ...mutant(`${root}-${schemaSlug(place, key)}-${slug}`, clause, sentence, fault),
      pointer,
      schema,
    };
  });
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
