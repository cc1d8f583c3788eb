import { check, type Check } from '../../harness/check/check.ts';
import { describeAnswer } from '../../harness/verdict/outcome.ts';
import { isStoppedForLength, tryTexts } from '../arrange/forms.ts';
import { requireListing } from '../arrange/mentions/required-listing.ts';

/** More digits than languages that read numbers of any size read at once: 4,300 is a usual limit. */
const manyDigits = '1'.repeat(5000);

/** Wrong whichever value of a repeated parameter counts. */
const wrongInEveryReading = [
  'limit=0&limit=101',
  'limit=1000&limit=0',
  'limit=ten&limit=ten',
  'after=-1&after=-2',
  'after=x&after=-1',
];

/** A parameter of the call with a wrong value to whom names are the same in either letter case, or lists; no parameter to others. */
const wrongOrUnknown = {
  after: ['AFTER=x', 'after[]=x'],
  limit: ['Limit=0', 'LIMIT=101', 'limit[0]=101'],
};

/** Parameters that the call does not have, with nothing in them. */
const blankOthers = ['recipient=', 'agent_id=', 'workspace_id=', 'order=', 'workspace'];

const taken = { clause: 'mentions.error-statuses', statuses: [200, 400, 409] } as const;
const wrong = { clause: 'errors.invalid-parameter-is-400', statuses: [400] } as const;

/**
 * Numbers of many digits, and what they are to be answered with, unless the query is too long for what reads it: a good credential is
 * refused neither with 401 nor with 403.
 */
const longNumbers = [
  { query: `after=${'9'.repeat(30)}`, ...taken },
  { query: `after=${manyDigits}`, ...taken },
  { query: `after=-${manyDigits}`, ...wrong },
  { query: `limit=${manyDigits}`, ...wrong },
] as const;

/** What parameters are when they are odd in whole: given twice, blank, under a name in capitals, or of more digits than are looked at. */
export const oddParameterChecks: readonly Check[] = [
  // errors.invalid-parameter-is-400: An invalid `after` or `limit` on the mentions call is answered with 400.
  check(
    'mentions.parameter-wrong-in-every-reading-is-refused',
    {
      title: 'a parameter that is given twice with two wrong values is refused',
      clauses: ['errors.invalid-parameter-is-400'],
      needs: ['author'],
      needsMemory: true,
      isReadOnly: true,
    },
    async ({ author, expect }) => {
      await requireListing(author);
      const rules = [{ clause: 'errors.invalid-parameter-is-400', answer: [400] }] as const;
      await tryTexts({ expect }, wrongInEveryReading, (query) => author.mentions(query), rules);
    },
  ),
  // errors.unsupported-parameter-is-400: A parameter that the mentions call does not have is answered with
  //   400.
  check(
    'mentions.unsupported-parameter-is-400-blank-or-not',
    {
      title:
        'a parameter that the call does not have is answered with 400, be it blank, or one of the call in another letter case with a wrong value',
      clauses: ['errors.unsupported-parameter-is-400'],
      needs: ['author'],
      needsMemory: true,
      isReadOnly: true,
    },
    async ({ author, expect }) => {
      const start = await requireListing(author);
      const rules = [{ clause: 'errors.unsupported-parameter-is-400', answer: [400] }] as const;
      // Beside the other one of the two alone: of two values of one it is open which counts.
      const queries = [
        ...wrongOrUnknown.after.map((query) => `limit=10&${query}`),
        ...[...wrongOrUnknown.limit, ...blankOthers].map((query) => `${start}${query}`),
      ];
      await tryTexts({ expect }, queries, (query) => author.mentions(query), rules);
    },
  ),
  // mentions.error-statuses: When it refuses, the call uses 400, 401, 403, 409 or 429 and no other status.
  check(
    'mentions.number-of-any-size-is-taken-or-refused',
    {
      title:
        'an after of thirty or of 5,000 digits is taken, refused as wrong or in conflict, and a limit of as many is refused',
      clauses: ['mentions.error-statuses', 'errors.invalid-parameter-is-400'],
      needs: ['author'],
      needsMemory: true,
      isReadOnly: true,
    },
    async ({ author, expect, observe }) => {
      await requireListing(author);
      const answers = await Promise.all(longNumbers.map(({ query }) => author.mentions(query)));
      for (const [index, { query, clause, statuses }] of longNumbers.entries()) {
        const answer = answers[index];
        if (answer === undefined || isStoppedForLength(answer)) continue;
        const words = `${query.slice(0, 7)}… of ${query.length} characters`;
        observe('mentions.after.maximum', words, describeAnswer(answer));
        expect(clause, answer, `with ${words}`).toHaveStatus(...statuses);
      }
    },
  ),
];
