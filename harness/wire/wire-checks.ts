import { clauses, type ClauseId } from '../../spec/index.ts';
import { byArea, type RunWideCheck } from '../verdict/run-wide-check.ts';

/** Clauses about headers and bodies at large, which no schema states. */
const clausesOfForm: readonly ClauseId[] = [
  'service.bodies-are-json',
  'service.content-type-is-json',
  'service.valid-requests-are-served',
  'service.requests-at-once-are-served',
  'service.sends-are-served-or-refused',
  'auth.www-authenticate',
  'mentions.error-statuses',
  'mentions.agent-id-header.present',
  'mentions.agent-id-header.type',
  'overview.members.active-only',
  'errors.retry-after-present',
  'errors.retry-after-is-a-count',
];

/** Of these an answer may show that they are broken, and never that they are kept: who is listed says nothing of who is not. */
export const onlySeenBroken: ReadonlySet<ClauseId> = new Set(['overview.members.active-only']);

/** The clauses about the form of answers, one check per area of the contract. */
export const wireChecks: readonly RunWideCheck[] = byArea('wire', wireClauses()).map(
  ({ id, area, about, clauses: ids }) => ({
    id,
    area,
    title: `every answer keeps the form that the contract gives for ${about}`,
    clauses: ids,
  }),
);

function wireClauses(): ReadonlySet<ClauseId> {
  // The schema of a request says what we send, not what the server answers.
  const ofAnswers = clauses.filter(({ schema }) =>
    schema.some((pointer) => !pointer.startsWith('send-request#')),
  );
  return new Set([...ofAnswers.map(({ id }) => id), ...clausesOfForm]);
}
