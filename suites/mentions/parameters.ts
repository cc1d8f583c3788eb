import type { InputSpace } from '../../generators/space/input-space.ts';
import { afterSpace, limitSpace } from '../../generators/spaces/query/parameter-space.ts';
import { unsupportedParameterSpace } from '../../generators/spaces/query/unsupported-parameter-space.ts';
import type { Actor } from '../../harness/client/actor.ts';
import { check, type Check } from '../../harness/check/check.ts';
import type { Always } from '../../harness/check/context.ts';
import { withWorkers } from '../../harness/run/waves.ts';
import { describeAnswer } from '../../harness/verdict/outcome.ts';
import type { ClauseId } from '../../spec/index.ts';
import { formsAgainst, isStopped, openBoundaries, tryForms } from '../arrange/forms.ts';
import { requireAnswered } from '../arrange/send/accepted-sends.ts';
import { requireListing } from '../arrange/mentions/required-listing.ts';

/** One value of a parameter, and the clause that says whether it is taken. */
interface Value {
  readonly parameter: 'after' | 'limit';
  readonly slug: string;
  /** As it stands in the query. */
  readonly value: string;
  readonly clause: ClauseId;
}

/** All values of a parameter that one clause has refused. */
interface WrongForms {
  readonly slug: string;
  /** Completes “a listing with …”. */
  readonly what: string;
  readonly space: InputSpace<string>;
  readonly clause: ClauseId;
}

const wrongForms: readonly WrongForms[] = [
  {
    slug: 'after-that-is-no-integer',
    what: 'an `after` that is no integer',
    space: afterSpace,
    clause: 'mentions.after.type',
  },
  {
    slug: 'after-below-zero',
    what: 'an `after` below 0',
    space: afterSpace,
    clause: 'mentions.after.min',
  },
  {
    slug: 'limit-that-is-no-integer',
    what: 'a `limit` that is no integer',
    space: limitSpace,
    clause: 'mentions.limit.type',
  },
  { slug: 'limit-below-one', what: 'a `limit` below 1', space: limitSpace, clause: 'mentions.limit.min' },
  {
    slug: 'limit-above-a-hundred',
    what: 'a `limit` above 100',
    space: limitSpace,
    clause: 'mentions.limit.max',
  },
];

const wrongValues: readonly Value[] = [
  { parameter: 'limit', slug: '101', value: '101', clause: 'mentions.limit.max' },
];

const takenValues: readonly Value[] = [
  { parameter: 'after', slug: 'zero', value: '0', clause: 'mentions.after.min' },
  { parameter: 'limit', slug: 'one', value: '1', clause: 'mentions.limit.min' },
  { parameter: 'limit', slug: 'a-hundred', value: '100', clause: 'mentions.limit.max' },
];

/** What the contract leaves open, as it stands in the query. */
const unusualSpellings = ['', '01', '%2B1', '1.0', '1e0', '%201'];
/** Requests that are under way at one time. */
const workers = 8;
const farCursors = ['9007199254740993', '9223372036854775807', '9223372036854775808', '18446744073709551616'];

/** Which values the parameters of the call take. */
export const mentionParameterChecks: readonly Check[] = [
  leftOutCheck('after'),
  leftOutCheck('limit'),
  ...wrongValues.map((wrong) => valueCheck(wrong, 'refused')),
  ...wrongForms.map(wrongFormsCheck),
  ...takenValues.map((taken) => valueCheck(taken, 'taken')),
  // errors.unsupported-parameter-is-400: A parameter that the mentions call does not have is answered with
  //   400.
  check(
    'mentions.unsupported-parameter-is-400',
    {
      title: 'a parameter that the call does not have is answered with 400, whichever it is',
      clauses: ['errors.unsupported-parameter-is-400'],
      needs: ['author'],
      needsMemory: true,
      isReadOnly: true,
    },
    async ({ author, expect }) => {
      const clause = 'errors.unsupported-parameter-is-400';
      const start = await requireListing(author);
      const answer = await author.mentions(`${start}limit=10&conform_unsupported=1`);
      expect(clause, answer).toHaveStatus(400);
      const others = formsAgainst(unsupportedParameterSpace, clause);
      await tryForms({ expect }, others, (query) => author.mentions(`${start}limit=10&${query}`), [
        { clause, answer: [400] },
      ]);
    },
  ),
];

function wrongFormsCheck({ slug, what, space, clause }: WrongForms): Check {
  // ids: mentions.after-that-is-no-integer-is-refused, mentions.after-below-zero-is-refused,
  //   mentions.limit-that-is-no-integer-is-refused, mentions.limit-below-one-is-refused,
  //   mentions.limit-above-a-hundred-is-refused
  // mentions.after.type: An `after` that is not an integer is refused.
  // mentions.after.min: An `after` of 0 is accepted, a negative one is refused.
  // mentions.limit.type: A `limit` that is not an integer is refused.
  // mentions.limit.min: A `limit` of 1 is accepted, one of 0 or less is refused.
  // mentions.limit.max: A `limit` of 100 is accepted, one of 101 or more is refused.
  return check(
    `mentions.${slug}-is-refused`,
    {
      title: `a listing with ${what} is refused, with 400, however it is written`,
      clauses: [clause, 'errors.invalid-parameter-is-400'],
      needs: ['author'],
      needsMemory: true,
      // A success by rote would pass a run that sends nothing.
      isReadOnly: true,
    },
    async ({ author, expect }) => {
      const start = await requireListing(author);
      const queryOf = (form: string): string =>
        space === afterSpace ? `${form}&limit=10` : `${start}${form}`;
      await tryForms({ expect }, formsAgainst(space, clause), (form) => author.mentions(queryOf(form)), [
        { clause, answer: 'refused' },
        { clause: 'errors.invalid-parameter-is-400', answer: [400] },
      ]);
    },
  );
}

function leftOutCheck(parameter: Value['parameter']): Check {
  const clause = `mentions.${parameter}.optional` as const;
  // ids: mentions.<parameter>-may-be-left-out
  // mentions.after.optional: A listing without `after` is answered.
  // mentions.limit.optional: A listing without `limit` is answered.
  return check(
    `mentions.${parameter}-may-be-left-out`,
    {
      title: `a listing without ${parameter} is answered`,
      clauses: [clause],
      needs: ['author'],
      needsMemory: true,
    },
    async (context) => {
      const start = await requireListing(context.author);
      const query = parameter === 'after' ? 'limit=10' : start.replace('&', '');
      context.expect(clause, await context.author.mentions(query)).toBeAccepted();
      await note(context, `mentions.${parameter}.unusual-spellings`, parameter, unusualSpellings);
      await askInOpenForms(context.author, parameter);
      if (parameter === 'after') await note(context, 'mentions.after.maximum', 'after', farCursors);
    },
  );
}

function valueCheck({ parameter, slug, value, clause }: Value, answer: 'refused' | 'taken'): Check {
  const isTaken = answer === 'taken';
  // ids: mentions.<parameter>-of-<slug>-is-<answer>
  // mentions.limit.max: A `limit` of 100 is accepted, one of 101 or more is refused.
  // mentions.after.min: An `after` of 0 is accepted, a negative one is refused.
  // mentions.limit.min: A `limit` of 1 is accepted, one of 0 or less is refused.
  return check(
    `mentions.${parameter}-of-${slug}-is-${answer}`,
    {
      title: `a listing with ${parameter}=${value} is ${isTaken ? 'answered' : 'refused, with 400'}`,
      clauses: isTaken ? [clause] : [clause, 'errors.invalid-parameter-is-400'],
      needs: ['author'],
      needsMemory: true,
      // A success by rote would pass a run that sends nothing.
      isReadOnly: !isTaken,
    },
    async ({ author, anonymous, expect, observe }) => {
      const start = await requireListing(author);
      const query = parameter === 'after' ? `after=${value}&limit=10` : `${start}limit=${value}`;
      const listing = await author.mentions(query);
      if (isTaken) return expect(clause, listing).toBeAccepted();
      const bothWrong = await anonymous.mentions(`${parameter}=${value}`);
      observe('errors.precedence', `no credential and ${parameter}=${value}`, describeAnswer(bothWrong));
      expect(clause, listing).toBeRefused();
      expect('errors.invalid-parameter-is-400', listing).toHaveStatus(400);
    },
  );
}

/** Asks once in each form of a parameter that the contract leaves open: whether a server error comes of it, a run finds out at its end. */
async function askInOpenForms(author: Actor, parameter: 'after' | 'limit'): Promise<void> {
  const space = parameter === 'after' ? afterSpace : limitSpace;
  const beside = parameter === 'after' ? 'limit=10' : 'after=0';
  const answers = await withWorkers(openBoundaries(space), workers, ({ value }) =>
    author.mentions(`${value}&${beside}`),
  );
  // What stands before a server may close a connection on what has no room in a line, or no place in a path.
  requireAnswered(...answers.filter((answer) => !isStopped(answer)));
}

/** Records how the call answers each value of a parameter. */
async function note(
  { author, observe }: Pick<Always, 'observe'> & { readonly author: Actor },
  clause: ClauseId,
  parameter: 'after' | 'limit',
  values: readonly string[],
): Promise<void> {
  const answers = await Promise.all(values.map((value) => author.mentions(`${parameter}=${value}`)));
  for (const [index, answer] of answers.entries()) {
    observe(clause, `${parameter}=${values[index] ?? ''}`, describeAnswer(answer));
  }
}
