import { describe, expect, it } from 'vitest';
import { contractRules } from '../../../reference/index.ts';
import type { Rules } from '../../../reference/index.ts';
import { messageChecks } from '../../../suites/message/index.ts';
import { sendChecks } from '../../../suites/send/index.ts';
import { findingsOf, notPassed, runAgainst } from '../run-suite.ts';
import type { ReferenceOptions, SuiteRun } from '../run-suite.ts';

const settleMs = 150;
const lagMs = 100;

interface Freedom {
  readonly name: string;
  readonly rules?: Partial<Rules>;
  readonly settings?: ReferenceOptions['settings'];
  readonly answer?: NonNullable<ReferenceOptions['answer']>;
  /** Warnings that a suspicious but allowed behaviour earns. */
  readonly warned?: readonly string[];
}

/** Checks need not all be arranged against these; none may find a fault. */
const hindrances: readonly Freedom[] = [
  {
    name: 'replicas of different age',
    rules: { snapshotAgeMs: () => Math.random() * lagMs },
  },
  {
    name: 'plain text the only content type',
    rules: { acceptsContentType: (contentType) => contentType === 'text/plain' },
  },
  { name: 'the newest 25 messages of a channel kept', settings: { keepPerChannel: 25 } },
  { name: 'the newest 6 messages of an author kept', settings: { keepPerAuthor: 6 } },
  { name: '40 requests a second', settings: { requestsPerSecond: 40 } },
  {
    name: 'conflicts of status 422',
    rules: {
      statusOfRefusal: (kind, route) =>
        kind === 'conflict' ? 422 : contractRules.statusOfRefusal(kind, route),
    },
    warned: ['send.conflict-status-409 warned'],
  },
];

const freedoms: readonly Freedom[] = [
  { name: 'gaps between sequences', rules: { nextChannelSequence: (last) => last + 7n } },
  { name: 'sequences beyond 2^53', rules: { firstChannelSequence: () => 2n ** 60n } },
  {
    name: 'one counter for channels and mentions',
    rules: {
      firstChannelSequence: () => 1_000_000n,
      nextChannelSequence: (_last, event) => event + 1_000_000n,
    },
  },
  { name: 'one message a page', rules: { fitsOnPage: ({ count }) => count === 0 } },
  {
    name: 'has_more on every full page',
    rules: { hasMore: ({ isMoreAbove, entries }) => isMoreAbove || entries.length > 0 },
  },
  {
    name: 'messages that show a while after their answer',
    rules: { commitDelayMs: () => lagMs, statusOfSend: () => 202 },
  },
  {
    name: 'answers of 204 without a body',
    answer: (answer, { route }) =>
      route === 'send' && answer.status === 201 ? { status: 204, headers: {} } : undefined,
  },
  { name: 'answers of 200 to a send', rules: { statusOfSend: () => 200 } },
  {
    name: 'an equal replay answered with 200',
    rules: { statusOfSend: (isReplay) => (isReplay ? 200 : 201) },
  },
  {
    name: 'an in-flight key that conflicts',
    rules: { onKeyInFlight: () => 'conflict', pauseBeforeCommitMs: () => 5 },
  },
  {
    name: 'keys that count for the workspace',
    rules: { idempotencyScope: ({ workspaceId }) => workspaceId },
  },
  { name: 'sends without a key taken', rules: { requiresIdempotencyKey: () => false } },
  { name: 'unknown fields of a send ignored', rules: { acceptsField: () => true } },
  {
    name: 'any media type of a body taken',
    rules: { acceptsMediaType: () => true, acceptsIllFormedUtf8: () => true },
  },
  {
    name: 'refusals of content with 422',
    rules: {
      statusOfRefusal: (kind, route) =>
        kind === 'invalid' ? 422 : contractRules.statusOfRefusal(kind, route),
    },
  },
  { name: 'messages without receipts', rules: { presentReceipts: () => undefined } },
  {
    name: 'targets sorted by id',
    rules: { presentTargets: (targets) => targets.toSorted((left, right) => (left.id < right.id ? -1 : 1)) },
  },
  { name: 'repeated targets kept', rules: { capturedTargets: (targets) => [...targets] } },
  { name: 'targets that nobody knows taken', rules: { acceptsTarget: () => true } },
  {
    name: 'fields left out where they are empty',
    rules: {
      presentMessage: ({ mentions, attachments, receipts: _receipts, ...message }) => ({
        ...message,
        ...(mentions?.length ? { mentions } : {}),
        ...(attachments?.length ? { attachments } : {}),
      }),
    },
  },
  {
    name: 'creation times of whole seconds',
    rules: { createdAtMs: (nowMs) => Math.floor(nowMs / 1000) * 1000 },
  },
  {
    name: 'a cursor above the watermark is a conflict',
    rules: { conflictsWithWatermark: ({ after, streamEnd }) => after > streamEnd },
  },
  { name: 'answers compressed', rules: { contentCoding: () => 'gzip' } },
];

/** Everything small, against a reference with a freedom. */
function runWith({ rules, settings, answer }: Freedom): Promise<SuiteRun> {
  return runAgainst(
    [...sendChecks, ...messageChecks].filter(({ bodyBytes }) => bodyBytes === 0),
    { rules: { ...contractRules, ...rules }, ...(settings && { settings }), ...(answer && { answer }) },
    { target: (target) => ({ ...target, settleMs }) },
  );
}

describe('a server that uses a freedom of the contract', () => {
  it.each(freedoms)('passes: $name', async (freedom) => {
    const run = await runWith(freedom);
    expect(findingsOf(run)).toEqual([]);
    expect(notPassed(run)).toEqual([]);
  });

  it.each(hindrances)(
    'is not failed: $name',
    async (freedom) => {
      const run = await runWith(freedom);
      expect(findingsOf(run)).toEqual(freedom.warned ?? []);
      expect(run.footer.end).toBe('complete');
    },
    30_000,
  );
});
