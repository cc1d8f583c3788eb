import { randomUUID } from 'node:crypto';
import { stringify } from 'yaml';
import { front, json } from '../../fixtures/front.ts';
import { type OpenServer, rows, words } from '../frame/row.ts';

/** Cuts all connections for a while once it has had so many requests. */
function restarting(afterRequests: number, forMs: number): OpenServer {
  let downFromMs: number | undefined;
  return front({
    instead: ({ number }) => {
      if (number >= afterRequests) downFromMs ??= performance.now();
      const isDown = downFromMs !== undefined && performance.now() - downFromMs < forMs;
      return isDown ? (socket) => socket.destroy() : undefined;
    },
  });
}

/** Sends each page of mentions in pieces. */
const dripping: OpenServer = front({ pieces: ({ call }) => (call === 'mentions' ? 8 : 1) });

const overviewArea = words('--target conform.yaml --only overview');
/** Long enough for a server to go in the middle; test/suites/ailing-servers has each fate in a longer run, every night. */
const reading = words('--target conform.yaml --only channel-read mentions');

/** What becomes of a server in mid-run, and whose data it answers with. */
export const fateRows = rows({
  'a server that cuts every connection from some request on is no green': {
    server: front({ instead: ({ number }) => (number > 40 ? (socket) => socket.destroy() : undefined) }),
    args: reading,
    expected: { exit: 3, says: '(exit 3)', budgetS: 40 },
  },
  'a server that restarts in mid-run has broken nothing': {
    server: restarting(60, 1_500),
    args: reading,
    expected: { exit: [0, 3], says: '(exit', never: /FAILED/, budgetS: 40 },
  },
  'a server that comes back without its data is no green': {
    server: front({
      instead: ({ number }) =>
        number > 100
          ? json('401 Unauthorized', '{"error":{"code":"unauthenticated","message":"who are you?"}}', [
              'WWW-Authenticate: Bearer',
            ])
          : undefined,
    }),
    args: reading,
    expected: { exit: 3, says: '(exit 3)', never: /FAILED/, budgetS: 40 },
  },
  'a hook that hears no signal ends with the run': {
    given: ({ target, write }) => {
      write(
        'hook.mjs',
        "process.on('SIGTERM', () => {}); process.on('SIGINT', () => {}); setInterval(() => {}, 1e6);",
      );
      write(
        'conform.yaml',
        stringify({ ...target, hooks: { provision: { command: [process.execPath, 'hook.mjs'] } } }),
      );
    },
    args: words('--target conform.yaml --only auth --budget-ms 1500'),
    expected: { exit: [1, 3], says: '(exit', budgetS: 1.5 },
  },
});

/** Others of them, every night. */
export const otherFateRows = rows({
  'a server that sends a byte of each answer now and then takes long, and no more': {
    server: dripping,
    expected: { exit: 0, says: 'conforms', budgetS: 40 },
  },
  'a server that answers with the workspace of another does not conform': {
    server: front({
      changed: (answer, { call }) => {
        if (call !== 'overview' || answer.status !== 200) return answer;
        const body = JSON.parse(answer.body) as { workspace: object };
        return {
          ...answer,
          body: JSON.stringify({ ...body, workspace: { ...body.workspace, id: randomUUID() } }),
        };
      },
    }),
    args: overviewArea,
    expected: { exit: 1, says: 'overview.workspace.is-the-requested' },
  },
  'a server that names another agent as the caller does not conform': {
    server: front({
      changed: (answer, { call }) =>
        call === 'mentions'
          ? { ...answer, headers: { ...answer.headers, 'x-service-agent-id': randomUUID() } }
          : answer,
    }),
    args: words('--target conform.yaml --clause mentions.agent-id-header.is-the-caller'),
    expected: { exit: 1, says: 'mentions.agent-id-header.is-the-caller', budgetS: 25 },
  },
  'a constant 200 is no server of the contract': {
    server: front({ instead: () => json('200 OK', '{"ok":true}') }),
    expected: { exit: [1, 3], says: '(exit' },
  },
  'a constant 204 is no server of the contract': {
    server: front({ instead: () => json('204 No Content', '') }),
    expected: { exit: [1, 3], says: '(exit' },
  },
});
