import { sourceSessionSpace } from '../../generators/spaces/session/session-space.ts';
import {
  type InvalidSession,
  invalidSessions,
  respelledSessions,
  validSessions,
} from '../../generators/spaces/session/session-table.ts';
import { check, type Check } from '../../harness/check/check.ts';
import { type Exchange, isAccepted } from '../../harness/client/exchange.ts';
import { unmet } from '../../harness/verdict/outcome.ts';
import { validate } from '../../spec/index.ts';
import { refusalClauses } from '../../spec/oracles/requests/session-faults.ts';
import { formsAgainst, tryForms } from '../arrange/forms.ts';
import { requireAccepted, requireRefused } from '../arrange/send/accepted-sends.ts';
import { inServersWords, sentSession, sessionOf, triedSession } from '../arrange/source-sessions.ts';

/** One check for each rule that a session can break, and one for every way to break them. */
export const invalidSessionChecks: readonly Check[] = [
  ...invalidSessions.map(invalidCheck),
  // source-session.invalid-is-refused: A send whose source session breaks a rule of its provider is refused.
  check(
    'source-session.every-invalid-session-is-refused',
    {
      title:
        'a send with an invalid source session is refused, whatever is wrong with it, and stored nowhere',
      clauses: [...refusalClauses, 'send.refused-stores-nothing'],
      needs: ['author', 'channel', 'source-session-binding'],
    },
    async (context) => {
      const { author, channel, names, bindings, draft, expect, marker } = context;
      const [good, mark] = [draft(), marker()];
      const { item: ofControl } = await sentSession(context, validSessions[0]?.slug ?? '');
      if (ofControl === undefined || sessionOf(ofControl, names) === undefined)
        unmet('a valid session is not accepted and shown');
      const send = (text: string, session: unknown): Promise<Exchange> =>
        author.send(channel.id, text, {
          fields: { [bindings.sourceSession]: inServersWords(session, names) },
        });
      requireAccepted(await author.send(channel.id, good.text));
      const answers: Exchange[] = [];
      for (const clause of refusalClauses) {
        // The rules one after the other: a server is not to be flooded by one check.
        const ofClause = await tryForms(
          context,
          [
            ...formsAgainst(sourceSessionSpace, clause),
            ...respelledSessions.filter(({ breach }) => breach?.clause === clause),
          ],
          (each) => send(mark, each),
          [{ clause, answer: 'refused' }],
        );
        answers.push(...ofClause);
      }
      // What one rule lets pass says nothing of the others.
      requireRefused(...answers);
      await channel.arrival(good);
      await expect.stream('send.refused-stores-nothing', channel).toNeverShow({ marker: mark, text: mark });
    },
  ),
];

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
      // Every answer is held against the rules of each provider, so that one which shows it has failed already.
      if (isAccepted(sent) && shown !== undefined && validate('source-session', shown).length > 0)
        unmet('it was accepted, and is shown although it breaks a rule', sent);
      expect(refusal, sent).toBeRefused();
      requireRefused(sent);
      expect.holds(
        'send.refused-stores-nothing',
        item === undefined,
        stored,
        sent,
        ...(item ? [item.exchange] : []),
      );
    },
  );
}
