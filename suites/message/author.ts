import { isRecord } from '../../spec/calls/index.ts';
import { check, type Check } from '../../harness/check/check.ts';
import { isAccepted } from '../../harness/client/exchange.ts';
import { given } from '../../harness/verdict/outcome.ts';
import { isSameId } from '../../spec/oracles/answers/overview.ts';
import { asText } from '../../spec/oracles/values/json-texts.ts';
import { expectNothingGranted } from '../arrange/message/nothing-granted.ts';
import { requireAccepted } from '../arrange/send/accepted-sends.ts';
import { requireHostBinding } from '../arrange/send/proof.ts';

const longestHost = 'h'.repeat(80);

/** As those of browsers, and longer than a host may be. */
const longUserAgent = 'Mozilla/5.0 (X11; Linux x86_64) '.padEnd(120, 'AppleWebKit/537.36 ').trim();

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
    async ({ author, bindings, channel, draft, expect }) => {
      const send = (host: string, text = draft().text) =>
        author.send(channel.id, text, { fields: { [bindings.agentHost]: host } });
      const control = draft();
      requireAccepted(await send(longestHost, control.text));
      requireHostBinding(await channel.arrival(control), longestHost);
      const [none, tooLong] = await Promise.all([send(''), send(`${longestHost}h`)]);
      expect('author.agent-host.out-of-range-refused', none).toBeRefused();
      expect('author.agent-host.out-of-range-refused', tooLong).toBeRefused();
    },
  ),
  // author.agent-host.counts-characters: A host of 80 characters is accepted, however many bytes they take.
  check(
    'message.host-of-80-characters-is-accepted-whatever-their-bytes',
    {
      title:
        'a host of 80 characters of two or three bytes is accepted, where one of 80 letters and one of as many bytes are',
      clauses: ['author.agent-host.counts-characters'],
      arranges: ['author.agent-host.captured-at-write'],
      needs: ['author', 'channel', 'agent-host-binding'],
    },
    async ({ author, bindings, channel, draft, expect }) => {
      const send = async (host: string) => {
        const message = draft();
        const fields = { [bindings.agentHost]: host };
        return { host, message, sent: await author.send(channel.id, message.text, { fields }) };
      };
      const plain = await send(longestHost);
      requireAccepted(plain.sent);
      requireHostBinding(await channel.arrival(plain.message), longestHost);
      // Characters of one UTF-16 unit each, whoever counts those.
      const pairs = await Promise.all(
        ['é', '漢'].map(async (letter) => {
          const fewer = Math.floor(longestHost.length / Buffer.byteLength(letter));
          return {
            fewer: await send(letter.repeat(fewer)),
            all: await send(letter.repeat(longestHost.length)),
          };
        }),
      );
      // Which characters a host may have is left open.
      const judged = pairs.filter(({ fewer }) => isAccepted(fewer.sent));
      given(judged.length > 0, 'no host with letters beyond ASCII is accepted', pairs[0]?.fewer.sent);
      for (const { fewer, all } of judged) {
        requireHostBinding(await channel.arrival(fewer.message), fewer.host);
        expect('author.agent-host.counts-characters', all.sent).toBeAccepted();
        if (isAccepted(all.sent)) await channel.arrival(all.message);
      }
    },
  ),
  // author.agent-host.display-only: The reported host changes neither who the author is nor what is allowed.
  check(
    'message.host-grants-nothing',
    {
      title:
        'the author stays the same, and nobody is let in, when the host that is reported is the id of another agent',
      clauses: ['author.agent-host.display-only'],
      needs: ['author', 'reader', 'channel', 'agent-host-binding'],
    },
    async (context) => {
      const host = await context.identities.agentId(context.reader);
      const reported = { [context.bindings.agentHost]: host };
      await expectNothingGranted(context, 'author.agent-host.display-only', reported, (item) =>
        requireHostBinding(item, host),
      );
    },
  ),
  // author.is-the-agent: The identity at the top of an author is the agent that sent the message.
  check(
    'message.author-is-the-agent-of-the-token-whoever-a-header-names',
    {
      title:
        'a message whose send names another agent in a header is still by the agent whose token it came with',
      clauses: ['author.is-the-agent'],
      needs: ['author', 'reader', 'channel'],
    },
    async ({ author, reader, channel, draft, expect, identities, names }) => {
      const [own, other] = await Promise.all([identities.provenance(author), identities.provenance(reader)]);
      const named = draft();
      const claims = [names.agentIdHeader, 'x-agent-id', 'x-user-id', 'x-forwarded-user', 'x-remote-user'];
      const headers = Object.fromEntries(claims.map((name) => [name, other.agentId]));
      const sent = await author.send(channel.id, named.text, { headers });
      requireAccepted(sent);
      // Who takes it for the host shows one that is too long, as the schemas tell.
      const browsed = draft();
      const byBrowser = await author.send(channel.id, browsed.text, {
        headers: { 'user-agent': longUserAgent },
      });
      if (isAccepted(byBrowser)) await channel.arrival(browsed);
      const { message, exchange } = await channel.arrival(named);
      const shown = isRecord(message['author']) ? message['author']['id'] : undefined;
      const isOwn = typeof shown === 'string' && isSameId(shown, own.agentId);
      const problem = { expected: `author ${own.agentId}`, actual: asText(shown) };
      expect.holds('author.is-the-agent', isOwn, problem, sent, exchange);
    },
  ),
];
