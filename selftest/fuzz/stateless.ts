import { accessCellMutants } from '../mutants/access/access-cell-mutants.ts';
import { oddRequestMutants } from '../mutants/access/odd-request-mutants.ts';
import { besideMutants } from '../mutants/beside-mutants.ts';
import { lagMutants } from '../mutants/access/lag-mutants.ts';
import { wakingMutants } from '../mutants/cells/waking-mutants.ts';
import { cellMutants, type Mutant } from '../mutants/index.ts';
import { type ClauseId, clauseOf } from '../../spec/index.ts';

/**
 * A mutant is stateless when there is one request whose answer alone shows that its clause is broken, to whoever knows the
 * request, the target file and the contract. Of a send, the message itself counts as its answer too, as its channel shows it
 * afterwards. The channels of the target hold messages and its feed holds mentions; nothing is known of those beforehand.
 *
 * Every mutant is stateless unless one of these reasons speaks against it.
 */
export const reasonsAgainst = {
  operator:
    'only the operator of the service can bring it about: the clause needs a hook, which sequences call',
  'unshown call':
    'it shows in a call, or after one, whose requests and answers the contract does not show; sequences report what they were shown',
  'no file':
    'it shows in an attached file: no call that the contract shows makes one, and a hook does, which sequences call',
  preflight: 'it refuses a good credential in every call that takes it, so that no campaign begins',
  'several answers':
    'no answer is wrong by itself: two or more, or what else was sent before, have to be compared, which the judges of a chapter may do',
  'one cell':
    'it breaks a rule in one of many situations: a campaign of random requests comes by each of them in time, or not',
  'long body': 'it refuses a body for its length alone, which a campaign leaves open and a run warns of',
  'unknown to the target':
    'the request would have to name something that only another answer, or another target, tells',
} as const;
export type ReasonAgainst = keyof typeof reasonsAgainst;

/** Reasons by which a mutant need not be found and may be: it is no mistake here where a campaign comes by one. */
export const mayBeFound: ReadonlySet<ReasonAgainst> = new Set([
  'operator',
  'unshown call',
  'no file',
  'several answers',
  'one cell',
]);

/** Why a campaign of single requests need not find a mutant; `undefined` when it has to. */
export function reasonAgainst(mutant: Mutant): ReasonAgainst | undefined {
  const { id, clause, refuses } = mutant;
  if (ofOneCell.has(id)) return 'one cell';
  if (refuses !== undefined) return 'preflight';
  if ('schema' in mutant && mutant.schema === 'workspace-file') return 'no file';
  return reasonOfNeeds(clause) ?? mutantsApart[id] ?? (comparing.has(clause) ? 'several answers' : undefined);
}

/** Made by tables: a rule in one situation, an access that lasts for one call after one way of ending it. */
const ofOneCell: ReadonlySet<string> = new Set(
  [
    ...cellMutants,
    ...accessCellMutants,
    ...lagMutants,
    ...besideMutants,
    ...oddRequestMutants,
    ...wakingMutants,
  ].map(({ id }) => id),
);

/** What the register says that a clause needs, where that is nothing which a single request has. */
function reasonOfNeeds(clause: ClauseId): ReasonAgainst | undefined {
  const needs: readonly string[] = clauseOf(clause).needs ?? [];
  if (needs.some((need) => need.endsWith('-hook'))) return 'operator';
  if (needs.some((need) => unshownCalls.has(need))) return 'unshown call';
  return needs.includes('attachments-binding') ? 'no file' : undefined;
}

const unshownCalls: ReadonlySet<string> = new Set([
  'report-receipt-binding',
  'list-receipts-binding',
  'file-binding',
  'discovery-binding',
]);

/** Clauses that speak of more than one answer. */
export const comparing: ReadonlySet<ClauseId> = new Set<ClauseId>([
  // A message, an author or a mention stays what it was, or is the same elsewhere.
  'message.immutable',
  'message.author.immutable',
  'message.sequence.channel-local',
  'author.is-the-agent',
  'author.agent-host.display-only',
  'source-session.grants-nothing',
  'receipts.client-reported',
  'service.served-requests-stay-served',
  'service.sends-are-served-or-refused',
  'message.mentions.every-kind-is-taken',
  'mention.sequence.workspace-wide',
  'mention.sequence.immutable',
  'mentions.sequence-names-one-mention',
  'mentions.feeds-agree-on-order',
  'mentions.feed-agrees-with-channel',
  'mentions.agent-id-header.is-the-caller',
  'mentions.agent-id-header.api-key-speaks-for',
  'channel-read.sequence-names-one-message',
  'service.channels-are-shared',
  // Pages that follow one another, or that overlap.
  'page.next-after-never-falls-back',
  'page.next-after-rises',
  'page.empty-page-moves-on',
  'page.has-more-while-items-remain',
  'page.has-more-ends-with-the-items',
  'page.high-watermark-never-falls',
  'limits.byte-cap-loses-nothing',
  'mentions.walk-is-complete',
  'mentions.shortened-first-page-continues',
  'mentions.newest-page',
  'mentions.cursor-never-skips',
  'mentions.after.zero-is-oldest',
  'mentions.after.counts-the-workspace',
  'channel-read.walk-is-complete',
  'channel-read.after-zero',
  'channel-read.cursor-never-skips',
  'channel-read.reads-repeat',
  'channel-read.reads-are-monotonic',
  'states.messages-do-not-vanish',
  'states.mentions-do-not-vanish',
  // Which messages a listing holds, or has to hold, hangs on what somebody sent and to whom.
  'mentions.matches-agent-target',
  'mentions.matches-human-target',
  'mentions.matches-machine-target',
  'mentions.across-channels',
  'mentions.only-explicit',
  'mentions.at-in-the-text',
  'mentions.broadcasts-excluded',
  'mentions.other-targets-excluded',
  'mentions.no-recipient-override',
  'mentions.no-workspace-override',
  'mentions.acknowledges-nothing',
  'mentions.records-no-retrieval',
  'mentions.recency',
  'mentions.empty-page',
  'channel-read.recency',
  'channel-read.reads-own-writes',
  'channel-read.nothing-unsent',
  'channel-read.wait-wakes',
  // Several sends.
  'send.parts-go-together',
  'send.conflict-is-refused',
  'send.conflict-status-409',
  'send.conflict-stores-nothing',
  'send.concurrent-conflict-stores-one',
  'send.equal-replay-is-no-conflict',
  'send.retry-stores-once',
  'send.distinct-keys-store-each',
  'send.similar-keys-are-different',
  'send.conflict-in-other-parts',
  'send.key-of-another-channel',
  'send.key-of-another-agent',
  'send.to-the-named-channel',
  'send.appends',
  'send.acknowledged-order',
]);

/** Mutants of a clause that others break in one answer. */
export const mutantsApart: Readonly<Record<string, ReasonAgainst>> = {
  'members-go-with-their-machines': 'several answers',
  'renamed-members-are-not-listed': 'several answers',
  'channels-with-a-conflict-are-not-listed': 'several answers',
  'members-of-one-name-are-one': 'several answers',
  'members-add-up': 'several answers',
  'who-left-is-never-listed-again': 'several answers',
  'sessions-are-carried-over': 'several answers',
  'an-equal-replay-is-listed-again': 'several answers',
  'bodies-over-1-mib-are-refused': 'long body',
  // Files, and reports of retrievals, lie where a target says.
  'api-key-refused-by-file': 'unshown call',
  'api-key-refused-by-fileContent': 'unshown call',
  'api-key-refused-by-reportReceipts': 'unshown call',
  // Which channels are beside the first, its list tells.
  'a-list-lacks-only-the-first-channel-for-strangers': 'unknown to the target',
  // The numbers of a feed, the end of a stream and its watermark are told by another answer.
  'a-wait-of-0-is-the-longest': 'unknown to the target',
  'cursor-at-the-watermark-is-a-conflict': 'unknown to the target',
  'read-cursor-at-the-end-is-a-conflict': 'unknown to the target',
  'mentions-cursor-is-inclusive': 'unknown to the target',
  'mentions-cursor-is-inclusive-on-small-pages': 'unknown to the target',
  'mentions-cursor-is-inclusive-at-the-end': 'unknown to the target',
  'channel-cursor-is-inclusive-at-the-end': 'unknown to the target',
  // Another workspace that exists, its channels and its people are in no target file.
  'machines-see-every-workspace': 'unknown to the target',
  'workspace-is-the-first-shown': 'unknown to the target',
  'foreign-mentions-reach': 'unknown to the target',
  'who-has-no-human-keeps-its-access': 'unknown to the target',
  'foreign-api-keys-use-channels': 'unknown to the target',
  'foreigners-without-a-human-use-channels': 'unknown to the target',
  'foreigners-without-a-machine-use-channels': 'unknown to the target',
  'machines-see-every-workspace-of-their-human': 'unknown to the target',
  // Nor is a second machine, or a second key.
  'the-overview-is-for-owners': 'unknown to the target',
  'api-keys-with-an-expiry-are-refused': 'unknown to the target',
  // A workspace of more channels or members than a list is cut at is in no target file either.
  'fifty-channels': 'unknown to the target',
  'a-hundred-members': 'unknown to the target',
  // A page of fifty messages with as many targets as each has room for.
  'page-shows-a-thousand-targets': 'several answers',
  'listing-shows-a-thousand-targets': 'several answers',
  // A page may always be shorter than asked for.
  'default-limit-is-49': 'several answers',
  'default-limit-is-20': 'several answers',
  // Whether an agent without access is still known shows in another call of it.
  'no-access-is-401': 'several answers',
  'no-access-to-mentions-is-401': 'several answers',
  // A server error now and then, beside like requests that are served.
  'some-mentions-are-500': 'several answers',
  // Two sends at one moment, two waits, or one mistake before another request.
  'who-waits-gets-the-page-of-another': 'several answers',
  'sends-of-one-moment-are-forgotten': 'several answers',
  'messages-of-one-moment-share-a-number': 'several answers',
  'a-woken-read-shows-no-targets': 'several answers',
  'a-mistake-spends-the-token': 'several answers',
  'a-notice-ends-after-7900-bytes': 'several answers',
  'a-notice-is-ascii': 'several answers',
  'a-notice-is-one-line': 'several answers',
  'a-notice-is-trimmed': 'several answers',
  'own-messages-reach-workspace-keys': 'several answers',
  // What is so only after a restart or a lost access, beyond a limit, or while a machine is out of use.
  'no-token-is-known-after-a-restart': 'one cell',
  'access-of-workspace-keys-is-not-looked-up-in-channels': 'one cell',
  'long-messages-lose-their-sessions': 'one cell',
  'restart-gives-channels-back': 'one cell',
  'a-bare-read-is-answered-from-a-cache': 'one cell',
  'machines-are-targets-while-they-are-active': 'one cell',
  'limits-are-looked-at-afterwards': 'one cell',
  // Copies of what a list holds, where there is nothing to copy.
  'mentions-message-receipts-retrieved-agent-ids-has-too-many': 'unshown call',
  'read-message-receipts-retrieved-agent-ids-has-too-many': 'unshown call',
  // What a channel shows after a restart.
  'restart-reads-from-the-oldest': 'several answers',
  // What is listed once an agent is without access, and what a message has of its file.
  'channels-leave-with-an-agent': 'several answers',
  'content-type-is-that-of-a-file': 'no file',
  // Its preview has 33 agents once 33 have reported.
  'preview-of-33': 'unshown call',
};
