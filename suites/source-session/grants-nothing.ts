import { check, type Check } from '../../harness/check/check.ts';
import { expectNothingGranted } from '../arrange/message/nothing-granted.ts';
import { requireEffect } from '../arrange/send/accepted-sends.ts';
import { inServersWords, sessionOf } from '../arrange/source-sessions.ts';

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
      const { bindings, identities, names, reader } = context;
      const session = {
        provider: 'provider_b',
        surface: 'cli',
        session_id: await identities.agentId(reader),
      };
      const reported = { [bindings.sourceSession]: inServersWords(session, names) };
      await expectNothingGranted(context, 'source-session.grants-nothing', reported, (item) =>
        requireEffect(bindings, 'sourceSession', sessionOf(item, names) !== undefined),
      );
    },
  ),
];
