import { jsonAnswer } from '../../reference/model/answer.ts';
import type { Agent } from '../../reference/model/principals.ts';
import type { RouteName } from '../../reference/model/routes.ts';
import { contractRules } from '../../reference/rules/rules.ts';
import { unauthenticated, withoutHeader } from '../mutants/base/spoil-answer.ts';
import { alternatives, leavingOpen, type Overlay, type Underlay, type Variant } from './base/variant.ts';

/** How credentials are read, and what those who may not are told, where the contract leaves room. */
export const credentialVariants: readonly Variant[] = [
  ...leavingOpen({
    'a-closed-channel-is-404: auth.no-access-is-not-hidden is inferred: who may not use a channel need not be told that it is there':
      ({ rules }) => ({
        statusOfRefusal: (kind, route) =>
          kind === 'forbidden' && (route === 'send' || route === 'read' || route === 'receipts')
            ? 404
            : rules.statusOfRefusal(kind, route),
      }),
    'a-token-needs-no-scheme: auth.bare-token': ({ rules }) => ({
      bearerToken: (authorization) =>
        rules.bearerToken(authorization) ?? rules.bearerToken(`Bearer ${authorization}`),
    }),
    'an-api-key-has-no-mentions: mentions.agent-id-header.of-an-api-key: whom a key of the workspace stands for, if anybody, is open':
      (under) => keysMayNot(under, (route) => route === 'mentions'),
    'an-api-key-only-reads: auth.api-key-accepted: a key opens the surface, what it may do there was chosen when it was made':
      (under) => keysMayNot(under, (route) => route === 'send'),
    'an-api-key-is-named-by-no-header: mentions.agent-id-header.of-an-api-key: whose id would it be?': {
      answer: (answer, { route, headers: asked }) =>
        route === 'mentions' && /^bearer +key_/i.test(String(asked['authorization']))
          ? withoutHeader('x-service-agent-id')(answer)
          : undefined,
    },
    'a-list-without-access-is-empty: what the list of channels shows an agent without access is not shown: none of them may be its answer':
      {
        answer: (answer, { route, actor }) =>
          route === 'channels' && answer.status === 403 && actor !== null
            ? jsonAnswer(200, { channels: [] })
            : undefined,
      },
    'nothing-is-told-without-a-credential: service.other-operations: who is nobody may be told 401 at any address, whatever is there':
      {
        answer: (answer, { route, headers }) =>
          route === null && answer.status === 404 && headers['authorization'] === undefined
            ? unauthenticated('a credential is needed')
            : undefined,
      },
    'bad-credentials-are-limited: limits.rates: who tries one credential after the other may be told to wait':
      ({ nth }) => ({
        answer: (answer) => {
          if (answer.status !== 401 || !nth(7)) return undefined;
          const body = { error: { code: 'slow_down', message: 'too many credentials that are no good' } };
          return jsonAnswer(429, body, { 'retry-after': '0' });
        },
      }),
  }),
  ...alternatives({
    'a-malformed-credential-is-400: the table of statuses is headed by the mentions call; elsewhere a malformed header is a bad request':
      {
        kindOfCredentialProblem: (problem, route) =>
          problem === 'malformed' && route !== 'mentions' ? 'invalid' : 'unauthenticated',
      },
    'agents-outlast-their-human: that an agent goes with the membership of its human is said nowhere': {
      leavesWithItsHuman: () => false,
    },
    'a-revoked-credential-is-403: a missing, an expired and an invalid credential are named; whether a revoked one is invalid is inferred':
      { kindOfCredentialProblem: (problem) => (problem === 'revoked' ? 'forbidden' : 'unauthenticated') },
  }),
];

/** A server on which keys of the workspace are known everywhere, and answered with 403 on some calls. */
function keysMayNot({ sources }: Underlay, isClosed: (route: RouteName) => boolean): Overlay {
  let isKey = false;
  return {
    rules: {
      // A key is let in by `admits` wherever nothing is wrong with it and the call is not closed to keys.
      isRevoked: (credential) => {
        const hasEnded = credential.isRevoked || contractRules.isExpired(credential, sources.now());
        isKey = credential.kind === 'api_key' && !hasEnded;
        return isKey || credential.isRevoked;
      },
      admits: (problem, route) => isKey && problem === 'revoked' && !isClosed(route) && route !== 'overview',
      kindOfCredentialProblem: (problem, route) =>
        isKey && problem === 'revoked' && isClosed(route) ? 'forbidden' : 'unauthenticated',
    },
  };
}

/** Author and reader on one machine: which of their principals two agents share is the service's own affair. */
export const machineVariants: readonly Variant[] = alternatives({
  'agents-share-a-machine: an agent has a machine; that each has one of its own is said nowhere': () =>
    onTheReadersMachine({ isOneAuthor: false }),
  'agents-of-one-machine-are-one-author: mentions.same-human-authored, of machines: what counts as self-authored is not said':
    () => onTheReadersMachine({ isOneAuthor: true }),
});

/** All agents of the first workspace run where its reader does. */
function onTheReadersMachine({ isOneAuthor }: { readonly isOneAuthor: boolean }): Overlay {
  let readers: { readonly id: string; readonly workspaceId: string } | undefined;
  const isThere = ({ workspaceId }: Pick<Agent, 'workspaceId'>): boolean =>
    readers?.workspaceId === workspaceId;
  return {
    rules: {
      capturedMachine: (machine) =>
        machine && {
          id: isThere(machine) ? (readers?.id ?? machine.id) : machine.id,
          display_name: isThere(machine) ? 'one-host' : machine.displayName,
        },
      machineTargetOf: (reader) => (isThere(reader) ? (readers?.id ?? null) : reader.machineId),
      isSelfAuthored: (entry, reader) => entry.authorId === reader.id || (isOneAuthor && isThere(reader)),
    },
    company: ({ world: { roles, workspaceId } }) => {
      readers = { id: roles.reader.machineId ?? '', workspaceId };
      return () => Promise.resolve();
    },
  };
}
