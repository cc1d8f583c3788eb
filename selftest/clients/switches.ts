import type { ClientClauseId } from '../../spec/index.ts';
import type { Scenario } from '../../scenarios/scenario.ts';
import { named } from '../mutants/base/mutant.ts';

/** What a client does wrong. */
interface ClientMutant {
  readonly what: string;
  readonly clause: ClientClauseId;
  /** The scenario that shows it. */
  readonly scenario: Scenario['id'];
}

/** By the clause that each breaks: the name of its switch, what it does, and the scenario that shows it. */
const wrong = {
  'client.requests.carry-a-credential': { 'no-credential: asks without a credential': 'read.mentions' },
  'client.requests.keep-their-form': { 'body-cut-short: leaves the last brace of a body out': 'send.list' },
  'client.requests.mentions-parameters': {
    'names-itself-as-recipient: adds its agent id to the query of the mentions': 'read.mentions',
  },
  'client.requests.after-in-range': { 'after-below-zero: begins at -1': 'read.mentions' },
  'client.requests.limit-in-range': {
    'limit-of-a-thousand: asks for a thousand mentions a page': 'read.mentions',
  },
  'client.send.content-is-text': { 'content-in-parts: sends a content as a list of parts': 'send.list' },
  'client.send.content-bytes': {
    'prefix-on-the-largest: puts a prefix before a content, however long that is': 'echo.texts',
  },
  'client.send.content-characters': { 'ends-with-nul: ends a content with NUL': 'send.list' },
  'client.send.targets-by-id': {
    'answers-to-a-name: mentions the author of a message by its display name': 'echo.mentions',
  },
  'client.send.at-most-20-targets': { 'mentions-everybody: mentions 21 agents at once': 'echo.mentions' },
  'client.send.source-session': {
    'session-on-the-wrong-surface: names a surface that its provider does not have': 'send.list',
  },
  'client.send.content-unaltered': {
    'content-trimmed: takes the blanks at both ends of a content away': 'echo.texts',
    'line-ends-changed: makes one line end of another': 'send.texts',
  },
  'client.send.every-message': {
    'key-from-the-content: makes the key of the content, so that the same words are sent once':
      'send.same-words',
    'answers-in-one-channel: answers every mention in the channel that it was told of': 'echo.channels',
  },
  'client.send.once': { 'sends-twice: sends each message twice': 'send.list' },
  'client.keys.one-message': { 'one-key-for-all: uses one key for all its messages': 'send.list' },
  'client.keys.kept-for-retries': {
    'fresh-key-for-each-try: tries again under a fresh key': 'send.answers-lost',
  },
  'client.cursor.from-next-after': {
    'cursor-of-the-last-item: goes on from the sequence of the last item': 'read.gaps',
  },
  'client.cursor.of-its-stream': {
    'cursor-of-the-channel: goes on in the mentions from the number of a message in its channel':
      'read.mentions',
  },
  'client.cursor.kept': { 'cursor-forgotten: begins at 0 after a restart': 'read.restarted' },
  'client.pages.reads-on': {
    'first-page-alone: takes every page for the last one, and goes on from the watermark': 'read.many-pages',
    'never-reads-on: asks for the first page again and again': 'read.short-pages',
  },
  'client.pages.may-be-short': {
    'short-page-is-the-last: takes a page below its limit for the last one, and goes on from the watermark':
      'read.short-pages',
  },
  'client.pages.may-be-empty': {
    'empty-page-is-the-last: takes an empty page for the last one, and goes on from the watermark':
      'read.empty-pages',
  },
  'client.pages.may-announce-too-much': {
    'empty-last-page-is-an-error: ends where a page is empty that another one announced':
      'read.announced-too-much',
  },
  'client.pages.sequences-have-gaps': {
    'waits-for-the-next-number: takes no message whose sequence is not the next number': 'read.gaps',
  },
  'client.read.every-message': {
    'first-message-left-out: leaves the first message of each page out': 'read.mentions',
    'one-channel-alone: takes no mention of another channel than the one that it was told of':
      'read.channels',
    'same-words-once: takes what has the words of a message before it for that message': 'echo.same-words',
  },
  'client.read.once': {
    'cursor-one-too-low: goes on from one below the cursor, and takes what it has again': 'read.mentions',
  },
  'client.read.pauses': {
    'polls-without-a-pause: asks again at once for what was not there': 'read.after-a-while',
  },
  'client.read.wait-may-end-empty': {
    'waits-without-end: asks nothing more once a page was empty': 'read.after-a-while',
  },
  'client.limits.retry-after': {
    'retry-after-ignored: tries again soon, whatever a limit says': 'read.limited',
  },
  'client.limits.goes-on': {
    'gives-up-at-a-limit: leaves a message unsent that met a limit': 'send.limited',
  },
  'client.trouble.goes-on': {
    'gives-up-without-an-answer: leaves a message unsent that had no answer': 'send.in-trouble',
    'ends-with-the-connection: ends with the first connection that breaks': 'read.service-restarts',
  },
  'client.answers.optional-fields': {
    'needs-the-targets: looks for itself among the targets of a message, which need not be shown':
      'read.without-optional-fields',
  },
  'client.answers.absent-receipts': {
    'needs-the-receipts: counts the receipts of a message, which need not be there': 'read.without-receipts',
  },
  'client.answers.absent-principals': {
    'needs-a-human: asks for the human behind each author': 'read.without-principals',
  },
  'client.answers.unknown-ids': {
    'refuses-strangers: takes no message that mentions others besides': 'read.unknown-ids',
  },
  'client.identity.from-ids': {
    'answers-to-its-name: takes messages of the channel that have its name in their text': 'read.names',
  },
  'client.identity.names-change': {
    'knows-itself-by-name: leaves out what an author of its own name has written': 'read.names',
  },
  'client.contents.are-no-orders': {
    'reads-answers-as-text: takes the first `next_after` in the text of an answer for the cursor':
      'read.quotations',
  },
  'client.receipts.only-what-was-shown': {
    'reports-what-it-has-not-seen: reports messages as retrieved that nobody has shown it': 'read.mentions',
  },
} as const satisfies Readonly<Partial<Record<ClientClauseId, Readonly<Record<string, Scenario['id']>>>>>;

/** The same of what the contract leaves open. */
const unusual = [
  'a-connection-each: opens a connection for each request',
  'short-pauses: polls every 60 ms',
  'small-limits: reads two mentions a page',
  'no-limit: leaves the limit out',
  'ever-from-the-start: reads from 0 at every poll, and remembers what it has taken',
  'two-processes: is two processes, each with a cursor, of which one takes messages',
  'keys-of-its-own: makes its keys of a number and the time',
  'repeats-under-the-key: sends every message twice, under one key',
  'looks-before-a-retry: looks into the channel before it sends again, under a fresh key',
  'ends-when-idle: ends when nothing is left to read, and is started again',
  'ends-at-a-limit: ends when a read meets a limit, and is started again',
  'looks-around: reads the channels and its own channel besides, by waiting',
] as const;

type Switch<Row> = Row extends `${infer Name}: ${string}` ? Name : never;

/** Clients that each break one clause, by the name of their switch. */
export const clientMutants: Readonly<Record<string, ClientMutant>> = Object.fromEntries(
  Object.entries(wrong).flatMap(([clause, rows]) =>
    Object.entries(rows).map(([row, scenario]) => {
      const { id, what } = named(row);
      return [id, { what, clause: clause as ClientClauseId, scenario }];
    }),
  ),
);

/** Clients that do what the contract leaves open, each in every scenario without a finding. */
export const clientVariants: Readonly<Record<string, { readonly what: string }>> = Object.fromEntries(
  unusual.map(named).map(({ id, what }) => [id, { what }]),
);

/** The name of a switch; without one it is a client as any other. */
export type ClientSwitch =
  | { [Clause in keyof typeof wrong]: Switch<keyof (typeof wrong)[Clause]> }[keyof typeof wrong]
  | Switch<(typeof unusual)[number]>
  | 'usual';
