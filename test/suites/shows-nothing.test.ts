import { describe, expect, it } from 'vitest';
import type { Target } from '../../harness/config/target.ts';
import type { ClauseId } from '../../spec/index.ts';
import type { AnswerHook } from '../../reference/index.ts';
import { listOf, objectOf, refusal } from '../../selftest/mutants/base/spoil-answer.ts';
import { allChecks } from '../../suites/index.ts';
import { findingsOf, runAgainst, type ReferenceOptions } from './run-suite.ts';

/** A server, or its operator, that keeps something from being shown, and the clause that must not pass by it. */
interface ShowingNothing {
  readonly what: string;
  readonly check: string;
  readonly clause: ClauseId;
  /** Why it is inconclusive, where that is not obvious. */
  readonly reason?: string;
  readonly answer?: ReferenceOptions['answer'];
  readonly target?: (target: Target) => Target;
}

const unsupported = { call: () => Promise.resolve({ unsupported: 'not here' }) };

/** Lists the newest mentions alone, as many as that. */
function listing(count: number): AnswerHook {
  return (answer, { route }) => {
    if (route !== 'mentions' || answer.status !== 200) return undefined;
    const { mentions, ...body } = objectOf(answer.body);
    const all = listOf(mentions);
    return { ...answer, body: { ...body, mentions: all.slice(all.length - Math.min(count, all.length)) } };
  };
}

const servers: readonly ShowingNothing[] = [
  ...['health', 'capabilities'].map((subject): ShowingNothing => ({
    what: `a page at any address does not stand for ${subject} that are told to nobody`,
    check: `discovery.${subject}-needs-no-credential`,
    clause: 'discovery.needs-no-credential',
    answer: (_answer, { route, path, headers }) => {
      if (route === subject && headers['authorization'] === undefined) return refusal(401);
      const page = {
        status: 200,
        headers: { 'content-type': 'text/html' },
        body: Buffer.from('<h1>Hello</h1>'),
      };
      return route === null && !path.startsWith('/v0/') ? page : undefined;
    },
    target: (target) => ({
      ...target,
      bindings: { ...target.bindings, health: undefined, capabilities: undefined },
    }),
  })),
  {
    what: 'a file that never could be downloaded is none that no longer can',
    check: 'file.deleted-file-stays-deleted-after-a-restart',
    clause: 'message.attachments.deleted-not-downloadable',
    answer: (_answer, { route }) => (route === 'fileContent' ? refusal(404) : undefined),
  },
  {
    what: 'feeds that list nothing to anybody do not show who is reached',
    check: 'mentions.everybody-reaches-everybody',
    clause: 'mentions.matches-agent-target',
    answer: listing(0),
  },
  {
    what: 'a feed that keeps three mentions does not show that those of all channels come in it',
    check: 'mentions.of-a-hundred-channels-are-listed',
    clause: 'mentions.across-channels',
    answer: listing(3),
  },
  {
    what: 'mentions that are refused are not said to lack a message',
    check: 'mentions.feed-of-whom-messages-name-does-not-stay-empty',
    clause: 'mentions.matches-agent-target',
    reason: 'a listing was not accepted',
    answer: (answer, asked) =>
      asked.route === 'mentions' && asked.query['after'] === '0' ? refusal(403) : listing(0)(answer, asked),
  },
  {
    what: 'an end that no operator can bring about is no end of others',
    check: 'auth.the-end-of-a-credential-is-no-end-of-others',
    clause: 'auth.others-stay-valid',
    target: (target) => ({ ...target, hooks: { ...target.hooks, revoke: unsupported, expire: unsupported } }),
  },
];

describe('what shows nothing passes nothing', () => {
  it.concurrent.each(servers)('$what', async ({ check, clause, reason, answer, target }) => {
    const checks = allChecks.filter(({ id }) => id === check);
    const run = await runAgainst(checks, answer ? { answer } : {}, target ? { target } : {});
    const [judged] = run.checks.filter((each) => each.check === check);
    const shown = judged?.clauses.find((each) => each.clause === clause);
    expect(shown).toMatchObject({ verdict: 'inconclusive', ...(reason === undefined ? {} : { reason }) });
    expect(findingsOf(run)).toEqual([]);
  });
});

it('shows the call that is not there as the one that decides', async () => {
  const checks = allChecks.filter(({ id }) => id === 'discovery.calls-are-found-under-the-base-address');
  const run = await runAgainst(checks, {
    answer: (_answer, { route }) => (route === 'mentions' ? refusal(404) : undefined),
  });
  const found = run.findings.find(({ clause }) => clause === 'service.paths-start-at-the-base');
  expect(found?.exchanges.at(-1)?.request).toMatchObject({ method: 'GET' });
  expect(JSON.stringify(found?.exchanges.at(-1)?.request)).toContain('/v0/mentions');
});
