import type { ClientClauseId } from '../../spec/index.ts';
import type { Scenario } from '../../scenarios/scenario.ts';

/** What a client does wrong. */
interface ClientMutant {
  readonly what: string;
  readonly clause: ClientClauseId;
  /** The scenario that shows it. */
  readonly scenario: Scenario['id'];
}

/** What a client does that is unusual, and right. */
interface ClientVariant {
  readonly what: string;
}

/** Clients that each break one clause, by the name of their switch. */
export const clientMutants = {
  'no-credential': {
    what: 'asks without a credential',
    clause: 'client.requests.carry-a-credential',
    scenario: 'read.mentions',
  },
  'body-cut-short': {
    what: 'leaves the last brace of a body out',
    clause: 'client.requests.keep-their-form',
    scenario: 'send.list',
  },
  'names-itself-as-recipient': {
    what: 'adds its agent id to the query of the mentions',
    clause: 'client.requests.mentions-parameters',
    scenario: 'read.mentions',
  },
  'after-below-zero': {
    what: 'begins at -1',
    clause: 'client.requests.after-in-range',
    scenario: 'read.mentions',
  },
  'limit-of-a-thousand': {
    what: 'asks for a thousand mentions a page',
    clause: 'client.requests.limit-in-range',
    scenario: 'read.mentions',
  },
  'content-in-parts': {
    what: 'sends a content as a list of parts',
    clause: 'client.send.content-is-text',
    scenario: 'send.list',
  },
  'prefix-on-the-largest': {
    what: 'puts a prefix before a content, however long that is',
    clause: 'client.send.content-bytes',
    scenario: 'echo.texts',
  },
  'ends-with-nul': {
    what: 'ends a content with NUL',
    clause: 'client.send.content-characters',
    scenario: 'send.list',
  },
  'answers-to-a-name': {
    what: 'mentions the author of a message by its display name',
    clause: 'client.send.targets-by-id',
    scenario: 'echo.mentions',
  },
  'mentions-everybody': {
    what: 'mentions 21 agents at once',
    clause: 'client.send.at-most-20-targets',
    scenario: 'echo.mentions',
  },
  'session-on-the-wrong-surface': {
    what: 'names a surface that its provider does not have',
    clause: 'client.send.source-session',
    scenario: 'send.list',
  },
  'content-trimmed': {
    what: 'takes the blanks at both ends of a content away',
    clause: 'client.send.content-unaltered',
    scenario: 'echo.texts',
  },
  'line-ends-changed': {
    what: 'makes one line end of another',
    clause: 'client.send.content-unaltered',
    scenario: 'send.texts',
  },
  'key-from-the-content': {
    what: 'makes the key of the content, so that the same words are sent once',
    clause: 'client.send.every-message',
    scenario: 'send.same-words',
  },
  'sends-twice': {
    what: 'sends each message twice',
    clause: 'client.send.once',
    scenario: 'send.list',
  },
  'one-key-for-all': {
    what: 'uses one key for all its messages',
    clause: 'client.keys.one-message',
    scenario: 'send.list',
  },
  'fresh-key-for-each-try': {
    what: 'tries again under a fresh key',
    clause: 'client.keys.kept-for-retries',
    scenario: 'send.answers-lost',
  },
  'cursor-of-the-last-item': {
    what: 'goes on from the sequence of the last item',
    clause: 'client.cursor.from-next-after',
    scenario: 'read.gaps',
  },
  'cursor-of-the-channel': {
    what: 'goes on in the mentions from the number of a message in its channel',
    clause: 'client.cursor.of-its-stream',
    scenario: 'read.mentions',
  },
  'cursor-forgotten': {
    what: 'begins at 0 after a restart',
    clause: 'client.cursor.kept',
    scenario: 'read.restarted',
  },
  'first-page-alone': {
    what: 'takes every page for the last one, and goes on from the watermark',
    clause: 'client.pages.reads-on',
    scenario: 'read.many-pages',
  },
  'never-reads-on': {
    what: 'asks for the first page again and again',
    clause: 'client.pages.reads-on',
    scenario: 'read.short-pages',
  },
  'short-page-is-the-last': {
    what: 'takes a page below its limit for the last one, and goes on from the watermark',
    clause: 'client.pages.may-be-short',
    scenario: 'read.short-pages',
  },
  'empty-page-is-the-last': {
    what: 'takes an empty page for the last one, and goes on from the watermark',
    clause: 'client.pages.may-be-empty',
    scenario: 'read.empty-pages',
  },
  'empty-last-page-is-an-error': {
    what: 'ends where a page is empty that another one announced',
    clause: 'client.pages.may-announce-too-much',
    scenario: 'read.announced-too-much',
  },
  'waits-for-the-next-number': {
    what: 'takes no message whose sequence is not the next number',
    clause: 'client.pages.sequences-have-gaps',
    scenario: 'read.gaps',
  },
  'first-message-left-out': {
    what: 'leaves the first message of each page out',
    clause: 'client.read.every-message',
    scenario: 'read.mentions',
  },
  'cursor-one-too-low': {
    what: 'goes on from one below the cursor, and takes what it has again',
    clause: 'client.read.once',
    scenario: 'read.mentions',
  },
  'polls-without-a-pause': {
    what: 'asks again at once for what was not there',
    clause: 'client.read.pauses',
    scenario: 'read.after-a-while',
  },
  'waits-without-end': {
    what: 'asks nothing more once a page was empty',
    clause: 'client.read.wait-may-end-empty',
    scenario: 'read.after-a-while',
  },
  'retry-after-ignored': {
    what: 'tries again soon, whatever a limit says',
    clause: 'client.limits.retry-after',
    scenario: 'read.limited',
  },
  'gives-up-at-a-limit': {
    what: 'leaves a message unsent that met a limit',
    clause: 'client.limits.goes-on',
    scenario: 'send.limited',
  },
  'gives-up-without-an-answer': {
    what: 'leaves a message unsent that had no answer',
    clause: 'client.trouble.goes-on',
    scenario: 'send.in-trouble',
  },
  'ends-with-the-connection': {
    what: 'ends with the first connection that breaks',
    clause: 'client.trouble.goes-on',
    scenario: 'read.service-restarts',
  },
  'needs-the-targets': {
    what: 'looks for itself among the targets of a message, which need not be shown',
    clause: 'client.answers.optional-fields',
    scenario: 'read.without-optional-fields',
  },
  'needs-the-receipts': {
    what: 'counts the receipts of a message, which need not be there',
    clause: 'client.answers.absent-receipts',
    scenario: 'read.without-receipts',
  },
  'needs-a-human': {
    what: 'asks for the human behind each author',
    clause: 'client.answers.absent-principals',
    scenario: 'read.without-principals',
  },
  'refuses-strangers': {
    what: 'takes no message that mentions others besides',
    clause: 'client.answers.unknown-ids',
    scenario: 'read.unknown-ids',
  },
  'answers-to-its-name': {
    what: 'takes messages of the channel that have its name in their text',
    clause: 'client.identity.from-ids',
    scenario: 'read.names',
  },
  'knows-itself-by-name': {
    what: 'leaves out what an author of its own name has written',
    clause: 'client.identity.names-change',
    scenario: 'read.names',
  },
  'reads-answers-as-text': {
    what: 'takes the first `next_after` in the text of an answer for the cursor',
    clause: 'client.contents.are-no-orders',
    scenario: 'read.quotations',
  },
  'reports-what-it-has-not-seen': {
    what: 'reports messages as retrieved that nobody has shown it',
    clause: 'client.receipts.only-what-was-shown',
    scenario: 'read.mentions',
  },
} as const satisfies Readonly<Record<string, ClientMutant>>;

/** Clients that do what the contract leaves open, each in every scenario without a finding. */
export const clientVariants = {
  'a-connection-each': { what: 'opens a connection for each request' },
  'short-pauses': { what: 'polls every 60 ms' },
  'small-limits': { what: 'reads two mentions a page' },
  'no-limit': { what: 'leaves the limit out' },
  'ever-from-the-start': { what: 'reads from 0 at every poll, and remembers what it has taken' },
  'two-processes': { what: 'is two processes, each with a cursor, of which one takes messages' },
  'keys-of-its-own': { what: 'makes its keys of a number and the time' },
  'repeats-under-the-key': { what: 'sends every message twice, under one key' },
  'looks-before-a-retry': { what: 'looks into the channel before it sends again, under a fresh key' },
  'ends-when-idle': { what: 'ends when nothing is left to read, and is started again' },
  'ends-at-a-limit': { what: 'ends when a read meets a limit, and is started again' },
  'looks-around': { what: 'reads the channels and its own channel besides, by waiting' },
} as const satisfies Readonly<Record<string, ClientVariant>>;

/** The name of a switch; without one it is a client as any other. */
export type ClientSwitch = keyof typeof clientMutants | keyof typeof clientVariants | 'usual';
