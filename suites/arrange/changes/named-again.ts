import { provenanceOf, principalsOf } from '../../../harness/stream/identities.ts';
import { readMentions } from '../../../harness/stream/mentions-view.ts';
import { findIn } from '../../../harness/stream/stream-view.ts';
import { walk } from '../../../harness/stream/walk.ts';
import { isSameId } from '../../../spec/oracles/answers/overview.ts';
import { eventually } from '../eventually.ts';
import { mention, reaching, requirePages, requireTarget } from '../mentions/mentioning.ts';
import { sharedBy } from '../mentions/shared-principals.ts';
import { requireAccepted } from '../send/accepted-sends.ts';
import type { Changing, Scene } from './scene.ts';

/**
 * Whoever was away is reached again by its own id, its human and its machine, as far as a message of its own shows that those stand behind
 * it still.
 */
export async function seeNamedAgain(
  context: Changing,
  { author, reader, fresh: { channel } }: Pick<Scene, 'author' | 'reader' | 'fresh'>,
): Promise<void> {
  if (sharedBy(author.who, reader.who) !== undefined) return;
  const own = context.draft();
  requireAccepted(await reader.actor.send(channel.id, own.text));
  const now = principalsOf(provenanceOf((await channel.arrival(own)).message));
  const targets = principalsOf(reader.who).filter(({ kind, id }) =>
    now.some((each) => each.kind === kind && isSameId(each.id, id)),
  );
  const drafts = await Promise.all(
    targets.map((target) =>
      mention(context, { from: author.actor, channelId: channel.id, targets: [target] }),
    ),
  );
  const shown = await channel.arrivals(drafts);
  for (const [at, target] of targets.entries()) requireTarget(shown[at], target);
  // The newest of each target: no retention has come to them.
  const { items, pages } = await eventually(
    context,
    () => walk((after) => readMentions(reader.actor, after, 100), 0n),
    (feed) => drafts.every((each) => findIn(feed.items, each) !== undefined),
  );
  requirePages(...pages);
  const evidence = pages.map(({ exchange }) => exchange).slice(-2);
  for (const [at, { kind, id }] of targets.entries()) {
    const draft = drafts[at];
    const problem = {
      expected: `${draft?.marker}, which names the ${kind} ${id}, for ${reader.actor.name}, back from an absence`,
      actual: 'it is not listed',
    };
    const isListed = draft !== undefined && findIn(items, draft) !== undefined;
    context.expect.holds(reaching[kind], isListed, problem, ...evidence);
  }
}
