import { isRecord } from '../../spec/calls/index.ts';
import { check, type Check } from '../../harness/check/check.ts';
import { isAccepted, type Exchange } from '../../harness/client/exchange.ts';
import type { Context } from '../../harness/check/context.ts';
import { describeAnswer, given } from '../../harness/verdict/outcome.ts';
import { arrivalsOn, findIn } from '../../harness/stream/stream-view.ts';
import type { ClauseId } from '../../spec/index.ts';
import { readOn, requireAnswered } from '../arrange/send/accepted-sends.ts';

/** What the contract says nothing about, one oddity a request. */
async function noteUnusualRequests({
  author,
  channel,
  draft,
  observe,
}: Context<'author' | 'channel'>): Promise<void> {
  const content = (): string => `"content":${JSON.stringify(draft().text)}`;
  const body = (extra = ''): string => `{${content()}${extra}}`;
  const illFormed = Buffer.from('{"content":"\xed\xa0\x80\xff"}', 'latin1');
  const note = async (
    clause: ClauseId,
    name: string,
    text: string | Uint8Array,
    headers = {},
  ): Promise<void> =>
    observe(clause, name, describeAnswer(await author.sendRaw(channel.id, text, { headers })));
  await Promise.all([
    note('send.missing-idempotency-key', 'no key', body(), { 'idempotency-key': undefined }),
    note('send.content-type.values', 'text/markdown', body(',"content_type":"text/markdown"')),
    note('send.unknown-fields', 'an unknown field', body(',"no_such_field":1')),
    note('send.unknown-fields', 'content given twice', body(`,${content()}`)),
    note('service.other-request-types', 'text/plain', body(), { 'content-type': 'text/plain' }),
    note('service.other-request-types', 'no content type', body(), { 'content-type': undefined }),
    note('service.other-request-types', 'bytes that are not UTF-8', illFormed),
    note('service.other-request-types', 'a byte order mark before the JSON', `\ufeff${body()}`),
    note('service.other-request-types', 'a body that is not JSON', '{'),
  ]);
}

function bodyOf({ response }: Exchange): string {
  if (response === undefined || response.bytes.byteLength === 0) return 'no body';
  if (!isRecord(response.json)) return 'another body';
  return `an object of ${Object.keys(response.json).toSorted().join(', ')}`;
}

/** What an accepted send is like. */
export const sendAcceptanceChecks: readonly Check[] = [
  // send.success-is-2xx: An accepted send is answered with a 2xx status.
  check(
    'send.plain-message-is-accepted-and-stored-once',
    {
      title: 'a plain message under a fresh key is accepted with a 2xx and stored once',
      clauses: ['send.success-is-2xx', 'send.idempotency-key-accepted'],
      arranges: ['send.stored-once'],
      needs: ['author', 'channel'],
    },
    async (context) => {
      const { author, channel, draft, expect, observe, settleMs, sleep } = context;
      const from = await channel.since();
      const plain = draft();
      const sent = await author.send(channel.id, plain.text);
      requireAnswered(sent);
      await sleep(settleMs);
      // What is stored was accepted, whatever the answer said.
      const stored = findIn(arrivalsOn((await readOn(channel, from)).pages), plain);
      const problem = { expected: 'any 2xx for a message that is stored', actual: describeAnswer(sent) };
      const evidence = stored === undefined ? [] : [stored.exchange];
      expect.holds(
        'send.success-is-2xx',
        isAccepted(sent) || stored === undefined,
        problem,
        sent,
        ...evidence,
      );
      expect('send.idempotency-key-accepted', sent).toBeAccepted();

      await channel.arrival(plain);
      await readOn(channel, from);
      observe('send.success-body', 'answer to a send', `${describeAnswer(sent)} with ${bodyOf(sent)}`);
      await noteUnusualRequests(context);
    },
  ),
  // send.charset-utf-8-accepted: A send in JSON is accepted where its media type names UTF-8 as the charset,
  //   too.
  check(
    'send.json-with-a-charset-is-accepted',
    {
      title: 'a message in application/json; charset=utf-8 is accepted as one without a charset is',
      clauses: ['send.charset-utf-8-accepted'],
      needs: ['author', 'channel'],
    },
    async ({ author, channel, draft, expect }) => {
      const plain = await author.send(channel.id, draft().text);
      given(isAccepted(plain), 'a send in application/json is not accepted', plain);
      const headers = { 'content-type': 'application/json; charset=utf-8' };
      const named = await author.send(channel.id, draft().text, { headers });
      requireAnswered(named);
      expect('send.charset-utf-8-accepted', named).toBeAccepted();
    },
  ),
];
