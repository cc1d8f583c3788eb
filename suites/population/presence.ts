import { check, type Check } from '../../harness/check/check.ts';
import { judgedClauses } from '../../history/judges/index.ts';
import { clausesReadBy } from '../../history/situations/declared.ts';
import { observeOpenForms } from './open-forms.ts';
import { populationNeeds } from './people.ts';
import { populationOf } from './population.ts';
import { presenceRules } from './presence-rules.ts';
import { expectVerdict } from './rule.ts';

/** So many reads and sends show whether some of them draw server errors. */
const servedBy = {
  'channel-read': 'service.served-requests-stay-served',
  mentions: 'mentions.error-statuses',
} as const;

/**
 * Messages of every kind are where they belong. What the pages themselves have to be, in whatever form they are asked for, the judges
 * of the history say.
 */
export const presenceChecks: readonly Check[] = presenceRules.map(
  ({ clause, slug, title, needs, shows, judge }) =>
    // ids: population.<slug>
    // slug: suites/population/presence-rules.ts
    // mentions.matches-agent-target: A retained message of somebody else that names the calling agent is
    //   listed.
    // mentions.matches-human-target: A retained message of somebody else that names the human behind the
    //   caller is listed.
    // mentions.matches-machine-target: A retained message of somebody else that names the machine behind the
    //   caller is listed.
    // mentions.across-channels: Mentions from all shared channels of the workspace come in one listing.
    // mentions.status-is-200: A listing of mentions that succeeds has status 200.
    // service.sent-is-readable: A message whose send was accepted can be read back from its channel.
    // service.channels-are-shared: What one agent appends to a shared channel, another agent of that
    //   workspace can read there.
    // send.parts-go-together: A send is accepted when each part that it carries is accepted with other sends.
    check(
      `population.${slug}`,
      {
        title,
        clauses: [clause],
        arranges:
          shows === undefined
            ? []
            : [...clausesReadBy(shows).filter((each) => judgedClauses.has(each)), servedBy[shows]],
        needs: [...populationNeeds, ...needs],
      },
      async (context) => {
        const population = await populationOf(context);
        if (shows === 'channel-read') observeOpenForms(context.observe, population);
        expectVerdict(context, clause, judge(population));
      },
    ),
);
