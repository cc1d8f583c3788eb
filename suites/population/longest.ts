import { check, type Check } from '../../harness/check/check.ts';
import { maxContentBytes, type ClauseId } from '../../spec/index.ts';
import { populationNeeds } from './people.ts';
import { longestPopulationOf } from './population.ts';
import { presenceRules } from './presence-rules.ts';

/** What the longest texts, and pages that a byte cap may cut, are put to the test for by the judges of the history. */
const judged: readonly ClauseId[] = [
  'limits.byte-cap-loses-nothing',
  'mentions.matches-human-target',
  'mentions.shortened-first-page-continues',
  'page.empty-page-moves-on',
  'page.has-more-while-items-remain',
];

/** The longest texts are where they belong. */
export const longestChecks: readonly Check[] = presenceRules
  .filter(({ clause }) => clause === 'service.sent-is-readable')
  .map(({ clause, slug, needs, judge }) =>
    // ids: population.longest-<slug>
    // slug: suites/population/presence-rules.ts
    // service.sent-is-readable: A message whose send was accepted can be read back from its channel.
    check(
      `population.longest-${slug}`,
      {
        title: `texts of 500,000 bytes are where others are: ${clause}`,
        clauses: [clause],
        arranges: judged,
        needs: [...populationNeeds, ...needs, 'large-contents'],
        bodyBytes: 8 * maxContentBytes,
      },
      async (context) => {
        const { evidence, ...judgement } = judge(await longestPopulationOf(context));
        context.expect.judgement(clause, judgement, ...evidence);
      },
    ),
  );
