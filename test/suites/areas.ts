import { describe, expect, it } from 'vitest';
import { areaOf, type Check } from '../../harness/check/check.ts';
import { schemaMutants, writtenMutants, type Mutant } from '../../selftest/mutants/index.ts';
import { observeHere } from '../../selftest/run/observe.ts';
import { cheapAmong } from '../../selftest/run/sample.ts';
import { grouped } from '../../spec/groups.ts';
import { mutantServer } from '../../selftest/servers/server.ts';
import { allChecks } from '../../suites/index.ts';

/** What else the mutants may be seen to break whose fault shows in two places, or in what comes of it. */
const alongside: Readonly<Record<string, readonly string[]>> = {
  'empty-listing-is-204': ['service.bodies-are-json failed'],
  'host-of-81-is-taken': ['author.agent-host.length failed'],
  'no-access-is-401': ['auth.www-authenticate failed'],
  'no-access-to-mentions-is-401': ['auth.www-authenticate failed'],
  'takes-empty': ['message.size-bytes.min failed'],
  // However it is spelled.
  'limit-is-one-too-low': ['send.content-in-long-spelling-accepted warned'],
  'bad-parameters-are-422': ['mentions.error-statuses failed'],
  'mentions-are-elsewhere': ['mentions.error-statuses failed'],
  'message-has-the-number-of-the-event': [
    'channel-read.walk-is-complete failed',
    'channel-read.nothing-returns warned',
    'channel-read.reads-are-monotonic warned',
    'channel-read.reads-own-writes warned',
    'channel-read.recency warned',
    'page.has-more-while-items-remain failed',
    'page.high-watermark-covers-the-page warned',
    'page.next-after-not-behind-items failed',
  ],
  'restart-puts-another-in-the-place-of-the-newest': ['channel-read.restart-reuses-no-sequence failed'],
  'restart-forgets-receipts': ['receipts.agent-ids.earlier-is-a-prefix warned'],
  'author-is-looked-up': ['human-user.display-name.captured-at-write failed'],
  'conflict-is-stored': ['message.content.unaltered failed', 'send.stored-once warned'],
  'files-stay-in-the-first-channel': [
    'mentions.feed-agrees-with-channel failed',
    'message.attachments.captured failed',
  ],
  'channels-leave-with-an-agent': ['channels-list.lists-a-known-one warned'],
  'deleted-attachments-are-dropped': [
    'mentions.feed-agrees-with-channel failed',
    'message.attachments.captured failed',
  ],
  // An agent that has joined no channel is reached in none.
  // In a workspace of their own those who have joined nothing hear of nobody.
  'joined-channels-only': [
    'mentions.matches-agent-target failed',
    'mentions.matches-human-target failed',
    'mentions.matches-machine-target failed',
    'mentions.peers-reach-each-other warned',
  ],
  'names-in-the-text-mention': ['mentions.broadcasts-excluded failed'],
  'cursor-is-compared-with-the-message': [
    'mentions.cursor-never-skips failed',
    'mentions.walk-is-complete failed',
  ],
  'mention-has-the-number-of-its-message': [
    'mentions.after.exclusive failed',
    'mentions.no-duplicate-sequence failed',
    'mentions.sequence-names-one-mention failed',
  ],
  'human-targets-are-dropped': [
    'mentions.broadcasts-excluded failed',
    'mentions.other-targets-excluded failed',
  ],
  'targets-are-dropped': ['mentions.broadcasts-excluded failed'],
  'agent-id-is-of-the-human': ['author.is-the-agent failed', 'mentions.other-targets-excluded failed'],
  'restart-numbers-anew': [
    'channel-read.survives-a-restart warned',
    'page.high-watermark-never-falls warned',
  ],
  'drops-nul': ['message.size-bytes.is-utf8-length warned', 'send.refused-stores-nothing failed'],
  'api-key-refused-by-send': [
    'author.is-the-agent failed',
    'send.refused-stores-nothing failed',
    'send.retry-stores-once warned',
  ],
  'read-message-list-page-high-watermark-is-below-its-minimum': [
    'page.high-watermark-covers-the-page warned',
  ],
  'read-message-author-agent-host-is-too-long': [
    'mentions.feed-agrees-with-channel failed',
    'message.optional-fields-in-every-view warned',
  ],
  'read-mention-target-id-is-a-number': [
    'mentions.feed-agrees-with-channel failed',
    'message.mentions.captured failed',
  ],
};

/** A mutant for each corner of the contract that all checks together blame for nothing else. */
const blamedAlone = [
  'no-challenge',
  'composes',
  'nul-is-stored',
  'mentions-cursor-is-inclusive',
  'default-limit-is-49',
  'human-targets-are-dropped',
  'former-members-are-listed',
];

/** The first mutant of each clause that checks alone decide; the self-test has the others. */
const sample = [...grouped(writtenMutants, ({ clause }) => clause).values()].flatMap(([mutant]) => {
  const isOne = (each: string): boolean => each === mutant?.clause;
  // Judges of a history name all that a fault breaks.
  if (allChecks.some(({ arranges }) => arranges.some(isOne))) return [];
  const deciding = allChecks.filter(({ clauses }) => clauses.some(isOne));
  const [first] = deciding;
  return mutant === undefined || first === undefined || mutant.refuses !== undefined
    ? []
    : [{ ...mutant, area: areaOf(first), deciding }];
});

const small = allChecks.filter((check) => areaOf(check) === 'message' && check.bodyBytes === 0);
const malformed = schemaMutants
  .filter(({ id }) => /^read-(?:message|workspace-file|mention-target)-/.test(id))
  .filter((_, index) => index % 16 === 0);

/** Of each list of mutants the first is asked about with every change, the others at night. */
type Part = 'first' | 'others';

function partOf<Item>(items: readonly Item[], part: Part): readonly Item[] {
  return part === 'first' ? items.slice(0, 1) : items.slice(1);
}

/** Holds checks against mutants: that they name the broken clause and no other. */
export function testAreas(part: Part): void {
  const byArea = [...grouped(sample, ({ area }) => area)]
    .map(([area, mutants]) => [area, partOf(mutants, part)] as const)
    .filter(([, mutants]) => mutants.length > 0);

  describe.each(byArea)('the checks of %s', (_, mutants) => {
    // A busy machine hides a delay of 80 ms; a check that cannot fail does not fail at a retry either.
    it.concurrent.each(mutants)(
      'name $clause alone where $what',
      { retry: 2 },
      async ({ deciding, ...mutant }) => {
        expect(await foundBy(deciding, mutant)).toEqual([ownOf(mutant)]);
      },
    );
  });

  describe('a malformed message', () => {
    it.concurrent.each(partOf(malformed, part))('is held against $clause alone: $id', async (mutant) => {
      expect(await foundBy(small, mutant)).toEqual([ownOf(mutant)]);
    });
  });
}

/** Holds all checks together against mutants: none names another clause. */
export function testAllTogether(): void {
  describe('all checks together', () => {
    const alone = blamedAlone.flatMap((id) => writtenMutants.filter((mutant) => mutant.id === id));

    it.each(alone)('name $clause alone where $what', async (mutant) =>
      expect(await foundBy(cheapAmong(allChecks), mutant)).toEqual([ownOf(mutant)]),
    );
  });
}

/** What is found, but for what is known to show the same fault; and nothing that only the history tells. */
async function foundBy(checks: readonly Check[], mutant: Mutant): Promise<string[]> {
  const { found, hidden } = await observeHere(mutantServer(mutant), checks);
  expect(hidden).toEqual([]);
  const others = alongside[mutant.id] ?? [];
  return found.map(({ clause, verdict }) => `${clause} ${verdict}`).filter((each) => !others.includes(each));
}

function ownOf({ clause, level }: Mutant): string {
  return `${clause} ${level === 'must' ? 'failed' : 'warned'}`;
}
