import { type InvalidSession, invalidSessions } from '../../generators/spaces/session/session-table.ts';
import { check, type Check } from '../../harness/check/check.ts';
import { isAccepted } from '../../harness/client/exchange.ts';
import { unmet } from '../../harness/verdict/outcome.ts';
import { validate } from '../../spec/index.ts';
import { requireRefused } from '../arrange/send/accepted-sends.ts';
import { sentSession, sessionOf, triedSession } from '../arrange/source-sessions.ts';

/** One check for each rule that a session can break. */
export const invalidSessionChecks: readonly Check[] = invalidSessions.map(invalidCheck);

const stored = { expected: 'no message of a refused send', actual: 'it is there' };

function invalidCheck({ slug, what, refusal, control, plainer }: InvalidSession): Check {
  // ids: source-session.<slug>-is-refused
  // slug: generators/spaces/session/session-table.ts
  // source-session.invalid-is-refused: A send whose source session breaks a rule of its provider is refused.
  // source-session.cloud-new-is-refused: A send that names the `provider_b` cloud session `new` is refused.
  // source-session.extra-fields-are-refused: A send whose source session carries an undeclared field is
  //   refused.
  // source-session.urls-are-refused: A send whose source session carries a URL is refused.
  return check(
    `source-session.${slug}-is-refused`,
    {
      title: `a send with a source session ${what} is refused and stored nowhere`,
      clauses: [refusal, 'send.refused-stores-nothing'],
      needs: ['author', 'channel', 'source-session-binding'],
    },
    async (context) => {
      const { expect, names } = context;
      const { item: ofControl } = await sentSession(context, control);
      if (ofControl === undefined || sessionOf(ofControl, names) === undefined)
        unmet(`the same session without the fault is not accepted: ${control}`);
      const { sent, item } = await triedSession(context, slug);
      if (plainer !== undefined) requireRefused((await triedSession(context, plainer)).sent);
      const shown = item && sessionOf(item, names);
      // Every answer is held against the rules of each provider: the one that is broken there is named there.
      if (isAccepted(sent) && shown !== undefined && validate('source-session', shown).length > 0)
        unmet('it was accepted, and is shown although it breaks a rule', sent);
      expect(refusal, sent).toBeRefused();
      requireRefused(sent);
      expect.holds('send.refused-stores-nothing', item === undefined, stored, sent);
    },
  );
}
