import { validSessions } from '../../generators/spaces/session/session-table.ts';
import type { ValidSession } from '../../generators/spaces/session/session-table.ts';
import { isRecord } from '../../harness/stream/page.ts';
import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { unmet } from '../../harness/verdict/outcome.ts';
import { validate } from '../../spec/index.ts';
import { expectAccepted } from '../arrange/send/accepted-sends.ts';
import { sentSession, sessionOf } from '../arrange/source-session/sessions.ts';

/** One check for each provider, surface and edge. */
export const validSessionChecks: readonly Check[] = validSessions.map(validCheck);

function validCheck({ slug, what, session, clause, plainer }: ValidSession): Check {
  // ids: source-session.<slug>-is-accepted-and-shown
  // slug: generators/spaces/session/session-table.ts
  // source-session.valid-is-accepted: A send with a source session that keeps the rules of its provider is
  //   accepted and shows it.
  // source-session.provider-b-surface: `provider_b` is used on all three surfaces.
  return check(
    `source-session.${slug}-is-accepted-and-shown`,
    {
      title: `a source session ${what} is accepted and shown with its message`,
      clauses: [...new Set([clause, 'source-session.valid-is-accepted'] as const)],
      needs: ['author', 'channel', 'source-session-binding'],
    },
    async (context) => {
      const { expect, names } = context;
      const { sent, item } = await sentSession(context, slug);
      if (plainer !== undefined && (await sentSession(context, plainer)).item === undefined)
        unmet(`a simpler session is refused as well: ${plainer}`, sent);
      await expectAccepted(context, clause, sent);
      if (item === undefined) return;
      const shown = sessionOf(item, names);
      if (shown !== undefined && validate('source-session', shown).length > 0)
        unmet('what is shown breaks a rule of its own', sent);
      const { provider, surface, session_id } = isRecord(shown) ? shown : {};
      expect.equal(
        'source-session.valid-is-accepted',
        'source_session',
        { provider, surface, session_id },
        session,
        sent,
      );
    },
  );
}
