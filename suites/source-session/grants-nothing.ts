import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';
import { findIn } from '../../harness/stream/stream-view.ts';
import type { Draft, StreamView } from '../../harness/stream/stream-view.ts';
import { namesOf } from '../arrange/message/author-names.ts';
import { readOn, requireAccepted, requireEffect, requireRefused } from '../arrange/send/accepted-sends.ts';
import { sendSession, sentSessions, sessionOf } from '../arrange/source-session/sessions.ts';

/** A session is for finding one's way, and for nothing else. */
export const grantsNothingChecks: readonly Check[] = [
  // source-session.grants-nothing: The reported session changes neither who the author is nor what is
  //   allowed.
  check(
    'source-session.grants-nothing',
    {
      title: 'whatever session is reported, the author stays the same and the session grants no access',
      clauses: ['source-session.grants-nothing'],
      needs: ['author', 'reader', 'channel', 'source-session-binding'],
    },
    async (context) => {
      const { anonymous, author, bindings, channel, draft, expect, identities, names, reader } = context;
      const from = await channel.since();
      await sentSessions(context);
      const session = {
        provider: 'provider_b',
        surface: 'cli',
        session_id: await identities.agentId(reader),
      };
      const [bare, reported] = [draft(), draft()];
      requireRefused(await anonymous.send(channel.id, draft().text));
      requireAccepted(await author.send(channel.id, bare.text));
      const sent = await sendSession(context, reported.text, session);
      requireAccepted(sent);
      const shown = sessionOf(await channel.arrival(reported), names);
      requireEffect(bindings, 'sourceSession', shown !== undefined, sent);
      const [without, withSession] = await authorsOf(channel, from, [bare, reported]);
      const clause = 'source-session.grants-nothing';
      expect.equal(clause, 'author', withSession, without, sent);
      expect(
        clause,
        await sendSession({ ...context, author: anonymous }, draft().text, session),
      ).toBeRefused();
    },
  ),
];

/**
 * Who is named as the author of two messages of one agent. Ends the check as not arranged when the first one does not name
 * the same twice: then another clause is broken.
 */
async function authorsOf(
  channel: StreamView,
  from: bigint | undefined,
  [first, second]: readonly [Draft, Draft],
): Promise<readonly [unknown, unknown]> {
  const [before] = await channel.arrivals([first, second]);
  const { items } = await readOn(channel, from);
  const [firstNow, secondNow] = [findIn(items, first), findIn(items, second)];
  if (before === undefined || firstNow === undefined || secondNow === undefined)
    return unmet('the channel no longer shows the messages');
  const [was, is] = [namesOf(before), namesOf(firstNow)];
  given(JSON.stringify(was) === JSON.stringify(is), 'an author does not read the same twice');
  return [is, namesOf(secondNow)];
}
