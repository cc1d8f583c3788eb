import { randomUUID } from 'node:crypto';
import type { JsonRecord } from '../../spec/calls/index.ts';
import type { ClauseId } from '../../spec/index.ts';
import { contentOfSize } from '../../generators/spaces/content/content.ts';
import { check, type Check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import { isRefusal, type Exchange } from '../../harness/client/exchange.ts';
import { findIn } from '../../harness/stream/stream-view.ts';
import { given, unmet } from '../../harness/verdict/outcome.ts';
import { shortestKeyLifeMs } from '../../spec/oracles/messages/idempotency.ts';
import { settle } from '../arrange/eventually.ts';
import { takenFeatures, type Feature } from '../arrange/features.ts';
import { acceptedAmong, readOn, requireAccepted, requireAnswered } from '../arrange/send/accepted-sends.ts';
import { longBytes } from '../arrange/send/reused-keys.ts';
import { orElse } from '../arrange/or-else.ts';

type Sending = Context<'author' | 'channel'>;

/** One content under one key, first with some fields beside it, then with others; or another content then. */
interface Reuse {
  readonly first: JsonRecord;
  readonly isAnother?: true;
  readonly others: readonly { readonly fields: JsonRecord; readonly asked: string }[];
}

/** A key that comes again with what differs somewhere else than in its content, or with much of it. */
export const reusedKeyChecks: readonly Check[] = [
  // send.conflict-in-other-parts: A key that was used for a message does not serve to send its content with
  //   other targets, with other files or as another content type.
  check(
    'send.key-of-the-same-content-with-other-parts-is-refused',
    {
      title:
        'a key is refused for the same content with other targets, files or another content type, or with none of them, alone and beside the others',
      clauses: ['send.conflict-in-other-parts'],
      arranges: ['message.immutable'],
      needs: ['author', 'channel'],
    },
    async (context) => {
      const from = await context.channel.since();
      const taken = await takenFeatures(context);
      const features = taken.filter(({ isShown, others }) => isShown && others.length > 0);
      given(features.length > 0, 'no message shows what it was sent with beside its content');
      const answers = await Promise.all([
        ...reusesOf(features).map((reuse) => answersTo(context, reuse)),
        // Whether all that a send may carry goes together is another question.
        ...(features.length > 1 ? [orElse(answersTo(context, reuseOfAll(features)), () => [])] : []),
      ]);
      expectRefused(context, 'send.conflict-in-other-parts', answers.flat());
      await readAgain(context, from);
    },
  ),
  // send.conflict-is-refused: A key that was used for one message does not serve to send another.
  check(
    'send.key-of-another-message-is-refused-beside-anything',
    {
      title:
        'a key is refused for another text whatever else the send carries, or the one before carried: targets, files, another content type or a host',
      clauses: ['send.conflict-is-refused'],
      arranges: ['message.immutable'],
      needs: ['author', 'channel'],
    },
    async (context) => {
      const from = await context.channel.since();
      const features = await takenFeatures(context);
      // Whether a key counts for one session alone is left open, as is whom it counts for.
      const oneEach = features.filter(
        ({ name }, at) =>
          name !== 'source session' && features.findIndex((each) => each.name === name) === at,
      );
      given(oneEach.length > 0, 'a send that carries more than its content is never accepted');
      const answers = await Promise.all(reusesForAnother(oneEach).map((reuse) => answersTo(context, reuse)));
      expectRefused(context, 'send.conflict-is-refused', answers.flat());
      await readAgain(context, from);
    },
  ),
  // send.concurrent-conflict-stores-one: Of two different messages sent under one key at the same time, at
  //   most one is stored.
  check(
    'send.long-messages-at-once-under-one-key-leave-one',
    {
      title: 'of two long messages sent under one key at the same time at most one is stored',
      clauses: ['send.concurrent-conflict-stores-one'],
      needs: ['author', 'channel'],
      bodyBytes: 2 * longBytes,
    },
    async (context) => {
      const { author, channel, expect, marker } = context;
      const [from, key] = [await channel.since(), randomUUID()];
      const both = [contentOfSize(marker(), longBytes), contentOfSize(marker(), longBytes)];
      const answers = await Promise.all(both.map(({ text }) => author.send(channel.id, text, { key })));
      requireAnswered(...answers);
      const accepted = acceptedAmong(both, answers);
      const [first = unmet('neither of two sends at once was accepted', ...answers)] = accepted;
      const tookMs =
        Math.max(...answers.map(({ endedMs }) => endedMs)) -
        Math.min(...answers.map(({ startedMs }) => startedMs));
      const isKept = accepted.length === 1 || tookMs <= shortestKeyLifeMs(0);
      given(isKept, 'the key may have been forgotten when it came again: how long it is kept is open');
      await channel.arrival(first);
      await settle(context);
      const { items, pages } = await readOn(channel, from);
      const stored = both.filter((each) => findIn(items, each) !== undefined);
      const problem = { expected: 'one message of a key at most', actual: `${stored.length} of them` };
      const showing = pages.filter((page) => stored.some((each) => findIn(page.items, each) !== undefined));
      const shown = showing.map(({ exchange }) => exchange);
      expect.holds('send.concurrent-conflict-stores-one', stored.length < 2, problem, ...answers, ...shown);
    },
  ),
];

function differingIn(name: string): string {
  return `that differs in its ${name} from what its key was used for before`;
}

/** Each feature with something else in its place, and each beside a content that had none. */
function reusesOf(features: readonly Feature[]): readonly Reuse[] {
  return [
    ...features.map(({ name, fields, others }) => ({
      first: fields,
      others: others.map((each) => ({ fields: each, asked: differingIn(name) })),
    })),
    { first: {}, others: features.map(({ name, fields }) => ({ fields, asked: differingIn(name) })) },
  ];
}

/** Each feature beside another text than that of the key: where the first had it as well, where it had none, and the other way round. */
function reusesForAnother(features: readonly Feature[]): readonly Reuse[] {
  const beside = ({ name, fields }: Feature) => ({
    fields,
    asked: `under a key used before, of another text beside ${name}`,
  });
  return [
    ...features.map((feature) => ({
      first: feature.fields,
      isAnother: true as const,
      others: [
        beside(feature),
        { fields: {}, asked: `under a key used before, of another text without ${feature.name}` },
      ],
    })),
    { first: {}, isAnother: true, others: features.map(beside) },
  ];
}

/** All features at once, and each with something else in its place beside the others. */
function reuseOfAll(features: readonly Feature[]): Reuse {
  const allBut = (one?: Feature): JsonRecord =>
    Object.fromEntries(
      features.filter((each) => each !== one).flatMap(({ fields }) => Object.entries(fields)),
    );
  const others = features.flatMap((feature) =>
    feature.others.map((fields) => ({
      fields: { ...allBut(feature), ...fields },
      asked: differingIn(feature.name),
    })),
  );
  return { first: allBut(), others };
}

/** What came of a send under a key that was used before, and how that differed. */
interface Reused {
  readonly answer: Exchange;
  readonly asked: string;
}

/** Judges that each such send was refused; ends the check with its precondition not met where no key was surely kept. */
function expectRefused({ expect }: Sending, clause: ClauseId, reused: readonly Reused[]): void {
  given(
    reused.length > 0,
    'the keys may have been forgotten when they came again: how long one is kept is open',
  );
  for (const { answer, asked } of reused) expect(clause, answer, asked).toBeRefused();
}

/** Shows the messages once more, whose keys were used again since they were read: history/judges/identity.ts says whether they changed. */
async function readAgain(context: Sending, from: bigint | undefined): Promise<void> {
  await settle(context);
  await readOn(context.channel, from);
}

/** Sends one content with these fields under a key of its own; no answers where the key may have been forgotten meanwhile. */
async function answersTo(
  { author, channel, draft }: Sending,
  { first, others, isAnother }: Reuse,
): Promise<readonly Reused[]> {
  const [key, olderKey, message] = [randomUUID(), randomUUID(), draft()];
  const send = (text: string, fields: JsonRecord, under = key): Promise<Exchange> =>
    author.send(channel.id, text, { key: under, fields });
  requireAccepted(await send(draft('under an older key').text, {}, olderKey));
  const sent = await send(message.text, first);
  requireAccepted(sent);
  await channel.arrival(message);
  const answers = await Promise.all(
    others.map(async ({ fields, asked }) => ({
      asked,
      answer: await send(isAnother ? draft('another text').text : message.text, fields),
    })),
  );
  // An older key that is still kept shows that this one was.
  const control = await send(draft('another body').text, {}, olderKey);
  requireAnswered(control, ...answers.map(({ answer }) => answer));
  return isRefusal(control) ? answers : [];
}
