import { describe, expect, it } from 'vitest';
import { mutants } from '../../../selftest/mutants/index.ts';
import type { MutantOptions } from '../../../selftest/mutants/index.ts';
import { mutant } from '../../../selftest/mutants/base/mutant.ts';
import { refusal, spoilSuccess } from '../../../selftest/mutants/base/spoil-answer.ts';
import { mentionsChecks as everyMentionsChecks } from '../../../suites/mentions/index.ts';
import { runAgainst } from '../run-suite.ts';
import { withoutOperator } from '../operator-checks.ts';

const mentionsChecks = withoutOperator(everyMentionsChecks);

/** For every check a broken server that it finds by itself, and names by one clause. */
const caughtBy: Readonly<Record<string, string>> = {
  'mentions.success-is-200': 'listing-is-201',
  'mentions.page-with-more-after-it-is-200': 'listing-is-201',
  'mentions.empty-listing-is-a-success': 'empty-listing-is-204',
  'mentions.agent-id-is-constant': 'agent-id-is-constant',
  'mentions.agent-id-names-the-caller': 'agent-id-is-constant',
  'mentions.limit-may-be-left-out': 'limit-is-needed',
  'mentions.after-of-a-word-is-refused': 'after-may-be-a-word',
  'mentions.after-of-a-fraction-is-refused': 'after-may-be-a-word',
  'mentions.after-of-digits-and-more-is-refused': 'after-may-be-a-word',
  'mentions.after-of-minus-one-is-refused': 'after-may-be-negative',
  'mentions.limit-of-a-word-is-refused': 'limit-may-be-a-word',
  'mentions.limit-of-a-fraction-is-refused': 'limit-may-be-a-word',
  'mentions.limit-of-digits-and-more-is-refused': 'limit-may-be-a-word',
  'mentions.limit-of-minus-one-is-refused': 'limit-may-be-negative',
  'mentions.limit-of-zero-is-refused': 'limit-may-be-zero',
  'mentions.limit-of-101-is-refused': 'limit-is-clamped',
  'mentions.limit-of-a-thousand-is-refused': 'limit-is-clamped',
  'mentions.limit-of-a-hundred-is-taken': 'limit-ends-at-99',
  'mentions.unsupported-parameter-is-400': 'ignores-unknown-parameters',
  'mentions.parameter-agent-id-does-not-change-the-recipient': 'obeys-agent-id',
  'mentions.parameter-agent-does-not-change-the-recipient': 'obeys-agent',
  'mentions.parameter-recipient-does-not-change-the-recipient': 'obeys-recipient',
  'mentions.parameter-recipient-id-does-not-change-the-recipient': 'obeys-recipient-id',
  'mentions.parameter-target-id-does-not-change-the-recipient': 'obeys-target-id',
  'mentions.parameter-as-does-not-change-the-recipient': 'obeys-as',
  'mentions.parameter-for-does-not-change-the-recipient': 'obeys-for',
  'mentions.parameter-mentioned-does-not-change-the-recipient': 'obeys-mentioned',
  'mentions.parameter-user-id-does-not-change-the-recipient': 'obeys-user-id',
  'mentions.parameter-human-user-id-does-not-change-the-recipient': 'obeys-human-user-id',
  'mentions.parameter-machine-id-does-not-change-the-recipient': 'ignores-overrides',
  'mentions.parameter-workspace-id-does-not-change-the-workspace': 'obeys-workspace-id',
  'mentions.parameter-workspace-does-not-change-the-workspace': 'obeys-workspace',
  'mentions.parameter-tenant-id-does-not-change-the-workspace': 'obeys-tenant-id',
  'mentions.parameter-team-id-does-not-change-the-workspace': 'obeys-team-id',
  'mentions.parameter-org-id-does-not-change-the-workspace': 'obeys-org-id',
  'mentions.naming-the-agent-is-listed': 'only-the-first-target',
  'mentions.naming-the-human-is-listed': 'no-human-targets',
  'mentions.naming-the-machine-is-listed': 'no-machine-targets',
  'mentions.own-messages-are-not-listed': 'own-messages-reach',
  'mentions.broadcasts-are-not-listed': 'broadcasts-reach',
  'mentions.names-in-the-text-are-not-listed': 'names-in-the-text-mention',
  'mentions.naming-others-is-not-listed': 'mentions-reach-everybody',
  'mentions.naming-a-fellow-agent-is-not-listed': 'mentions-reach-everybody',
  'mentions.message-naming-the-caller-twice-shares-no-sequence': 'mentions-share-a-number',
  'mentions.other-channels-are-covered': 'joined-channels-only',
  'mentions.channels-share-one-numbering': 'mention-has-the-number-of-its-message',
  'mentions.pages-ascend-across-channels': 'listing-descends',
  'mentions.after-is-compared-with-mention-sequences': 'cursor-is-compared-with-the-message',
  'mentions.other-workspaces-are-not-listed': 'foreign-mentions-reach',
  'mentions.pages-ascend': 'listing-descends',
  'mentions.newest-page-ascends': 'listing-descends-without-a-cursor',
  'mentions.sequences-are-distinct': 'mentions-share-a-number',
  'mentions.newest-page-has-the-newest': 'oldest-page-without-a-cursor',
  'mentions.after-zero-starts-at-the-oldest': 'zero-is-like-none',
  'mentions.cursor-is-exclusive': 'mentions-cursor-is-inclusive',
  'mentions.walk-misses-nothing': 'mentions-next-after-is-too-far-between-pages',
  'mentions.cursor-never-skips': 'late-mentions',
  'mentions.issued-cursors-meet-no-conflict': 'cursor-at-the-watermark-is-a-conflict',
  'mentions.no-more-than-the-limit': 'limit-is-one-more',
  'mentions.default-limit-is-50': 'default-limit-is-49',
  'mentions.has-more-while-items-remain': 'mentions-has-more-is-false',
  'mentions.next-cursor-moves-on': 'mentions-next-after-stays',
  'mentions.next-cursor-covers-its-page': 'mentions-next-after-is-before-the-last',
  'mentions.next-cursor-never-falls-back': 'mentions-empty-page-goes-back',
  'mentions.watermark-covers-the-page': 'mentions-watermark-is-zero',
  'mentions.watermark-never-falls': 'mentions-watermark-follows-the-page',
  'mentions.id-is-the-message-id': 'mention-has-the-id-of-the-author',
  'mentions.message-reads-as-in-its-channel': 'listed-content-is-a-preview',
  'mentions.attached-files-read-as-in-their-channel': 'listed-content-is-a-short-preview',
  'mentions.feeds-agree-on-the-order': 'feeds-count-by-target',
  'mentions.keep-their-sequence': 'mention-is-renumbered',
  'mentions.sequence-names-one-mention': 'number-stands-for-another-mention',
  'mentions.message-naming-the-caller-once-is-listed-once': 'one-mention-has-two-numbers',
  'mentions.later-listings-keep-what-was-listed': 'lagging-listings',
  'mentions.no-more-than-a-hundred': 'limit-100-is-101',
  'mentions.sessions-read-as-in-their-channel': 'listed-source-session-is-left-out',
  'mentions.do-not-vanish': 'third-mentions-vanish',
  'mentions.listing-records-no-retrieval': 'listing-records-retrieval',
  'mentions.listing-acknowledges-nothing': 'reading-consumes',
  'mentions.cut-page-is-continued': 'large-message-blocks-the-channel',
  'mentions.cut-first-page-is-continued': 'cut-newest-page-is-passed-over',
  'mentions.after-zero-starts-no-later-than-after-one': 'zero-skips-the-oldest',
  'mentions.after-may-be-left-out': 'ten-without-a-cursor-are-refused',
  'mentions.limit-of-one-is-taken': 'one-from-the-oldest-is-refused',
  'mentions.listed-messages-are-of-the-workspace': 'listing-holds-a-foreign-message',
};

/** Broken where only one check looks: a server that is broken throughout is turned away before any check. */
const narrow = [
  mutant(
    'ten-without-a-cursor-are-refused',
    'mentions.after.optional',
    'a listing of ten without a cursor is refused',
    {
      answer: spoilSuccess('mentions', (answer, { query }) =>
        query['after'] === undefined && query['limit'] === '10' ? refusal(400) : answer,
      ),
    },
  ),
  mutant('one-from-the-oldest-is-refused', 'mentions.limit.min', 'a limit of 1 from 0 on is refused', {
    answer: spoilSuccess('mentions', (answer, { query }) =>
      query['after'] === '0' && query['limit'] === '1' ? refusal(400) : answer,
    ),
  }),
];

const servers = [...mutants, ...narrow];

function optionsOf(id: string): { clause: string; verdict: string; options: MutantOptions } {
  const broken = servers.find((each) => each.id === id);
  if (broken === undefined) throw new Error(`there is no mutant ${id}`);
  return {
    clause: broken.clause,
    verdict: broken.level === 'must' ? 'failed' : 'warned',
    options: broken.options(),
  };
}

describe('every check of the mentions call', () => {
  it('has a broken server that it finds', () => {
    expect(Object.keys(caughtBy).toSorted()).toEqual(mentionsChecks.map(({ id }) => id).toSorted());
  });

  it.concurrent.each(mentionsChecks.map(({ id }) => ({ id, server: caughtBy[id] ?? '' })))(
    '$id finds $server, and names one clause',
    async ({ id, server }) => {
      const { clause, verdict, options } = optionsOf(server);
      const checks = mentionsChecks.filter((each) => each.id === id);
      const { findings } = await runAgainst(checks, options);
      const named = findings.filter(({ check }) => check === id);
      expect(named.map((finding) => `${finding.clause} ${finding.verdict}`)).toEqual([
        `${clause} ${verdict}`,
      ]);
    },
  );
});
