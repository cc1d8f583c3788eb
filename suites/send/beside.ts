import { randomUUID } from 'node:crypto';
import type { JsonRecord } from '../../spec/calls/index.ts';
import { invalidSessions } from '../../generators/spaces/session/session-table.ts';
import { check, type Check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import { withWorkers } from '../../harness/run/waves.ts';
import { given } from '../../harness/verdict/outcome.ts';
import type { ClauseId } from '../../spec/index.ts';
import { requireAccepted, requireRefused } from '../arrange/send/accepted-sends.ts';
import { takenFeatures, type Feature, type FeatureName } from '../arrange/features.ts';
import { inServersWords } from '../arrange/source-sessions.ts';

type Sending = Context<'author' | 'channel'>;

/** Sends that are under way at one time. */
const workers = 8;

/** One rule of a send, broken. */
interface Fault {
  readonly what: string;
  readonly clause: ClauseId;
  /** The feature that it is a fault of, which has to be seen to have an effect; one of the content stands beside any. */
  readonly of?: FeatureName;
  readonly body: JsonRecord;
}

/** Sessions that each break another rule. */
const sessions = [
  'provider-c-id-in-upper-case',
  'provider-d-month-13',
  'provider-b-cloud-new-with-a-capital-w',
  'extra-field',
];

const refusedAlone = [
  'send.content-not-empty',
  'send.nul-refused',
  'send.lone-surrogates-refused',
  'send.content.type',
  'send.content.scalars-refused',
  'send.content.required',
  'send.content-type.type',
  'source-session.invalid-is-refused',
  'source-session.cloud-new-is-refused',
  'source-session.extra-fields-are-refused',
  'message.mentions.validated',
  'author.agent-host.out-of-range-refused',
] as const satisfies readonly ClauseId[];

/** What is refused by itself, beside what is taken by itself. */
export const besideChecks: readonly Check[] = [
  // send.content-not-empty: Content of a single byte that is not blank is accepted, empty content is
  //   refused.
  check(
    'send.what-is-refused-alone-is-refused-beside-anything',
    {
      title:
        'a fault in one part of a send is refused, and nothing stored, whatever else the send carries that is taken without it',
      clauses: [...refusedAlone, 'send.refused-stores-nothing'],
      needs: ['author', 'channel'],
    },
    async (context) => {
      const { author, channel, draft, expect, marker } = context;
      const [good, mark] = [draft(), marker()];
      const features = await takenFeatures(context);
      given(features.length > 0, 'a send that carries more than its content is never accepted');
      requireAccepted(await author.send(channel.id, good.text));
      const proved = new Set(features.filter(({ isShown }) => isShown).map(({ name }) => name));
      const sends = faultsOf(context, mark)
        .filter(({ of }) => of === undefined || proved.has(of))
        .flatMap((fault) => {
          const beside = features.filter(({ name }) => name !== fault.of);
          return [...beside, together(beside)].map(({ name, fields }) => ({ fault, name, fields }));
        });
      const answers = await withWorkers(sends, workers, ({ fault, fields }) =>
        author.sendRaw(channel.id, { ...fields, ...fault.body }),
      );
      for (const [at, { fault, name }] of sends.entries()) {
        const [answer] = answers.slice(at);
        if (answer !== undefined)
          expect(fault.clause, answer, `with ${fault.what} beside ${name}`).toBeRefused();
      }
      requireRefused(...answers);
      await channel.arrival(good);
      await expect.stream('send.refused-stores-nothing', channel).toNeverShow({ marker: mark, text: mark });
    },
  ),
];

function together(features: readonly Feature[]): Pick<Feature, 'fields'> & { readonly name: string } {
  return { name: 'all of them', fields: Object.assign({}, ...features.map(({ fields }) => fields)) };
}

function faultsOf({ bindings, names }: Sending, mark: string): readonly Fault[] {
  const content = (what: string, clause: ClauseId, value: unknown): Fault => ({
    what,
    clause,
    body: { content: value },
  });
  const ofSession = invalidSessions.filter(({ slug }) => sessions.includes(slug));
  return [
    content('empty content', 'send.content-not-empty', ''),
    content('U+0000 in its content', 'send.nul-refused', `${mark}\0`),
    content('half of a surrogate pair', 'send.lone-surrogates-refused', `${mark}\ud83d`),
    content('the other half of a surrogate pair', 'send.lone-surrogates-refused', `${mark}\ude00`),
    content('a list as content', 'send.content.type', [mark]),
    content('a number as content', 'send.content.scalars-refused', 7),
    { what: 'no content', clause: 'send.content.required', body: {} },
    {
      what: 'a number as content type',
      clause: 'send.content-type.type',
      of: 'content type',
      body: { content: mark, content_type: 7 },
    },
    ...ofSession.map(({ what, refusal, session }): Fault => ({
      what: `a session ${what}`,
      clause: refusal,
      of: 'source session',
      body: { content: mark, [bindings.sourceSession]: inServersWords(session, names) },
    })),
    {
      what: 'a target that is no UUID',
      clause: 'message.mentions.validated',
      of: 'mentions',
      body: { content: mark, [bindings.mentions]: [{ kind: 'agent', id: `${randomUUID().slice(0, -1)}g` }] },
    },
    {
      what: 'a host of 81 characters',
      clause: 'author.agent-host.out-of-range-refused',
      of: 'agent host',
      body: { content: mark, [bindings.agentHost]: 'h'.repeat(81) },
    },
  ];
}
