import { setTimeout as sleep } from 'node:timers/promises';
import type { Rules } from '../../../reference/rules/rules.ts';
import { askAs } from '../base/ask-as.ts';
import { alternatives, type Company, leavingOpen, type Variant } from '../base/variant.ts';

/** What a service calls the four providers that the contract has neutral words for. */
const ownWords: ReadonlyMap<string, string> = new Map([
  ['anvil', 'provider_a'],
  ['bellows', 'provider_b'],
  ['crucible', 'provider_c'],
  ['drill', 'provider_d'],
]);

/** Rules of a service that knows the providers by its own names. */
export const inOwnWords: Partial<Rules> = {
  acceptsProvider: (provider) => ownWords.has(provider),
  neutralProvider: (provider) => ownWords.get(provider) ?? provider,
};

/** Words of the server's own in messages that no target has told anybody about. */
export const ownWordVariants: readonly Variant[] = leavingOpen({
  'others-report-sessions-in-own-words: the contract writes neutral words where the service has names; other agents know them':
    () => ({
      rules: inOwnWords,
      company: reportingSessions,
    }),
});

/** An agent of the same workspace who posts a few messages from a session, each of which names the reader. */
const reportingSessions: Company = ({ baseUrl, world }) => {
  const { apiKey, reader } = world.roles;
  const stop = new AbortController();
  const post = async (): Promise<void> => {
    for (const provider of ownWords.keys()) {
      const body = {
        content: `from a session of ${provider}`,
        mentions: [{ kind: 'agent', id: reader.agentId }],
        source_session: { provider, surface: 'cli', session_id: sessionIds.get(provider) },
      };
      // One after the other: the order of the sessions is the order of the words.
      await askAs(baseUrl, apiKey.token, `/v0/channels/${world.channelId}/messages`, {
        body,
        signal: stop.signal,
      });
      await sleep(20, undefined, { signal: stop.signal });
    }
  };
  const working = post().catch(() => undefined);
  return async () => {
    stop.abort();
    await working;
  };
};

const sessionIds: ReadonlyMap<string, string> = new Map([
  ['anvil', '0f8fad5b-d9cb-469f-a165-70867728950e'],
  ['bellows', 'session-1'],
  ['crucible', '0f8fad5b-d9cb-469f-a165-70867728950e'],
  ['drill', '20260131_235959_abcdef'],
]);

/** What a human and the member that it is are called: one has one name, the other two, and nothing ties them. */
export const nameVariants: readonly Variant[] = alternatives({
  'a-human-is-renamed-apart-from-its-member: a display name, a first and a last name are three fields; that one follows another is said nowhere':
    { renamesMember: () => false },
  'a-member-has-one-name: a last name is a string; no least length is given': {
    presentMember: (member) => ({
      ...member,
      first_name: `${member.first_name} ${member.last_name}`.trim(),
      last_name: '',
    }),
  },
});
