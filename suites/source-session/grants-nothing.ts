import { isRecord } from '../../spec/calls/index.ts';
import { asText } from '../../spec/oracles/values/json-texts.ts';
import { validSession, validSessions } from '../../generators/spaces/session/session-table.ts';
import { check, type Check } from '../../harness/check/check.ts';
import { expectNothingGranted } from '../arrange/message/nothing-granted.ts';
import { requireEffect } from '../arrange/send/accepted-sends.ts';
import { inServersWords, sentSessions, sessionOf } from '../arrange/source-sessions.ts';

/** A session is for finding one's way, and for nothing else. */
export const grantsNothingChecks: readonly Check[] = [
  // source-session.grants-nothing: The reported session changes neither who the author is nor what is
  //   allowed.
  check(
    'source-session.grants-nothing',
    {
      title:
        'whatever session is reported, the author stays the same, the session grants no access, and what is sent afterwards has none',
      clauses: ['source-session.grants-nothing', 'source-session.not-carried-over'],
      needs: ['author', 'reader', 'channel', 'source-session-binding'],
    },
    async (context) => {
      const { bindings, expect, identities, names, reader } = context;
      const fieldsOf = (session: unknown) => ({ [bindings.sourceSession]: inServersWords(session, names) });
      const session = {
        provider: 'provider_b',
        surface: 'cli',
        session_id: await identities.agentId(reader),
      };
      const others = await sentSessions(context);
      const { item: after, sent } = await expectNothingGranted(
        context,
        'source-session.grants-nothing',
        fieldsOf(session),
        (item) => requireEffect(bindings, 'sourceSession', sessionOf(item, names) !== undefined),
        others.flatMap(({ slug, item }) =>
          item === undefined ? [] : { fields: fieldsOf(validSession(slug).session), item },
        ),
      );
      const shown = sessionOf(after, names);
      // Of one that no send reported the server may know by other ways.
      const isCarriedOver = [session, ...validSessions.map((valid) => valid.session)].some(
        ({ session_id: id }) => isRecord(shown) && shown['session_id'] === id,
      );
      const problem = { expected: 'no session that another send reported', actual: asText(shown) };
      expect.holds('source-session.not-carried-over', !isCarriedOver, problem, sent, after.exchange);
    },
  ),
];
