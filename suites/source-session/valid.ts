import { type ValidSession, validSessions } from '../../generators/spaces/session/session-table.ts';
import { check, type Check } from '../../harness/check/check.ts';
import { unmet } from '../../harness/verdict/outcome.ts';
import { expectAccepted } from '../arrange/send/accepted-sends.ts';
import { sentSession } from '../arrange/source-sessions.ts';

/** One check for each provider, surface and edge. */
export const validSessionChecks: readonly Check[] = validSessions.map(validCheck);

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
