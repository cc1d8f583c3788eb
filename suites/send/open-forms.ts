import type { JsonRecord } from '../../spec/calls/index.ts';
import type { JsonValue } from '../../generators/texts/json-values.ts';
import { sendBodySpace } from '../../generators/spaces/body/send-body-space.ts';
import { bodyOf, emptyWorld } from '../../generators/spaces/body/send-body.ts';
import { check, type Check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import { isAccepted } from '../../harness/client/exchange.ts';
import { wordsOf } from '../../harness/config/target.ts';
import { withWorkers } from '../../harness/run/waves.ts';
import { findIn, type Draft } from '../../harness/stream/stream-view.ts';
import { given } from '../../harness/verdict/outcome.ts';
import { judgeUnaltered } from '../../spec/oracles/messages/content.ts';
import { allOf } from '../../spec/oracles/values/judgement.ts';
import { openBoundaries } from '../arrange/forms.ts';
import { readOn, requireAccepted, requireAnswered } from '../arrange/send/accepted-sends.ts';

/** Sends that are under way at one time. */
const workers = 8;

/** Ways in which one id is written, some of which some servers take. */
const spellings: readonly ((id: string) => string)[] = [
  (id) => id.replaceAll('-', ''),
  (id) => `{${id}}`,
  (id) => `urn:uuid:${id}`,
  (id) => id.toUpperCase(),
];

/** What some languages take for the kind `agent`, or for any kind. */
const oddKinds: readonly JsonValue[] = [
  true,
  1,
  ['agent'],
  { agent: 1 },
  'Agent',
  ' agent',
  'agent\u0000',
  '',
];

/** Texts that are what their content type says, around a marker. */
const typedTexts: readonly (readonly [type: string, text: (mark: string) => string])[] = [
  ['application/json', (mark) => `{"note": "${mark}", "list": [1.0, 2e3, null]}`],
  ['application/json', (mark) => `"${mark}"`],
  ['text/html', (mark) => `<p>${mark} &amp; <b>more</b><script>1</script></p>`],
  ['text/csv', (mark) => `"${mark}",=1+1\r\n`],
  ['application/x-www-form-urlencoded', (mark) => `a=${mark}+%7E&b`],
];

const plainText = (mark: string): string => `${mark} in a form that is open`;

/** A body, and the text in it. */
interface OpenBody extends Draft {
  readonly body: JsonRecord;
}

/** What a server may take as well as refuse. */
export const openFormChecks: readonly Check[] = [
  // message.content.unaltered: The text read back is, character for character, the text that was sent.
  check(
    'send.what-may-be-taken-or-refused-is-shown-as-sent',
    {
      title:
        'of the forms of a send that the contract leaves open, those that are taken and shown show the text that was sent',
      clauses: ['message.content.unaltered'],
      arranges: [
        'service.sends-are-served-or-refused',
        'message.content.type',
        'message.content-type.type',
        'author.agent-host.type',
        'author.agent-host.length',
        'mention-target.id.type',
        'mention-target.kind.type',
        'mention-target.kind.values',
      ],
      // They say nothing to whoever reads the channel of the target.
      needs: ['author', 'channel', 'provision-hook'],
    },
    async (context) => {
      const { draft, expect } = context;
      const fresh = await context.provision();
      const { channel } = fresh;
      const author = fresh.actor('author');
      const from = await channel.since();
      const first = draft();
      requireAccepted(await author.send(channel.id, first.text));
      const bodies = openBodiesFor(
        context,
        await fresh.identities.agentId(fresh.optional('reader') ?? author),
      );
      const answers = await withWorkers(bodies, workers, ({ body }) => author.sendRaw(channel.id, body));
      requireAnswered(...answers);
      const last = draft();
      requireAccepted(await author.send(channel.id, last.text));
      await channel.arrivals([first, last]);
      const { items } = await readOn(channel, from);
      const taken = bodies.flatMap((each, at) =>
        answers.slice(at, at + 1).flatMap((exchange) => (isAccepted(exchange) ? { ...each, exchange } : [])),
      );
      const shown = taken.flatMap((each) => {
        const item = findIn(items, each);
        return item === undefined ? [] : { judgement: judgeUnaltered(each.text, item.content), ...each };
      });
      given(shown.length > 0, 'none of these forms was taken');
      const wrong = shown.find(({ judgement }) => judgement.problems.length > 0) ?? shown[0];
      const evidence = wrong === undefined ? [] : [wrong.exchange];
      expect.judgement(
        'message.content.unaltered',
        allOf(shown.map(({ judgement }) => judgement)),
        ...evidence,
      );
    },
  ),
];

/** Every open boundary of a body, somebody by its id in each spelling and of each odd kind, and texts of other types, each with a marker of its own. */
function openBodiesFor({ bindings, marker, names }: Context<'author'>, id: string): readonly OpenBody[] {
  const world = { ...emptyWorld, ...wordsOf({ bindings, names }) };
  const bodyWith = (fields: JsonRecord, textAround = plainText): OpenBody => {
    const own = marker();
    const text = textAround(own);
    return { text, marker: own, body: { ...fields, content: text } };
  };
  return [
    ...openBoundaries(sendBodySpace).map(({ value }) => bodyWith(bodyOf(value, world) as JsonRecord)),
    ...spellings.map((spelling) => bodyWith({ [bindings.mentions]: [{ kind: 'agent', id: spelling(id) }] })),
    ...oddKinds.map((kind) => bodyWith({ [bindings.mentions]: [{ kind, id }] })),
    ...typedTexts.map(([type, textAround]) => bodyWith({ content_type: type }, textAround)),
  ];
}
