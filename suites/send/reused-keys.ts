import { randomUUID } from 'node:crypto';
import type { JsonRecord } from '../../spec/calls/index.ts';
import type { ClauseId } from '../../spec/index.ts';
import { contentOfSize } from '../../generators/spaces/content/content.ts';
import { check, type Check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import type { Actor } from '../../harness/client/actor.ts';
import { isAccepted, isRefusal, type Exchange } from '../../harness/client/exchange.ts';
import type { ChannelView } from '../../harness/stream/channel-view.ts';
import { findIn, showing, type Draft } from '../../harness/stream/stream-view.ts';
import type { Walk } from '../../harness/stream/walk.ts';
import { describeAnswer, given } from '../../harness/verdict/outcome.ts';
import { shortestKeyLifeMs } from '../../spec/oracles/messages/idempotency.ts';
import { eventually, settle } from '../arrange/eventually.ts';
import { takenFeatures, type Feature, type FeatureName } from '../arrange/features.ts';
import { acceptedAmong, readOn, requireAccepted, requireAnswered } from '../arrange/send/accepted-sends.ts';
import { fastestMs, longBytes, requireStored } from '../arrange/send/reused-keys.ts';
import { orElse } from '../arrange/or-else.ts';

type Sending = Context<'author' | 'channel'>;

/** Each race is won or lost by chance, and whoever looks first and stores last loses most of so many. */
const contestedKeys = 5;
const rivals = ['one of several', 'another', 'a third of them', 'the last'];

/** Sends under one key at the same time: long ones are on their way together, short ones alone in the target are looked at together. */
const races = [
  {
    slug: 'long-messages-at-once-under-one-key-leave-one',
    title: 'of two long messages sent under one key at the same time at most one is stored',
    facts: { bodyBytes: 2 * longBytes },
    textsOf: ({ marker }: Context<never>) => [
      [contentOfSize(marker(), longBytes), contentOfSize(marker(), longBytes)],
    ],
  },
  {
    slug: 'short-messages-at-once-under-one-key-leave-one',
    title: 'of four short messages sent under one key at the same time at most one is stored',
    facts: { isExclusive: true, sharesSettling: true },
    textsOf: ({ draft }: Context<never>) =>
      Array.from({ length: contestedKeys }, () => rivals.map((text) => draft(text))),
  },
] as const;

/** One content under one key, first with some fields beside it, then with others; or another content then. */
interface Reuse {
  readonly first: JsonRecord;
  readonly isAnother?: true;
  /** The first may have its key for a scope that others do not share, with records of its own. */
  readonly mayBeScope?: boolean;
  readonly others: readonly {
    readonly fields: JsonRecord;
    readonly asked: string;
    /** May be accepted as well: what counts is whether the message stays as it was. */
    readonly isOpen?: boolean;
  }[];
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
        'a key is refused for another text whatever else the send carries, or the one before carried: targets, files, another content type, a session or a host',
      clauses: ['send.conflict-is-refused'],
      arranges: ['message.immutable'],
      needs: ['author', 'channel'],
    },
    async (context) => {
      const from = await context.channel.since();
      const features = await takenFeatures(context);
      const oneEach = features.filter(
        ({ name }, at) => features.findIndex((each) => each.name === name) === at,
      );
      given(oneEach.length > 0, 'a send that carries more than its content is never accepted');
      const answers = await Promise.all(reusesForAnother(oneEach).map((reuse) => answersTo(context, reuse)));
      expectRefused(context, 'send.conflict-is-refused', answers.flat());
      await readAgain(context, from);
    },
  ),
  // send.key-of-another-channel: A send to another channel under a used key is refused, or leaves its message
  //   there.
  check(
    'send.key-of-another-channel-is-refused-or-sends',
    {
      title:
        'the same text under a key that was used in another channel is refused or sent to its own channel',
      clauses: ['send.key-of-another-channel'],
      needs: ['author', 'channel', 'second-channel'],
    },
    async (context) => {
      const { author, channel, draft, secondChannel: view } = context;
      const from = await view.since();
      const [key, message] = [randomUUID(), draft()];
      await requireStored(channel, await author.send(channel.id, message.text, { key }), message);
      const answer = await author.send(view.id, message.text, { key });
      await expectRefusedOrThere(context, 'send.key-of-another-channel', {
        answer,
        sender: author,
        view,
        from,
        isThere: ({ items }) => findIn(items, message) !== undefined,
        where: 'in the channel that it was sent to',
      });
    },
  ),
  // send.key-of-another-agent: A send under a key that another agent used is refused, or leaves a message of its
  //   own.
  check(
    'send.key-of-another-agent-is-refused-or-sends',
    {
      title: 'the same text under a key that another agent used is refused or sent as a message of its own',
      clauses: ['send.key-of-another-agent'],
      needs: ['author', 'reader', 'channel'],
    },
    async (context) => {
      const { author, channel: view, draft, identities, reader } = context;
      // Whose the reader's credential is has to be known, or its message would look like a quotation of the first.
      await identities.agentId(reader);
      const from = await view.since();
      const [key, message] = [randomUUID(), draft()];
      requireAccepted(await author.send(view.id, message.text, { key }));
      const { id: first } = await view.arrival(message);
      const answer = await reader.send(view.id, message.text, { key });
      await expectRefusedOrThere(context, 'send.key-of-another-agent', {
        answer,
        sender: reader,
        view,
        from,
        // By its id: retention may have taken the first.
        isThere: ({ items }) => items.filter(showing(message)).some(({ id }) => id !== first),
        where: 'beside the one of the other agent',
      });
    },
  ),
  ...races.map(({ slug, title, facts, textsOf }) =>
    // ids: send.<slug>
    // slug: suites/send/reused-keys.ts
    // send.concurrent-conflict-stores-one: Of two different messages sent under one key at the same time, at
    //   most one is stored.
    check(
      `send.${slug}`,
      { title, clauses: ['send.concurrent-conflict-stores-one'], needs: ['author', 'channel'], ...facts },
      async (context) => expectOneOfEachKey(context, textsOf(context)),
    ),
  ),
];

/** A send under a key that was used before, by somebody else or elsewhere, and how its message would be found. */
interface UsedElsewhere {
  readonly answer: Exchange;
  readonly sender: Actor;
  readonly view: ChannelView;
  readonly from: bigint | undefined;
  readonly isThere: (read: Walk) => boolean;
  readonly where: string;
}

/** Judges that such a send was refused, or its message is there. */
async function expectRefusedOrThere(
  context: Sending,
  clause: ClauseId,
  { answer, sender, view, from, isThere, where }: UsedElsewhere,
): Promise<void> {
  requireAnswered(answer);
  // What the channel shows at all it shows of this one.
  const last = context.draft();
  requireAccepted(await sender.send(view.id, last.text));
  await view.arrival(last);
  const isRight = (read: Walk): boolean => !isAccepted(answer) || isThere(read);
  const read = await eventually(context, () => readOn(view, from), isRight);
  const problem = {
    expected: `a refusal, or the message ${where}`,
    actual: `${describeAnswer(answer)}, and the message is not there`,
  };
  const shown = read.pages.slice(-1).map(({ exchange }) => exchange);
  context.expect.holds(clause, isRight(read), problem, answer, ...shown);
}

/** Sends the texts of each key at once, and judges what each key left. */
async function expectOneOfEachKey(
  context: Context<'author' | 'channel'>,
  texts: readonly (readonly Draft[])[],
): Promise<void> {
  const { author, channel, expect } = context;
  const from = await channel.since();
  const races = await Promise.all(
    texts.map(async (rivals) => {
      const key = randomUUID();
      const answers = await Promise.all(rivals.map(({ text }) => author.send(channel.id, text, { key })));
      return { rivals, answers, accepted: acceptedAmong(rivals, answers) };
    }),
  );
  const everyAnswer = races.flatMap(({ answers }) => answers);
  requireAnswered(...everyAnswer);
  const taken = races.filter(({ accepted }) => accepted.length > 0);
  given(taken.length > 0, 'none of several sends at once was accepted', ...everyAnswer.slice(0, 2));
  await channel.arrivals(taken.flatMap(({ accepted }) => accepted.slice(0, 1)));
  await settle(context);
  const { items, pages } = await readOn(channel, from);
  let mayBeForgotten = false;
  for (const { rivals, answers } of taken) {
    const stored = rivals.filter((each) => findIn(items, each) !== undefined);
    // Sends that take long on a slow way are still at one time: what counts is how long they took beside the fastest.
    const isKept = tookMs(answers) <= shortestKeyLifeMs(fastestMs(...answers));
    if (stored.length > 1 && !isKept) {
      mayBeForgotten = true;
      continue;
    }
    const problem = { expected: 'one message of a key at most', actual: `${stored.length} of them` };
    const showing = pages.filter((page) => stored.some((each) => findIn(page.items, each) !== undefined));
    const shown = showing.map(({ exchange }) => exchange);
    expect.holds('send.concurrent-conflict-stores-one', stored.length < 2, problem, ...answers, ...shown);
  }
  given(
    !mayBeForgotten,
    'the key may have been forgotten when it came again: how long it is kept is open',
    ...everyAnswer.slice(0, 1),
  );
}

/** From the beginning of the first to the end of the last. */
function tookMs(answers: readonly Exchange[]): number {
  return (
    Math.max(...answers.map(({ endedMs }) => endedMs)) -
    Math.min(...answers.map(({ startedMs }) => startedMs))
  );
}

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

/** Whether a key counts for one of these alone is left open, as is whom it counts for. */
const mayBeScopes: readonly FeatureName[] = ['source session', 'agent host'];

/** Each feature beside another text than that of the key: where the first had it as well, where it had none, and the other way round. */
function reusesForAnother(features: readonly Feature[]): readonly Reuse[] {
  const beside = ({ name, fields }: Feature) => ({
    fields,
    asked: `under a key used before, of another text beside ${name}`,
  });
  const isOpen = ({ name }: Feature): boolean => mayBeScopes.includes(name);
  return [
    ...features.map((feature) => ({
      first: feature.fields,
      isAnother: true as const,
      mayBeScope: isOpen(feature),
      others: [
        beside(feature),
        {
          fields: {},
          asked: `under a key used before, of another text without ${feature.name}`,
          isOpen: isOpen(feature),
        },
      ],
    })),
    {
      first: {},
      isAnother: true,
      others: features.map((feature) => ({ ...beside(feature), isOpen: isOpen(feature) })),
    },
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
  { first, others, isAnother, mayBeScope = false }: Reuse,
): Promise<readonly Reused[]> {
  const [key, olderKey, message] = [randomUUID(), randomUUID(), draft()];
  const send = (text: string, fields: JsonRecord, under = key): Promise<Exchange> =>
    author.send(channel.id, text, { key: under, fields });
  const older = mayBeScope ? first : {};
  requireAccepted(await send(draft('under an older key').text, older, olderKey));
  const sent = await send(message.text, first);
  requireAccepted(sent);
  await channel.arrival(message);
  const answers = await Promise.all(
    others.map(async ({ fields, asked, isOpen = false }) => ({
      asked,
      isOpen,
      answer: await send(isAnother ? draft('another text').text : message.text, fields),
    })),
  );
  // An older key that is still kept shows that this one was, where it has the same scope.
  const control = await send(draft('another body').text, older, olderKey);
  requireAnswered(control, ...answers.map(({ answer }) => answer));
  const told = answers.filter(({ isOpen }) => !isOpen);
  // Keys that never count in a scope are forgotten sooner than any may be.
  const soonestMs = Math.min(...acceptedOf(told).map(({ endedMs }) => endedMs)) - sent.startedMs;
  const isNeverKept = mayBeScope && soonestMs <= shortestKeyLifeMs(fastestMs(sent, ...acceptedOf(told)));
  return isRefusal(control) || isNeverKept ? told : [];
}

function acceptedOf(reused: readonly Reused[]): readonly Exchange[] {
  return reused.map(({ answer }) => answer).filter(isAccepted);
}
