import {
  listChannels,
  listMentions,
  listReceipts,
  readChannel,
  showOverview,
} from '../../spec/calls/index.ts';
import type { ClauseId } from '../../spec/index.ts';
import { headerOf, isAccepted, statusOf, type Exchange } from '../../harness/client/exchange.ts';
import { check, type Check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import type { FreshWorkspace } from '../../harness/check/fresh-workspace.ts';
import type { RoleName } from '../../harness/config/roles.ts';
import { describeAnswer, given, unmet } from '../../harness/verdict/outcome.ts';
import { type Composed, sendOf } from '../arrange/auth/guarded-calls.ts';
import { arranged } from '../arrange/or-else.ts';
import { requireAccepted, requireAnswered } from '../arrange/send/accepted-sends.ts';

/** Requests made at once under a limit of one a second. */
const burst = 6;
const needs = ['provision-hook', 'limit-hook'] as const;

type Making = (fresh: FreshWorkspace, context: Pick<Context<never>, 'draft'>) => Composed;

const mentions: Making = () => ({ request: listMentions({ limit: 1 }) });
const channelRead: Making = ({ channel }) => ({ request: readChannel(channel.id, { after: 0, limit: 1 }) });
const channelsList: Making = () => ({ request: listChannels() });
const receiptsList: Making = ({ channel }) => ({ request: listReceipts(channel.id) });
const overview: Making = ({ workspaceId }) => ({ request: showOverview(workspaceId) });
const send: Making = (fresh, context) => sendOf(context, fresh);

/** A way to use up the requests of a credential: by turns, where there are several; the first is never left out. */
interface Way {
  readonly role: RoleName;
  readonly by: readonly [Making, ...Making[]];
}

/** The calls that are made too often, and others where what is lacking for them is no matter. */
interface Limited {
  readonly slug: string;
  readonly words: string;
  readonly clauses: readonly [
    'errors.limits-reached-are-429' | 'errors.limit-elsewhere-is-429',
    ...ClauseId[],
  ];
  readonly way: Way;
  readonly beside?: Way;
}

const usual: Way = { role: 'author', by: [mentions] };

const limited: readonly Limited[] = [
  {
    slug: 'mentions-over-a-limit-are-429',
    words: 'the mentions call answers',
    clauses: ['errors.limits-reached-are-429'],
    way: usual,
    beside: { role: 'api-key', by: [mentions] },
  },
  {
    slug: 'channel-read-over-a-limit-is-429',
    words: 'the channel-read call, the lists and the overview answer',
    clauses: ['errors.limit-elsewhere-is-429'],
    way: { role: 'author', by: [channelRead, channelsList, receiptsList] },
    beside: { role: 'machine', by: [overview] },
  },
  {
    slug: 'send-over-a-limit-is-429',
    words: 'the send call answers, having stored nothing,',
    clauses: ['errors.limit-elsewhere-is-429', 'send.refused-stores-nothing'],
    way: { role: 'author', by: [send] },
  },
];

/** Limits that are reached on purpose, in a workspace of their own. */
export const limitChecks: readonly Check[] = limited.map(({ slug, words, clauses, way, beside }) =>
  // ids: errors.<slug>
  // slug: suites/errors/limits.ts
  // errors.limits-reached-are-429: A limit that was reached on the mentions call is answered with 429.
  // errors.limit-elsewhere-is-429: A limit that was reached on any other call is answered with 429 and a
  //   `Retry-After` header.
  check(
    `errors.${slug}`,
    {
      title: `${words} with 429 and Retry-After once its caller has used up its requests`,
      clauses,
      needs,
      isExclusive: true,
    },
    async (context) => {
      const [clause] = clauses;
      const fresh = await context.provision();
      const hasHeader = (answer: Exchange): boolean => headerOf(answer, 'retry-after') !== undefined;
      const isRight = (answer: Exchange): boolean => statusOf(answer) === 429 && hasHeader(answer);
      // What is wrong with every 429 is named where the mentions call answers with it, and on the wire.
      const ofMentions = way === usual ? [] : await overLimit(context, fresh, usual);
      const unusual = ofMentions.find(({ exchange }) => !isRight(exchange))?.exchange;
      if (unusual !== undefined)
        unmet(`the mentions call over a limit met ${describeAnswer(unusual)}, or no Retry-After`, unusual);
      const own = await overLimit(context, fresh, way);
      // Another credential may be one that nobody limits.
      const others = beside && (await arranged(() => overLimit(context, fresh, beside)));
      const refused = [...own, ...(others ?? [])].map(({ exchange }) => exchange);
      const wrong = refused.find((answer) =>
        clause === 'errors.limits-reached-are-429' ? statusOf(answer) !== 429 : !isRight(answer),
      );
      const problem = {
        expected: 'status 429 with Retry-After for a limit that was reached',
        actual:
          wrong === undefined
            ? ''
            : `${describeAnswer(wrong)}, ${hasHeader(wrong) ? 'with' : 'without'} Retry-After`,
      };
      context.expect.holds(
        clause,
        wrong === undefined,
        problem,
        ...(wrong === undefined ? refused : [wrong]),
      );
      await requireLetInAgain(context, fresh);
      const drafts = own.flatMap(({ draft, exchange }) => (isRefusedForMany(exchange) ? (draft ?? []) : []));
      if (drafts.length > 0)
        await context.expect.stream('send.refused-stores-nothing', fresh.channel).toNeverShow(...drafts);
    },
  ),
);

function isRefusedForMany(exchange: Exchange): boolean {
  return statusOf(exchange) === 429;
}

/** Ends the check unless a caller without a limit is let in, and its message shown: the control request of the refusal. */
async function requireLetInAgain(
  { draft }: Pick<Context<never>, 'draft'>,
  fresh: FreshWorkspace,
): Promise<void> {
  const later = draft();
  requireAccepted(await fresh.actor('author').send(fresh.channel.id, later.text));
  await fresh.channel.arrival(later);
}

/** A request that was answered, and what it is one of. */
interface Answered extends Composed {
  readonly made: Making;
  readonly exchange: Exchange;
}

/**
 * What calls that are made too often are refused with; ends the check with its precondition not met when they are not, or when the same
 * requests are refused for anything else without the limit: then a refusal under it may be that other thing.
 */
async function overLimit(
  context: Context<(typeof needs)[number]>,
  fresh: FreshWorkspace,
  { role, by }: Way,
): Promise<readonly Answered[]> {
  const [token, actor, isUnusual] = [fresh.token(role), fresh.actor(role), role !== 'author'];
  const limit = (perSecond: number | null): Promise<void> => context.limit({ token, perSecond, isUnusual });
  const askAtOnce = (makings: readonly Making[]): Promise<readonly Answered[]> =>
    Promise.all(
      Array.from({ length: burst }, async (_, at): Promise<Answered> => {
        const made = makings[at % makings.length] ?? by[0];
        const { request, ...more } = made(fresh, context);
        return { made, request, ...more, exchange: await actor.request(request, { obeysRateLimit: false }) };
      }),
    );
  const before = await askAtOnce(by);
  const isOpen = (made: Making): boolean => before.every((each) => each.made !== made || isUnhindered(each));
  const open = [by[0], ...by.slice(1).filter(isOpen)];
  await limit(1);
  const answers = await askAtOnce(open);
  // The next turn is less than a second away: how that is told is judged on the wire.
  await limit(2);
  await askAtOnce(open);
  await limit(null);
  const after = await askAtOnce(open);
  requireUnhindered(before.filter(({ made }) => open.includes(made)));
  requireUnhindered(after);
  requireAnswered(...answers.map(({ exchange }) => exchange));
  const refused = answers.filter(({ exchange }) => !isAccepted(exchange));
  given(
    refused.length > 0,
    `${burst} requests at once were all let through a limit of one a second`,
    answers[0]?.exchange,
  );
  return refused;
}

/** Ends the check unless every request was let in, or met a limit that the server has anyway. */
function requireUnhindered(answers: readonly Answered[]): void {
  requireAnswered(...answers.map(({ exchange }) => exchange));
  const hindered = answers.find((answer) => !isUnhindered(answer))?.exchange;
  if (hindered !== undefined)
    unmet(
      `${burst} requests at once without a limit are not all answered either: ${describeAnswer(hindered)}`,
      hindered,
    );
}

function isUnhindered({ exchange }: Answered): boolean {
  return isAccepted(exchange) || isRefusedForMany(exchange);
}
