import { randomUUID } from 'node:crypto';
import { listMentions, readChannel, sendMessage, type CallRequest } from '../../spec/calls/index.ts';
import { headerOf, isAccepted, statusOf, type Exchange } from '../../harness/client/exchange.ts';
import { check, type Check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import type { FreshWorkspace } from '../../harness/check/fresh-workspace.ts';
import { describeAnswer, given, unmet } from '../../harness/verdict/outcome.ts';
import { requireAccepted, requireAnswered } from '../arrange/send/accepted-sends.ts';

/** Requests made at once under a limit of one a second. */
const burst = 6;
const needs = ['provision-hook', 'limit-hook'] as const;

/** Ways to use up the requests of a credential. */
const calls = {
  mentions: () => listMentions({ limit: 1 }),
  'channel-read': ({ channel }) => readChannel(channel.id, { after: 0, limit: 1 }),
  send: ({ channel }, { draft }) => ({
    ...sendMessage(channel.id, { content: draft().text }, randomUUID()),
    hasFreshKey: true,
  }),
} as const satisfies Readonly<
  Record<string, (fresh: FreshWorkspace, context: Pick<Context<never>, 'draft'>) => CallRequest>
>;

const limited = [
  { slug: 'mentions-over-a-limit-are-429', call: 'mentions', clause: 'errors.limits-reached-are-429' },
  { slug: 'channel-read-over-a-limit-is-429', call: 'channel-read', clause: 'errors.limit-elsewhere-is-429' },
  { slug: 'send-over-a-limit-is-429', call: 'send', clause: 'errors.limit-elsewhere-is-429' },
] as const;

/** Limits that are reached on purpose, in a workspace of their own. */
export const limitChecks: readonly Check[] = limited.map(({ slug, call, clause }) =>
  // ids: errors.<slug>
  // slug: suites/errors/limits.ts
  // errors.limits-reached-are-429: A limit that was reached on the mentions call is answered with 429.
  // errors.limit-elsewhere-is-429: A limit that was reached on any other call is answered with 429 and a
  //   `Retry-After` header.
  check(
    `errors.${slug}`,
    {
      title: `the ${call} call answers with 429 and Retry-After once its caller has used up its requests`,
      clauses: [clause],
      needs,
      isExclusive: true,
    },
    async (context) => {
      const fresh = await context.provision();
      const hasHeader = (answer: Exchange): boolean => headerOf(answer, 'retry-after') !== undefined;
      const isRight = (answer: Exchange): boolean => statusOf(answer) === 429 && hasHeader(answer);
      // What is wrong with every 429 is named where the mentions call answers with it, and on the wire.
      const usual = call === 'mentions' ? [] : await overLimit(context, fresh, 'mentions');
      const unusual = usual.find((answer) => !isRight(answer));
      if (unusual !== undefined)
        unmet(`the mentions call over a limit met ${describeAnswer(unusual)}, or no Retry-After`, unusual);
      const refused = await overLimit(context, fresh, call);
      const wrong = refused.find((answer) =>
        call === 'mentions' ? statusOf(answer) !== 429 : !isRight(answer),
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
    },
  ),
);

/** Ends the check unless a caller without a limit is let in, and its message shown: the control request of the refusal. */
async function requireLetInAgain(
  { draft }: Pick<Context<never>, 'draft'>,
  fresh: FreshWorkspace,
): Promise<void> {
  const later = draft();
  requireAccepted(await fresh.actor('author').send(fresh.channel.id, later.text));
  await fresh.channel.arrival(later);
}

/**
 * What a call that is made too often is refused with; ends the check with its precondition not met when it is not, or when the same
 * requests are refused for anything else without the limit: then a refusal under it may be that other thing.
 */
async function overLimit(
  context: Context<(typeof needs)[number]>,
  fresh: FreshWorkspace,
  call: keyof typeof calls,
): Promise<readonly Exchange[]> {
  const token = fresh.token('author');
  const author = fresh.actor('author');
  const ask = (): Promise<Exchange> => author.request(calls[call](fresh, context), { obeysRateLimit: false });
  const askAtOnce = (): Promise<Exchange[]> => Promise.all(Array.from({ length: burst }, ask));
  const before = await askAtOnce();
  await context.limit({ token, perSecond: 1 });
  const answers = await askAtOnce();
  // The next turn is less than a second away: how that is told is judged on the wire.
  await context.limit({ token, perSecond: 2 });
  await askAtOnce();
  await context.limit({ token, perSecond: null });
  const after = await askAtOnce();
  requireUnhindered(...before, ...after);
  requireAnswered(...answers);
  const refused = answers.filter((answer) => !isAccepted(answer));
  given(
    refused.length > 0,
    `${burst} requests at once were all let through a limit of one a second`,
    answers[0],
  );
  return refused;
}

/** Ends the check unless every request was let in, or met a limit that the server has anyway. */
function requireUnhindered(...answers: readonly Exchange[]): void {
  requireAnswered(...answers);
  const hindered = answers.find((answer) => !isAccepted(answer) && statusOf(answer) !== 429);
  if (hindered !== undefined)
    unmet(
      `${burst} requests at once without a limit are not all answered either: ${describeAnswer(hindered)}`,
      hindered,
    );
}
