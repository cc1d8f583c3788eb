import { sourceSessionSpace } from '../../generators/spaces/session/session-space.ts';
import { type ValidSession, validSessions } from '../../generators/spaces/session/session-table.ts';
import { check, type Check } from '../../harness/check/check.ts';
import type { SourceSession } from '../../spec/index.ts';
import { unmet } from '../../harness/verdict/outcome.ts';
import { expectAccepted } from '../arrange/send/accepted-sends.ts';
import { acceptedBoundaries } from '../arrange/forms.ts';
import { sentBeside, sentSession } from '../arrange/source-sessions.ts';

/** Of a time before that the calendar of today may not be meant. */
const firstYear = 1583;

/** Every other edge of what is valid. */
const edges = acceptedBoundaries(sourceSessionSpace)
  .map(({ value }) => value as unknown as SourceSession)
  .filter(({ session_id: id }) => validSessions.every(({ session }) => session.session_id !== id))
  .filter(({ provider, session_id: id }) => provider !== 'provider_d' || Number(id.slice(0, 4)) >= firstYear)
  // What is new to the cloud alone is no other on two other surfaces.
  .filter(({ provider, surface }) => provider !== 'provider_b' || surface !== 'desktop');

/** One check for each provider, surface and edge that has a word, and one for all others. */
export const validSessionChecks: readonly Check[] = [
  ...validSessions.map(validCheck),
  // source-session.valid-is-accepted: A send with a source session that keeps the rules of its provider is
  //   accepted and shows it.
  check(
    'source-session.every-valid-session-is-accepted-and-shown',
    {
      title:
        'source sessions of every length, first character, last day of a month and hour are accepted and shown with their messages',
      clauses: ['source-session.valid-is-accepted'],
      needs: ['author', 'channel', 'provision-hook', 'source-session-binding'],
    },
    async (context) => {
      const fresh = await context.provision({ isShared: true });
      const place = { author: fresh.actor('author'), channel: fresh.channel };
      // That the messages show them is judged by `history/judges/capture.ts`.
      for (const sent of await sentBeside(context, place, edges))
        await expectAccepted(context, 'source-session.valid-is-accepted', sent);
    },
  ),
];

function validCheck({ slug, what, clause, plainer }: ValidSession): Check {
  // ids: source-session.<slug>-is-accepted-and-shown
  // slug: generators/spaces/session/session-table.ts
  // source-session.valid-is-accepted: A send with a source session that keeps the rules of its provider is
  //   accepted and shows it.
  // source-session.provider-b-surface: `provider_b` is used on all three surfaces.
  return check(
    `source-session.${slug}-is-accepted-and-shown`,
    {
      title: `a source session ${what} is accepted and shown with its message`,
      clauses: [clause],
      arranges: ['source-session.valid-is-accepted'],
      needs: ['author', 'channel', 'source-session-binding'],
    },
    async (context) => {
      const { sent } = await sentSession(context, slug);
      if (plainer !== undefined && (await sentSession(context, plainer)).item === undefined)
        unmet(`a simpler session is refused as well: ${plainer}`, sent);
      // That the message shows it is judged by `history/judges/capture.ts`.
      await expectAccepted(context, clause, sent);
    },
  );
}
