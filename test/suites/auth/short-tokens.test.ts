import { expect, it } from 'vitest';
import { contractRules } from '../../../reference/index.ts';
import { allChecks } from '../../../suites/index.ts';
import { findingsOf, notPassed, runAgainst } from '../run-suite.ts';

const ids = [
  'auth.every-unknown-credential-is-refused',
  'auth.every-malformed-credential-is-refused',
  'auth.nothing-there-needs-a-credential',
  'auth.wrong-parameters-need-a-credential',
  'auth.other-methods-need-a-credential',
];

it('words that are the tokens of others are no strangers, whether a scheme stands before them or not', async () => {
  const meant = new Map<string, string>();
  const run = await runAgainst(
    allChecks.filter(({ id }) => ids.includes(id)),
    {
      rules: {
        ...contractRules,
        bearerToken: (header) => /^(?:bearer )?([^ ]+)$/i.exec(header)?.[1],
        tokenMeant: (token) => meant.get(token) ?? token,
      },
    },
    {
      // What looks like the author's is the reader's.
      target: (target) => {
        const words: Readonly<Record<string, string>> = {
          author: 'agent-1',
          reader: 'hnlua-8',
          peer: '00000000-0000-4000-8000-0000000000ff',
        };
        const roles = Object.entries(target.roles).map(([role, credential]) => {
          const word = words[role] ?? credential.token;
          meant.set(word, credential.token);
          return [role, { ...credential, token: word }];
        });
        return { ...target, roles: Object.fromEntries(roles) };
      },
    },
  );
  expect([...findingsOf(run), ...notPassed(run)]).toEqual([]);
});
