import { describe, expect, it } from 'vitest';
import { sendChecks } from '../../../suites/send/index.ts';
import { contractRules } from '../../../reference/index.ts';
import { findingsOf, notPassed, runAgainst } from '../run-suite.ts';
import type { ReferenceOptions } from '../run-suite.ts';
import { caughtBy, runBroken } from './broken.ts';
import type { Broken } from './broken.ts';

const large = sendChecks.filter(({ bodyBytes }) => bodyBytes > 0).map(({ id }) => id);

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const onlyText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Answers every refused send as if it had been accepted. */
const saysYes: NonNullable<ReferenceOptions['answer']> = (answer, { route }) =>
  route === 'send' && answer.status >= 400 ? { ...answer, status: 201 } : undefined;

/** The places of the first few messages after the first one; later ones follow the last. */
function placesOf(...places: readonly bigint[]): (last: bigint) => bigint {
  const left = [...places];
  return (last) => left.shift() ?? last + 1n;
}

const broken: readonly Broken[] = [
  {
    name: 'an accepted message is answered with 303',
    rules: () => ({ statusOfSend: () => 303 }),
    findings: ['send.success-is-2xx failed'],
  },
  {
    name: 'a UUID is no good as a key',
    rules: () => ({ acceptsIdempotencyKey: (key) => !/^[0-9a-f-]{36}$/.test(key) }),
    findings: ['send.idempotency-key-accepted failed'],
  },
  {
    name: 'every message is stored twice',
    rules: () => ({ timesStored: () => 2 }),
    findings: ['send.stored-once warned'],
  },
  {
    name: 'a text that was sent before is taken for the same send',
    rules: () => {
      const firstKeyOf = new Map<unknown, string>();
      return {
        comparedKey: (key, { content }) => firstKeyOf.get(content) ?? (firstKeyOf.set(content, key), key),
      };
    },
    findings: ['send.distinct-keys-store-each failed'],
  },
  {
    name: 'a reused key brings the first answer back, whatever the body',
    rules: () => ({ onKeyReuse: () => 'replay' }),
    findings: ['send.conflict-is-refused failed'],
  },
  {
    name: 'keys are forgotten at once',
    rules: () => ({ recordsKey: () => false }),
    findings: ['send.conflict-is-refused failed'],
  },
  {
    name: 'a conflict is answered with 422',
    rules: () => ({
      statusOfRefusal: (kind, route) =>
        kind === 'conflict' ? 422 : contractRules.statusOfRefusal(kind, route),
    }),
    findings: ['send.conflict-status-409 warned'],
  },
  {
    name: 'a reused key is refused, and its body stored all the same',
    rules: () => ({ storesConflictingSend: () => true }),
    findings: ['send.conflict-stores-nothing failed'],
  },
  {
    name: 'a key is looked at before the message is stored, and nobody waits in between',
    rules: () => ({ onKeyInFlight: () => 'ignore', pauseBeforeCommitMs: () => 20 }),
    findings: ['send.concurrent-conflict-stores-one warned'],
  },
  {
    name: 'the same send again is a conflict',
    rules: () => ({ onKeyReuse: () => 'conflict' }),
    findings: ['send.equal-replay-is-no-conflict warned'],
  },
  {
    name: 'the same send again is stored again',
    rules: () => ({ onKeyReuse: ({ fingerprint }, again) => (fingerprint === again ? 'apply' : 'conflict') }),
    findings: ['send.retry-stores-once warned'],
  },
  {
    name: 'content is counted in UTF-16 units',
    rules: () => ({ contentBytes: (content) => content.length }),
    findings: ['send.content-bytes failed'],
    only: large,
  },
  {
    name: 'content is counted in characters',
    rules: () => ({ contentBytes: (content) => Array.from(content).length }),
    findings: ['send.content-bytes failed'],
    only: large,
  },
  {
    name: 'content is counted as JSON spells it',
    rules: () => ({ contentBytes: (content) => Buffer.byteLength(JSON.stringify(content)) - 2 }),
    findings: ['send.content-bytes failed'],
    only: large,
  },
  {
    name: 'one byte too many is taken',
    rules: () => ({ maxContentBytes: () => 500_001 }),
    findings: ['send.content-bytes failed'],
    only: large,
  },
  {
    name: 'the last byte is not taken',
    rules: () => ({ maxContentBytes: () => 499_999 }),
    findings: ['send.content-bytes failed'],
    only: large,
  },
  {
    name: 'empty content is taken',
    rules: () => ({
      minContentBytes: () => 0,
      sizeBytes: (content) => Math.max(1, Buffer.byteLength(content)),
    }),
    findings: ['send.content-not-empty failed'],
  },
  {
    name: 'one byte is not enough',
    rules: () => ({ minContentBytes: () => 2 }),
    findings: ['send.content-not-empty failed'],
  },
  {
    name: 'white space counts for nothing',
    rules: () => ({ contentBytes: (content) => Buffer.byteLength(content.trim()) }),
    findings: ['send.blank-content-accepted warned'],
  },
  {
    name: 'a message of one byte is accepted and lost',
    rules: () => ({ listsAcceptedSend: (content) => content.length > 1 }),
    findings: ['service.sent-is-readable failed'],
  },
  {
    name: 'a high surrogate alone is taken',
    rules: () => ({ acceptsSurrogates: (content) => !/(?<![\ud800-\udbff])[\udc00-\udfff]/.test(content) }),
    findings: ['send.lone-surrogates-refused failed'],
  },
  {
    name: 'a low surrogate alone is taken',
    rules: () => ({ acceptsSurrogates: (content) => !/[\ud800-\udbff](?![\udc00-\udfff])/.test(content) }),
    findings: ['send.lone-surrogates-refused failed'],
  },
  {
    name: 'surrogates are counted, not paired',
    rules: () => ({
      acceptsSurrogates: (content) =>
        content.match(/[\ud800-\udbff]/g)?.length === content.match(/[\udc00-\udfff]/g)?.length,
    }),
    findings: ['send.lone-surrogates-refused failed'],
  },
  {
    name: 'a surrogate alone is taken at the end of a text',
    rules: () => ({ acceptsSurrogates: (content) => !/\p{Surrogate}(?!$)/u.test(content) }),
    findings: ['send.lone-surrogates-refused failed'],
  },
  {
    name: 'U+0000 is taken inside a text',
    rules: () => ({ acceptsNul: (content) => !/^\0|\0$/.test(content) }),
    findings: ['send.nul-refused failed'],
  },
  {
    name: 'what is no text is taken',
    rules: () => ({ readText: (_field, value) => (value === undefined ? value : asText(value)) }),
    only: ['send.content-that-is-a-list-or-an-object-is-refused'],
    findings: ['send.content.type failed'],
  },
  {
    name: 'a number, a boolean and null are taken as text',
    rules: () => ({
      readText: (_field, value) =>
        value === undefined || (typeof value === 'object' && value !== null) ? undefined : asText(value),
    }),
    only: ['send.content-that-is-a-scalar-is-refused', 'send.content-that-is-a-list-or-an-object-is-refused'],
    findings: ['send.content.scalars-refused warned'],
  },
  {
    name: 'no text at all is taken',
    rules: () => ({ readText: (_field, value) => (value === undefined ? 'no text' : asText(value)) }),
    only: ['send.body-without-content-is-refused'],
    findings: ['send.content.required warned'],
  },
  {
    name: 'a content type that is no string is taken',
    rules: () => ({ readText: (field, value) => (field === 'content' ? onlyText(value) : asText(value)) }),
    findings: ['send.content-type.type warned'],
  },
  {
    name: 'what is refused is stored all the same',
    // An empty content, a bad host or too many targets that are stored would break the schema of what is read as well.
    rules: () => ({
      storesRefusedSend: ({ message }) => !/empty|agent_host|more than/.test(message),
    }),
    findings: ['send.refused-stores-nothing failed'],
  },
  {
    name: 'a message is listed in every channel',
    rules: () => ({ channelsOfMessage: (_channelId, allChannelIds) => allChannelIds() }),
    findings: ['send.to-the-named-channel failed'],
  },
  {
    name: 'a message is listed in the other channels alone',
    rules: () => ({
      channelsOfMessage: (channelId, allChannelIds) => allChannelIds().filter((id) => id !== channelId),
    }),
    findings: ['send.to-the-named-channel failed'],
  },
  {
    name: 'a message comes before one that was read',
    rules: () => ({
      firstChannelSequence: () => 2n,
      nextChannelSequence: placesOf(1n),
    }),
    only: ['send.later-messages-are-appended'],
    findings: ['send.appends failed'],
  },
  {
    name: 'messages that follow each other closely change places',
    rules: () => ({ nextChannelSequence: placesOf(2n, 4n, 3n) }),
    only: ['send.later-messages-are-appended'],
    findings: ['send.acknowledged-order warned'],
  },
  {
    name: 'a channel that does not exist is sent to',
    answer: saysYes,
    only: ['send.unknown-channel-is-refused'],
    findings: ['send.unknown-channel warned'],
  },
  {
    name: '21 targets are taken',
    rules: () => ({ maxMentions: () => 21 }),
    findings: ['send.mentions-over-limit warned'],
  },
  {
    name: '21 files are taken',
    rules: () => ({ maxAttachments: () => 21 }),
    findings: ['message.attachments.max failed', 'send.attachments-over-limit warned'],
  },
];

const caught = new Set<string>();

describe('sending, with one thing broken', () => {
  it.each(broken)('is found by its clause alone: $name', async (how) => {
    const run = await runBroken(sendChecks, how);
    for (const id of caughtBy(run)) caught.add(id);
    expect(findingsOf(run)).toEqual(how.findings);
  });

  it('has no check that nothing broken makes fail', () => {
    expect(sendChecks.map(({ id }) => id).filter((id) => !caught.has(id))).toEqual([]);
  });
});

describe('sending, by the contract', () => {
  it('passes every check', async () => {
    const run = await runAgainst(sendChecks);
    expect(notPassed(run)).toEqual([]);
    expect(findingsOf(run)).toEqual([]);
  });
});
