import { describe, expect, it } from 'vitest';
import { contractRules } from '../../reference/index.ts';
import type { Rules } from '../../reference/index.ts';
import { allChecks } from '../../suites/index.ts';
import { findingsOf, runAgainst } from './run-suite.ts';

/** One rule of the reference broken by hand, and the one clause that the whole suite must name for it. */
const broken: readonly { name: string; clause: string; rules: Partial<Rules> }[] = [
  {
    name: 'content is measured in UTF-16 units',
    clause: 'send.content-bytes',
    rules: { contentBytes: (content) => content.length },
  },
  {
    name: 'the byte limit is one too high',
    clause: 'send.content-bytes',
    rules: { maxContentBytes: () => 500_001 },
  },
  {
    name: 'content is normalised when it is stored',
    clause: 'message.content.unaltered',
    rules: { storedContent: (content) => content.normalize('NFC') },
  },
  {
    name: 'only a high surrogate without its half is noticed',
    clause: 'send.lone-surrogates-refused',
    rules: { acceptsSurrogates: (content) => !/[\ud800-\udbff](?![\udc00-\udfff])/.test(content) },
  },
  {
    name: 'content with U+0000 is refused, and stored all the same',
    clause: 'send.refused-stores-nothing',
    rules: { storesRefusedSend: ({ message }) => /U\+0000|NUL/i.test(message) },
  },
  {
    name: 'the mentions cursor is inclusive',
    clause: 'mentions.after.exclusive',
    rules: { firstSequenceAfter: (after, stream) => (stream === 'mentions' ? after : after + 1n) },
  },
  {
    name: 'the default limit is 49',
    clause: 'mentions.limit.default',
    rules: { defaultLimit: (route) => (route === 'mentions' ? 49 : 50) },
  },
  {
    name: 'without a cursor the oldest page is given',
    clause: 'mentions.newest-page',
    rules: { readsNewestWhenOmitted: (stream) => stream !== 'mentions' },
  },
  {
    name: 'the next cursor of a channel read is one beyond the last entry',
    clause: 'channel-read.walk-is-complete',
    rules: {
      nextAfter: (facts) =>
        contractRules.nextAfter(facts) + (facts.stream === 'channel' && facts.entries.length > 0 ? 1n : 0n),
    },
  },
  {
    name: 'a message that mentions its author reaches it',
    clause: 'mentions.self-authored-excluded',
    rules: { isSelfAuthored: () => false },
  },
  {
    name: 'the human behind an agent is forgotten',
    clause: 'mentions.matches-human-target',
    rules: { userTargetOf: () => null },
  },
  {
    name: 'a machine sees any workspace',
    clause: 'overview.own-workspace-only',
    rules: {
      mayOverview: () => true,
      isCallersMembership: (membership, machine) =>
        membership.workspace_id !== machine.workspaceId ||
        contractRules.isCallersMembership(membership, machine),
      isLinkedMembershipActive: (membership) => membership === undefined || membership.status === 'active',
    },
  },
  {
    name: 'a revoked credential still works',
    clause: 'auth.revoked-credential',
    rules: { isRevoked: () => false },
  },
  {
    name: 'a 401 comes without WWW-Authenticate',
    clause: 'auth.www-authenticate',
    rules: { challenge: () => null },
  },
];

describe('a broken rule', () => {
  it.each(broken)('is found once, by its clause: $name', async ({ clause, rules }) => {
    const run = await runAgainst(allChecks, { rules: { ...contractRules, ...rules } });
    expect(findingsOf(run)).toEqual([`${clause} failed`]);
    expect(run.footer.exitCode).toBe(1);
  });
});

describe('the contract kept', () => {
  it('ends with exit 0, nothing failed, nothing warned', async () => {
    const run = await runAgainst(allChecks);
    expect(findingsOf(run)).toEqual([]);
    expect(run.footer.exitCode).toBe(0);
  });
});
