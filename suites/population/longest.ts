import { check, type Check } from '../../harness/check/check.ts';
import { maxContentBytes, type ClauseId } from '../../spec/index.ts';
import { populationNeeds } from './people.ts';
import { longestPopulationOf } from './population.ts';
import { presenceRules } from './presence-rules.ts';
import { expectVerdict } from './rule.ts';

/** What the longest texts are put to the test for beside what the judges of the history say of them. */
const clausesOfLongest: readonly string[] = ['service.sent-is-readable', 'mentions.matches-human-target'];

/** What pages that a byte cap may cut are put to the test for by the judges of the history. */
const cutPages: readonly ClauseId[] = [
  'limits.byte-cap-loses-nothing',
  'mentions.shortened-first-page-continues',
  'page.empty-page-moves-on',
  'page.has-more-while-items-remain',
];

/** The longest texts are where they belong. */
export const longestChecks: readonly Check[] = presenceRules
  .filter(({ clause }) => clausesOfLongest.includes(clause))
  .map(({ clause, slug, needs, judge }) =>
    // ids: population.longest-<slug>
    // slug: suites/population/presence-rules.ts
    // mentions.matches-human-target: A retained message of somebody else that names the human behind the
    //   caller is listed.
    // service.sent-is-readable: A message whose send was accepted can be read back from its channel.
    check(
      `population.longest-${slug}`,
      {
        title: `texts of 500,000 bytes are where others are: ${clause}`,
        clauses: [clause],
        arranges: clause === 'service.sent-is-readable' ? cutPages : [],
        needs: [...populationNeeds, ...needs, 'large-contents'],
        bodyBytes: 8 * maxContentBytes,
      },
      async (context) => {
        expectVerdict(context, clause, judge(await longestPopulationOf(context)));
      },
    ),
  );
