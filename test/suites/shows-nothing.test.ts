import { expect, it } from 'vitest';
import type { AnswerHook } from '../../reference/index.ts';
import { listOf, objectOf, refusal } from '../../selftest/mutants/base/spoil-answer.ts';
import { withHooks } from '../fixtures/hooks.ts';
import { judgeServers, type JudgedServer } from './judged-servers.ts';
import { runAgainst } from './run-suite.ts';

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

/** One that tells of itself only somebody known, and has a page for everybody at any other address. */
function tellingNobody(subject: 'health' | 'capabilities'): JudgedServer {
  const headers = { 'content-type': 'text/html' };
  const page = { status: 200, headers, body: Buffer.from('<h1>Hello</h1>') };
  return {
    by: `discovery.${subject}-needs-no-credential`,
    answer: (_answer, { route, path, headers: { authorization } }) => {
      if (route === subject && authorization === undefined) return refusal(401);
      return route === null && !path.startsWith('/v0/') ? page : undefined;
    },
    target: ({ bindings, ...target }) => ({
      ...target,
      bindings: { ...bindings, health: undefined, capabilities: undefined },
    }),
    verdicts: { 'discovery.needs-no-credential': 'inconclusive' },
  };
}

// What shows nothing passes nothing.
judgeServers(
  {
    'a page at any address does not stand for health that is told to nobody': tellingNobody('health'),
    'a page at any address does not stand for capabilities that are told to nobody':
      tellingNobody('capabilities'),
    'a file that never could be downloaded is none that no longer can': {
      by: 'file.deleted-file-stays-deleted-after-a-restart',
      answer: (_answer, { route }) => (route === 'fileContent' ? refusal(404) : undefined),
      verdicts: { 'message.attachments.deleted-not-downloadable': 'inconclusive' },
    },
    'feeds that list nothing to anybody do not show who is reached': {
      by: 'mentions.everybody-reaches-everybody',
      answer: listing(0),
      verdicts: { 'mentions.matches-agent-target': 'inconclusive' },
    },
    'a feed that keeps three mentions does not show that those of all channels come in it': {
      by: 'mentions.of-a-hundred-channels-are-listed',
      answer: listing(3),
      verdicts: { 'mentions.across-channels': 'inconclusive' },
    },
    'mentions that are refused are not said to lack a message': {
      by: 'mentions.feed-of-whom-messages-name-does-not-stay-empty',
      answer: (answer, asked) =>
        asked.route === 'mentions' && asked.query['after'] === '0' ? refusal(403) : listing(0)(answer, asked),
      verdicts: { 'mentions.matches-agent-target': 'inconclusive' },
      why: 'mentions.matches-agent-target inconclusive a listing was not accepted',
    },
    'an end that no operator can bring about is no end of others': {
      by: 'auth.the-end-of-a-credential-is-no-end-of-others',
      target: withHooks({ revoke: unsupported, expire: unsupported }),
      verdicts: { 'auth.others-stay-valid': 'inconclusive' },
    },
  },
  it.concurrent,
);

it('shows the call that is not there as the one that decides', async () => {
  const run = await runAgainst('discovery.calls-are-found-under-the-base-address', {
    answer: (_answer, { route }) => (route === 'mentions' ? refusal(404) : undefined),
  });
  const found = run.findings.find(({ clause }) => clause === 'service.paths-start-at-the-base');
  expect(found?.exchanges.at(-1)?.request).toMatchObject({ method: 'GET' });
  expect(JSON.stringify(found?.exchanges.at(-1)?.request)).toContain('/v0/mentions');
});
