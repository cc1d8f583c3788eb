import { withAround } from '../../fixtures/hooks.ts';
import { judgeServers, type JudgedServer } from '../judged-servers.ts';

/** One where the agents of a machine that is not active are shut out, as is left open; a restart may forget who lost its access. */
function shuttingOut(isForgotten: boolean): JudgedServer {
  const [inactive, lost] = [new Set<unknown>(), new Set<unknown>()];
  const deactivating = withAround(['deactivate'], (input, deactivate) => {
    if (input['kind'] === 'machine') inactive.add(input['machine_id']);
    if (input['kind'] !== 'access') return deactivate();
    lost.add(input['agent_id']);
    return Promise.resolve({});
  });
  const restarting = withAround(['restart'], (_, restart) => {
    if (isForgotten) lost.clear();
    return restart();
  });
  return {
    by: 'auth.what-was-closed-stays-closed-after-a-restart',
    rules: {
      hasWorkspaceAccess: ({ agent: { id, machineId } }) => !lost.has(id) && !inactive.has(machineId),
    },
    target: (target) => restarting(deactivating(target)),
    verdicts: { 'mentions.membership-rechecked': isForgotten ? 'failed' : 'passed' },
  };
}

/** Tokens that look like the author's and are the reader's. */
const words: Readonly<Record<string, string>> = {
  author: 'agent-1',
  reader: 'hnlua-8',
  peer: '00000000-0000-4000-8000-0000000000ff',
};

judgeServers({
  'a server that takes no good token after some that were never issued is found': () => {
    let strangers = 0;
    return {
      by: 'auth.good-credential-works-after-wrong-ones',
      rules: {
        admits: (problem) => {
          if (problem === 'unknown') strangers += 1;
          return false;
        },
        isRevoked: () => strangers > 2,
      },
      finds: ['auth.bearer-accepted failed'],
    };
  },
  'a server that decodes tokens, and passes over what its code does not have, is only warned': {
    by: /^auth\.channels-list-with-an?-.*-token-is-401$/,
    rules: { tokenMeant: (token) => token.replace('~', '') },
    found: ['auth.respelled-credential warned'],
  },
  'lost access is found forgotten where an inactive machine takes its agents along': () => shuttingOut(true),
  'lost access is found kept where an inactive machine takes its agents along': () => shuttingOut(false),
  'words that are the tokens of others are no strangers, whether a scheme stands before them or not': () => {
    const meant = new Map<string, string>();
    return {
      by: [
        'auth.every-unknown-credential-is-refused',
        'auth.every-malformed-credential-is-refused',
        'auth.nothing-there-needs-a-credential',
        'auth.wrong-parameters-need-a-credential',
        'auth.other-methods-need-a-credential',
      ],
      rules: {
        bearerToken: (header) => /^(?:bearer )?([^ ]+)$/i.exec(header)?.[1],
        tokenMeant: (token) => meant.get(token) ?? token,
      },
      target: (target) => {
        const roles = Object.entries(target.roles).map(([role, credential]) => {
          const word = words[role] ?? credential.token;
          meant.set(word, credential.token);
          return [role, { ...credential, token: word }];
        });
        return { ...target, roles: Object.fromEntries(roles) };
      },
      passes: true,
    };
  },
});
