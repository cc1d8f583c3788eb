import { describe, it, vi } from 'vitest';
import { mutantNamed } from '../../selftest/mutants/index.ts';
import { startReference } from '../../reference/index.ts';
import { everybody, foundUntil } from './campaigns.ts';

// Each is a campaign that is read back chapter by chapter, beside those of other files.
vi.setConfig({ testTimeout: 180_000 });

/** Mutants that one answer shows by itself, and a family whose first cases show them. */
const broken = [
  ['listing-descends', 'mentions', 60],
  ['listing-descends-without-a-cursor', 'mentions', 60],
  ['mentions-share-a-number', 'mentions', 60],
  ['listing-repeats-its-first', 'mentions', 60],
  ['limit-is-one-more', 'mentions', 60],
  ['default-limit-is-100', 'mentions', 60],
  ['mentions-next-after-is-before-the-last', 'mentions', 60],
  ['mentions-watermark-is-zero', 'mentions', 60],
  ['mention-has-an-id-of-its-own', 'mentions', 60],
  ['own-messages-reach', 'mentions', 60],
  ['listing-groups-by-channel', 'mentions', 60],
  ['override-is-403', 'mentions', 120],
  ['listing-holds-a-foreign-message', 'mentions', 200],
  ['message-channel-is-another', 'mentions', 60],
  ['partial-listing-is-206', 'mentions', 60],
  ['cursor-0-is-a-conflict', 'mentions', 60],
  ['mentions-mention-target-kind-is-unknown', 'mentions', 60],
  ['read-descends', 'read', 60],
  ['channel-cursor-is-inclusive', 'read', 120],
  ['channel-message-workspace-is-another', 'read', 60],
  ['every-id-is-the-channel-s', 'read', 60],
  ['read-limit-is-one-more', 'read', 60],
  ['wait-is-unknown', 'read', 60],
  ['channels-that-are-not-default', 'overview', 30],
  ['workspace-has-another-id', 'overview', 30],
  ['channel-of-another-workspace', 'overview', 30],
  ['channels-list-is-empty', 'authentication', 60],
  ['api-key-refused-by-read', 'authentication', 500],
  ['receipts-admits-missing', 'authentication', 120],
  ['messages-are-stored-twice', 'send', 60],
  ['host-is-cut', 'send', 500],
  ['first-target-is-kept', 'send', 500],
  ['counts-trimmed', 'send', 1_000],
  ['takes-new-and-shows-it', 'source-session', 250],
  ['takes-new', 'source-session', 250],
  ['takes-more-fields', 'source-session', 250],
  ['takes-empty', 'send', 150],
  ['takes-lone-surrogates', 'send', 480],
  ['takes-a-list-as-content', 'send', 150],
  ['drops-accents', 'send', 480],
  ['refused-is-stored', 'send', 150],
  ['one-byte-texts-are-forgotten', 'send', 640],
  ['content-type-is-markdown', 'send', 100],
  ['read-message-content-is-null', 'send', 640],
  ['size-is-one-more', 'send', 150],
  ['bad-bodies-are-500', 'wire', 150],
  ['after-may-be-negative', 'mentions', 200],
  ['bad-parameters-are-409', 'mentions', 150],
  ['no-agent-id', 'mentions', 60],
  ['refusal-api-error-error-has-another-field', 'mentions', 60],
  ['overview-by-anything', 'overview', 45],
  ['unknown-is-forbidden', 'authentication', 260],
  ['callers-are-no-members', 'overview', 30],
  ['polls-wait-for-messages-that-are-there', 'read', 400],
] as const;

/** Mutants that refuse the baseline request of a call. */
const refusing = [
  'limit-starts-at-two',
  'limit-is-needed',
  'after-is-needed',
  'keys-are-refused',
  'keys-have-ten-characters',
  'accepted-is-400',
  'accepted-is-302',
  'sends-are-elsewhere',
  'read-is-404',
  'read-cursor-0-is-a-conflict',
  'agent-token-refused-by-send',
  'channels-list-is-404',
  'overview-is-403-the-second-time',
] as const;

async function namedAt(
  id: string,
  only: readonly (typeof broken)[number][1][],
  maxCases: number,
): Promise<string> {
  const mutant = mutantNamed(id);
  await using reference = await startReference(mutant.options());
  const wanted = `${mutant.clause} ${mutant.level === 'must' ? 'failed' : 'warned'}`;
  const found = await foundUntil(wanted, reference, { only, maxCases, target: everybody });
  return found.includes(wanted) ? 'named' : `${wanted} is not among ${found.join(', ')}`;
}

/** Of every twelve mutants `npm test` tries one, and the night the others. */
export function describeShown(isOwn: (index: number) => boolean): void {
  describe.concurrent('what one answer shows by itself is found', () => {
    it.for(broken.filter((_, index) => isOwn(index)))('%s', async ([id, family, maxCases], { expect }) => {
      expect(await namedAt(id, [family], maxCases)).toBe('named');
    });
  });

  describe.concurrent('a baseline request that is refused is a finding', () => {
    it.for(refusing.filter((_, index) => isOwn(index)))('%s', async (id, { expect }) => {
      expect(await namedAt(id, [], 60)).toBe('named');
    });
  });
}
