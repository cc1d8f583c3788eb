import { clauses } from '../../spec/index.ts';
import type { ClauseId } from '../../spec/index.ts';

/** Clauses about headers and bodies at large, which no schema states. */
const clausesOfForm: readonly ClauseId[] = [
  'service.bodies-are-json',
  'service.content-type-is-json',
  'service.valid-requests-are-served',
  'service.requests-at-once-are-served',
  'auth.www-authenticate',
  'mentions.error-statuses',
  'mentions.agent-id-header.present',
  'mentions.agent-id-header.type',
  'errors.retry-after-present',
  'errors.retry-after-is-a-count',
];

/** A check that has no body of its own: it watches what all the others receive. */
interface WireCheck {
  readonly id: string;
  readonly title: string;
  readonly clauses: readonly ClauseId[];
}

/** The clauses about the form of answers, one check per area of the contract. */
export const wireChecks: readonly WireCheck[] = Object.freeze(
  [...areasOf(wireClauses())].map(([area, ids]) => ({
    id: `wire.${area}`,
    title: `every answer keeps the form that the contract gives for ${area}`,
    clauses: ids,
  })),
);

function wireClauses(): ReadonlySet<ClauseId> {
  // The schema of a request says what we send, not what the server answers.
  const ofAnswers = clauses.filter(({ schema }) =>
    schema.some((pointer) => !pointer.startsWith('send-request#')),
  );
  return new Set([...ofAnswers.map(({ id }) => id), ...clausesOfForm]);
}

function areasOf(ids: Iterable<ClauseId>): Map<string, ClauseId[]> {
  const areas = new Map<string, ClauseId[]>();
  for (const id of ids) {
    const area = id.slice(0, id.indexOf('.'));
    areas.set(area, [...(areas.get(area) ?? []), id]);
  }
  return areas;
}
