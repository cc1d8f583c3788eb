import { type JsonObject, objectOf, spoilSuccess } from '../../../selftest/mutants/base/spoil-answer.ts';
import { withAround } from '../../fixtures/hooks.ts';
import { judgeServers, type JudgedServer } from '../judged-servers.ts';

interface Listed {
  readonly receipts: readonly JsonObject[];
  readonly page: JsonObject;
}

/** One with a list of another form, and what the check says of that. */
function listing(
  verdict: 'passed' | 'failed' | 'inconclusive',
  listed: (body: Listed, query: Readonly<Record<string, string>>) => object,
): JudgedServer {
  return {
    by: 'receipts.list-has-every-report',
    ...spoilSuccess('receipts', (own, { query }) => ({ ...own, body: listed(own.body as Listed, query) })),
    verdicts: { 'receipts-list.paginates-all': verdict },
    finds: [],
  };
}

/** As mentions come: the newest without a cursor, and all there are from 0 on. */
const newestFirst =
  (keep: (receipts: readonly JsonObject[]) => readonly JsonObject[]) =>
  ({ receipts, page }: Listed, { after }: Readonly<Record<string, string>>): object =>
    after === undefined
      ? { receipts: receipts.slice(-1), page: { ...page, has_more: false } }
      : { receipts: keep(receipts), page };

const first = ({ receipts }: Listed) => receipts.slice(0, 1);
const within = (body: Listed) => first(body).map((each) => ({ ...each, agents: { has_more: false } }));

judgeServers({
  'a list that begins with the newest is read from its oldest record on': listing(
    'passed',
    newestFirst((receipts) => receipts),
  ),
  'a list that begins with the newest and lacks its oldest record is found': listing(
    'failed',
    newestFirst((receipts) => receipts.slice(1)),
  ),
  'a list that names messages by their places is not judged': listing(
    'inconclusive',
    ({ receipts, page }) => ({
      receipts: receipts.map(({ agent_id }, at) => ({ agent_id, message_sequence: at + 1 })),
      page,
    }),
  ),
  'a list is whole that says so itself': listing('failed', (body) => ({
    data: first(body),
    has_more: false,
  })),
  'a list is not whole that says so beside a cursor': listing('inconclusive', (body) => ({
    data: first(body),
    has_more: false,
    next: 'next',
  })),
  'a list is not whole where its records say so beside a cursor': listing('inconclusive', (body) => ({
    data: within(body),
    cursor: 'next',
  })),
  'a list is not whole where its records say so': listing('inconclusive', (body) => ({ data: within(body) })),
  'a server that takes all agents of a human for one author is held to no more than what is inferred': () => {
    const humans = new Map<string, string | null>();
    return {
      by: 'receipts.another-agent-of-the-authors-human-is-listed',
      rules: {
        capturedAgentId: (agent) => {
          humans.set(agent.id, agent.humanUserId);
          return agent.id;
        },
        isPreviewed: ({ agentId }, authorId) =>
          agentId !== authorId && (humans.get(agentId) ?? agentId) !== humans.get(authorId),
      },
      // Then only the reader has siblings: its peer, and one whose human has no name.
      target: withAround(['provision'], async (_input, provision) => {
        const { without, ...made } = objectOf(await provision());
        const { machine: _, ...others } = objectOf(without);
        return { ...made, without: others };
      }),
      verdicts: {
        'receipts.siblings-of-the-author-are-listed': 'warned',
        'receipts.reported-agent-is-listed': 'passed',
      },
    };
  },
});
