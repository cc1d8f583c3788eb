import { alternatives, type Variant } from './variant.ts';

/** How credentials are read, and what those who may not are told, where the contract leaves room. */
export const credentialVariants: readonly Variant[] = [
  {
    id: 'a-closed-channel-is-404',
    words:
      'auth.no-access-is-not-hidden is inferred: who may not use a channel need not be told that it is there',
    mayWarn: ['auth.no-access-is-not-hidden'],
    options: ({ rules }) => ({
      rules: {
        statusOfRefusal: (kind, route) =>
          kind === 'forbidden' && (route === 'send' || route === 'read' || route === 'receipts')
            ? 404
            : rules.statusOfRefusal(kind, route),
      },
    }),
  },
  {
    id: 'a-token-needs-no-scheme',
    words: 'auth.bare-token',
    options: ({ rules }) => ({
      rules: {
        bearerToken: (authorization) =>
          rules.bearerToken(authorization) ?? rules.bearerToken(`Bearer ${authorization}`),
      },
    }),
  },
  ...alternatives(
    {
      id: 'a-malformed-credential-is-400',
      words:
        'the table of statuses is headed by the mentions call; elsewhere a malformed header is a bad request',
      options: () => ({
        rules: {
          kindOfCredentialProblem: (problem, route) =>
            problem === 'malformed' && route !== 'mentions' ? 'invalid' : 'unauthenticated',
        },
      }),
    },
    {
      id: 'a-revoked-credential-is-403',
      words:
        'a missing, an expired and an invalid credential are named; whether a revoked one is invalid is inferred',
      mayWarn: ['auth.revoked-is-401', 'errors.mentions-revoked-credential-is-401'],
      options: () => ({
        rules: {
          kindOfCredentialProblem: (problem) => (problem === 'revoked' ? 'forbidden' : 'unauthenticated'),
        },
      }),
    },
  ),
];
