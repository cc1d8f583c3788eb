import { concurrencyMutants, meeting } from './concurrency-mutant.ts';

/** Servers that turn somebody away, or let a stranger in, where a request meets a send. */
export const refusingMutants = concurrencyMutants({
  'no-credential-is-known-beside-a-send: some sends are answered with 401 while another one is under way': {
    shows: ['turned-away'],
    does: meeting((sends, { nth }) => ({
      hasWorkspaceAccess: ({ now }, { route }) =>
        now && !(route === 'send' && sends.others.length > 0 && nth(9)),
      kindOfNoAccess: () => 'unauthenticated',
    })),
  },
  'mentions-are-closed-beside-a-send: some listings are answered with 403 while a send is under way': {
    shows: ['turned-away'],
    does: meeting((sends, { nth }) => ({
      hasWorkspaceAccess: ({ now }, { route }) =>
        now && !(route === 'mentions' && sends.others.length > 0 && nth(5)),
    })),
  },
  'no-channel-is-there-beside-a-send: some reads are answered with 404 while a send is under way': {
    shows: ['turned-away'],
    does: meeting((sends, { nth }) => ({
      mayUseChannel: ({ isOfWorkspace }, route) =>
        isOfWorkspace && !(route === 'read' && sends.others.length > 0 && nth(9)),
      kindOfForeignChannel: () => 'not-found',
    })),
  },
  'access-is-not-looked-up-beside-a-send: whoever is known reads a channel while a send is under way': {
    shows: ['let-in'],
    does: meeting((sends) => ({
      hasWorkspaceAccess: ({ now }, { route }) => now || (route === 'read' && sends.others.length > 0),
    })),
  },
  'workspaces-are-confused-beside-a-send: a send of another workspace is taken while one is under way': {
    shows: ['let-in'],
    does: meeting((sends) => ({
      mayUseChannel: ({ isOfWorkspace }, route) =>
        isOfWorkspace || (route === 'send' && sends.others.length > 0),
    })),
  },
});
