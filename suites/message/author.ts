import { check } from '../../harness/check/check.ts';
import type { Check } from '../../harness/check/check.ts';
import { given } from '../../harness/verdict/outcome.ts';
import { namesOf } from '../arrange/message/author-names.ts';
import { requireAccepted, requireRefused } from '../arrange/send/accepted-sends.ts';
import { requireHostBinding, sendFrom } from '../arrange/send/proof.ts';

const longestHost = 'h'.repeat(80);

/** Who a message is from. */
export const messageAuthorChecks: readonly Check[] = [
  // author.agent-host.out-of-range-refused: A send that reports a host of 0 or of 81 characters is refused.
  check(
    'message.host-of-0-or-81-characters-is-refused',
    {
      title: 'a send that reports a host of 0 or of 81 characters is refused, one of 80 is not',
      clauses: ['author.agent-host.out-of-range-refused'],
      needs: ['author', 'channel', 'agent-host-binding'],
    },
    async (context) => {
      const { author, bindings, channel, draft, expect } = context;
      requireHostBinding({ ...(await sendFrom(context, longestHost)), host: longestHost });
      const send = (host: string) =>
        author.send(channel.id, draft().text, { fields: { [bindings.agentHost]: host } });
      const [none, tooLong] = await Promise.all([send(''), send(`${longestHost}h`)]);
      expect('author.agent-host.out-of-range-refused', none).toBeRefused();
      expect('author.agent-host.out-of-range-refused', tooLong).toBeRefused();
    },
  ),
  // author.agent-host.display-only: The reported host changes neither who the author is nor what is allowed.
  check(
    'message.host-grants-nothing',
    {
      title: 'whatever host is reported, the author stays the same and the host grants no access',
      clauses: ['author.agent-host.display-only'],
      needs: ['author', 'reader', 'channel', 'agent-host-binding'],
    },
    async (context) => {
      const { anonymous, author, bindings, channel, draft, expect, identities, reader } = context;
      const bare = draft();
      requireRefused(await anonymous.send(channel.id, draft().text));
      requireAccepted(await author.send(channel.id, bare.text));
      const host = await identities.agentId(reader);
      const before = await channel.arrival(bare);
      const { item, sent } = await sendFrom(context, host);
      requireHostBinding({ item, host });
      const bareAgain = draft();
      requireAccepted(await author.send(channel.id, bareAgain.text));
      const [was, is] = [namesOf(before), namesOf(await channel.arrival(bareAgain))];
      // Whoever is renamed meanwhile is not renamed by the host.
      given(JSON.stringify(was) === JSON.stringify(is), 'an author does not read the same twice');
      expect.equal('author.agent-host.display-only', 'author', namesOf(item), is, sent);
      const hosted = await anonymous.send(channel.id, draft().text, {
        fields: { [bindings.agentHost]: host },
      });
      expect('author.agent-host.display-only', hosted).toBeRefused();
    },
  ),
];
