import { check, type Check } from '../../harness/check/check.ts';
import { before, courses } from '../arrange/changes/changes.ts';
import { clausesOf, follow, made } from '../arrange/changes/follow.ts';
import { seeKeyShutOut } from '../arrange/changes/key-without-access.ts';
import { seeNamedAgain } from '../arrange/changes/named-again.ts';
import { sceneOf } from '../arrange/changes/scene.ts';
import { reaching } from '../arrange/mentions/mentioning.ts';
import { arranged } from '../arrange/or-else.ts';
import { requireAccepted } from '../arrange/send/accepted-sends.ts';

/** What the judges of the history decide by what is read after changes. */
const arranges = [
  'mentions.feed-agrees-with-channel',
  'message.author.immutable',
  'message.immutable',
  'send.equal-replay-is-no-conflict',
  'send.conflict-is-refused',
] as const;

/**
 * What changes leave where it is, in every view and for every reader. Each check sets a scene in a fresh workspace (`scene.ts` in
 * `arrange/changes/`: who writes, who reads, what was sent), has every view read (`views.ts`), brings about the changes of its course
 * one after the other (`changes.ts`) and has the views read again after each (`follow.ts`): what one showed before it still shows, by
 * the clauses that the change names. Where a view may differ after a change, `cells.ts` says why, and nothing is judged.
 */
export const changeChecks: readonly Check[] = [
  // states.mentions-do-not-vanish: A mention that was read is not gone from a later complete read while its
  //   like is retained.
  check(
    'mentions.changes-take-nothing-away',
    {
      title:
        'nothing is gone from any view after reports, renames, conflicts and refusals, and once its file and credentials of others are gone',
      clauses: clausesOf(courses.acts),
      arranges,
      needs: ['provision-hook'],
    },
    async (context) => {
      await follow(context, await sceneOf(context), courses.acts);
    },
  ),
  // states.messages-outlive-their-author: The messages, mentions and retrievals of an agent stay listed after it
  //   has lost the access to the workspace.
  check(
    'mentions.absences-take-nothing-away',
    {
      title:
        'nothing is gone from any view while authors are without access, and once they or its reader are back',
      clauses: [...clausesOf(courses.absences), ...Object.values(reaching), 'auth.no-access-is-403'],
      arranges,
      needs: ['provision-hook', 'deactivate-hook'],
    },
    async (context) => {
      const scene = await sceneOf(context);
      await follow(context, scene, courses.absences, await made(context, scene, before.absences));
      // Last of all: what is sent now would move what is retained.
      await arranged(() => seeNamedAgain(context, scene));
      await arranged(() => seeKeyShutOut(context, scene));
    },
  ),
  // channel-read.survives-a-restart: A message that was accepted or read before a restart of the server is
  //   there after it.
  check(
    'mentions.restart-takes-nothing-away',
    {
      title:
        'nothing is gone from any view when the server has begun again since a report, a rename and a deletion',
      clauses: clausesOf(courses.restart, before.restart),
      arranges,
      needs: ['provision-hook', 'restart-hook'],
    },
    async (context) => {
      const scene = await sceneOf(context);
      const earlier = await made(context, scene, before.restart);
      const { author, fresh, sendAgain } = scene;
      requireAccepted(await author.actor.send(fresh.channel.id, context.draft().text));
      await follow(context, scene, courses.restart, earlier);
      await sendAgain();
      await sendAgain(context.draft());
    },
  ),
];
