import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { populationNeeds } from './people.ts';
import { populationOf } from './population.ts';
import { presenceRules } from './presence-rules.ts';

/**
 * Messages of every kind are where they belong, and nowhere else. What the pages themselves have to be, in whatever form they are
 * asked for, the judges of the history say.
 */
export const presenceChecks: readonly Check[] = presenceRules.map(({ clause, slug, title, judge }) =>
  // ids: population.<slug>
  // slug: suites/population/presence-rules.ts
  // mentions.self-authored-excluded: A message in which its author mentions itself is not listed for that
  //   author.
  // mentions.broadcasts-excluded: A message that mentions nobody is not listed.
  // mentions.other-targets-excluded: A message that mentions only other agents is not listed.
  // mentions.matches-agent-target: A retained message of somebody else that names the calling agent is
  //   listed.
  // mentions.matches-human-target: A retained message of somebody else that names the human behind the
  //   caller is listed.
  // mentions.matches-machine-target: A retained message of somebody else that names the machine behind the
  //   caller is listed.
  // mentions.across-channels: Mentions from all shared channels of the workspace come in one listing.
  // service.sent-is-readable: A message whose send was accepted can be read back from its channel.
  // service.channels-are-shared: What one agent appends to a shared channel, another agent of that
  //   workspace can read there.
  check(`population.${slug}`, { title, clauses: [clause], needs: populationNeeds }, async (context) => {
    const { evidence, ...judgement } = judge(await populationOf(context));
    context.expect.judgement(clause, judgement, ...evidence);
  }),
);
