import { clauseOf, clauses, type ClauseId, type JudgedClauseId } from '../../spec/index.ts';
import { byArea, type RunWideCheck } from '../verdict/run-wide-check.ts';

/** What decides a clause of the form of answers, and where that is written, from the root of the repository. */
interface Decision {
  readonly by: string;
  readonly file: string;
}

const answer = (by: string): Decision => ({ by, file: 'harness/wire/wire-judgement.ts' });
const repeated = (by: string): Decision => ({ by, file: 'harness/judging/repeated-errors.ts' });

/** Clauses about headers and bodies at large, which no schema states. */
const decisionsOfForm = {
  'service.bodies-are-json': answer('what the body of an answer is'),
  'service.content-type-is-json': answer('the media type of an answer'),
  'service.valid-requests-are-served': repeated(
    'a baseline request that drew an error of the server, sent again at the end of a run',
  ),
  'service.requests-at-once-are-served': repeated(
    'a baseline request that drew an error of the server beside others, sent again at the end of a run, alone and beside its like',
  ),
  'service.sends-are-served-or-refused': repeated(
    'a send that drew an error of the server, made again at the end of a run',
  ),
  'auth.www-authenticate': answer('the headers of a refusal'),
  'mentions.status-is-200': answer('the status of a listing'),
  'mentions.error-statuses': answer(
    'the status of a listing; and errors of the server that come again at the end',
  ),
  'mentions.agent-id-header.present': answer('the headers of a listing'),
  'mentions.agent-id-header.type': answer('the headers of a listing'),
  'overview.members.leave-at-once': answer('the members of an overview'),
  'errors.limit-elsewhere-is-429': answer('the headers of a 429 of a read that waits'),
  'errors.retry-after-present': answer('the headers of a 429'),
  'errors.retry-after-is-a-count': answer('the headers of a 429'),
} as const satisfies Readonly<Partial<Record<ClauseId, Decision>>>;

/**
 * Of these an answer may show that they are broken, and never that they are kept: who is listed says nothing of who is not, and one refusal
 * nothing of other limits.
 */
export const onlySeenBroken: ReadonlySet<ClauseId> = new Set([
  'overview.members.leave-at-once',
  'errors.limit-elsewhere-is-429',
]);

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
  const ofAnswers = clauses.filter((clause) => rulesOfAnswers(clause).length > 0);
  return new Set([...ofAnswers.map(({ id }) => id), ...(Object.keys(decisionsOfForm) as ClauseId[])]);
}

/** The schema of a request says what we send, not what the server answers. */
function rulesOfAnswers({ schema }: ReturnType<typeof clauseOf>): readonly string[] {
  return schema.filter((pointer) => !pointer.startsWith('send-request#'));
}

/** What decides a clause in every answer: the schemas that it stands in, or something else about answers; nothing for another clause. */
export function wireDecisions(clause: JudgedClauseId): readonly Decision[] {
  const ofForm = Object.entries(decisionsOfForm).filter(([id]) => id === clause);
  return [
    ...rulesOfAnswers(clauseOf(clause)).map((by) => ({ by, file: fileOfPointer(by) })),
    ...ofForm.map(([, decision]) => decision),
  ];
}

/** Where the schema of a pointer is; the folder of all where the pointer is of several. */
function fileOfPointer(pointer: string): string {
  const [name = ''] = pointer.split('#');
  return /^[a-z-]+$/.test(name) ? `spec/schemas/${name}.schema.json` : 'spec/schemas/';
}
