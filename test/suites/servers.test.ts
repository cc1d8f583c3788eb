import { expect, it } from 'vitest';
import { isUuid, type WorkspaceFile } from '../../spec/index.ts';
import { objectOf, spoilItems, spoilSuccess } from '../../selftest/mutants/base/spoil-answer.ts';
import { judgeServers, type JudgedServer } from './judged-servers.ts';
import { runAgainst } from './run-suite.ts';

/** Serves a deleted file to those asks, counted from 0, that are meant. */
function servingDeleted(isMeant: (asked: number) => boolean): JudgedServer {
  const known = new Map<string, unknown>();
  let asked = -1;
  const isDownloadable = ({ status }: WorkspaceFile): boolean => {
    if (status === 'deleted') asked += 1;
    return status !== 'deleted' || isMeant(asked);
  };
  const remembered = spoilSuccess('fileContent', (answer, { path }) => {
    if (Buffer.isBuffer(answer.body) && answer.body.length > 0) known.set(path, answer.body);
    return { ...answer, body: known.get(path) ?? answer.body };
  });
  return { by: 'file.deleted-file-is-not-downloadable', rules: { isDownloadable }, ...remembered };
}

const stillServed = ['message.attachments.deleted-not-downloadable failed'];

const kinds = ['agent', 'human', 'machine'].map((kind) => `population.feeds-list-all-that-names-the-${kind}`);

judgeServers({
  'a deleted file that still comes every second time is found': () => ({
    ...servingDeleted((asked) => asked % 2 === 1),
    found: stillServed,
  }),
  'a deleted file that still comes to another agent is found': () => ({
    ...servingDeleted((asked) => asked === 4),
    found: stillServed,
  }),
  'a deleted file may still come until all of the server knows': () => servingDeleted((asked) => asked < 2),
  'an author that has another name once it reports the id of an agent for its host is found': {
    by: 'message.host-grants-nothing',
    rules: {
      presentAuthor: (author) => ({
        ...author,
        display_name: author.agent_host && isUuid(author.agent_host) ? 'Another agent' : author.display_name,
      }),
    },
    found: ['author.agent-host.display-only failed'],
  },
  'authors that show an integer which only a bigint holds are compared': {
    by: 'message.stays-as-written-when-names-change',
    ...spoilItems('read', (message) => ({
      ...message,
      author: { ...objectOf(message['author']), revision: 9_007_199_254_740_993n },
    })),
    passes: true,
    finds: [],
  },
  'each kind of target is shown to lead to a feed': { by: kinds, passes: true, finds: [] },
});

it.each([
  ['agent', { agentTargetOf: () => null }],
  ['human', { userTargetOf: () => null }],
  ['machine', { machineTargetOf: () => null }],
])(
  'what comes to a feed by another kind of target does not show that this one leads there: %s',
  async (kind, rules) => {
    const id = `population.feeds-list-all-that-names-the-${kind}`;
    const { checks } = await runAgainst(id, { rules });
    expect(checks.find(({ check }) => check === id)?.verdict).not.toBe('passed');
  },
);
