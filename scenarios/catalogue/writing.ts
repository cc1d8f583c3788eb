import { type PlannedTrouble, retryAfterSeconds, type Scenario, type Step, type Task } from '../scenario.ts';
import { caughtUp, inTwoChannels, numbered, quotations, scenarioOf, settled, start } from './reading.ts';
import type { Written } from './reading.ts';

/** Texts that lose something where anybody tidies them up. */
const texts: readonly string[] = [
  '  two blanks before, and two after  ',
  'a line\r\nanother one\n\n',
  '\tÄ, 𝄞, \u00e9 and e\u0301, \u200b between, \ufeff too',
  '<b>&amp; "quoted" \\ \u0001</b>',
  ...quotations,
];

/** As long as a content may be, in characters of two bytes. */
const largest = 'ü'.repeat(250_000);

const lost: readonly PlannedTrouble[] = [
  { call: 'send', kind: 'cut-unanswered', numbers: [1, 3] },
  { call: 'send', kind: 'cut-in-answer', numbers: [5] },
];
const atTheGateway: readonly PlannedTrouble[] = [
  { call: 'send', kind: 'unavailable', numbers: [1] },
  { call: 'send', kind: 'unavailable-unanswered', numbers: [3] },
  { call: 'send', kind: 'cut-in-request', numbers: [5] },
];
const limited: readonly PlannedTrouble[] = [
  { call: 'send', kind: 'limited', during: { from: 2, ms: retryAfterSeconds * 1_000 - 200 } },
];

/** What may happen to sends, whoever asked for them. */
const both: Readonly<Record<string, Written>> = {
  'answers-lost': {
    title: 'a message whose answer was lost is sent again under its key, and is there once',
    trouble: lost,
    missed: 'client.send.every-message',
    twice: 'client.keys.kept-for-retries',
    besides: ['client.keys.one-message', 'client.keys.kept-for-retries'],
  },
  'in-trouble': {
    title: 'answers of a gateway, and requests that never came, take no message away',
    trouble: atTheGateway,
    missed: 'client.trouble.goes-on',
    twice: 'client.keys.kept-for-retries',
  },
  limited: {
    title: 'a limit is waited for, and takes no message away',
    trouble: limited,
    missed: 'client.limits.goes-on',
    besides: ['client.limits.retry-after'],
  },
};

const echoes: Readonly<Record<string, Written>> = {
  mentions: {
    title: 'each mention is answered once, by its own words',
    missed: 'client.read.every-message',
  },
  ...both,
  channels: {
    title: 'a mention is answered in the channel that it is of',
    steps: inTwoChannels,
    missed: 'client.send.every-message',
  },
  'same-words': {
    title: 'two mentions of the same words are answered twice',
    steps: mentioned(['yes?', 'no?', 'yes?', 'yes?']),
    missed: 'client.read.every-message',
  },
  texts: {
    title: 'an answer has the very words of the mention, up to the largest',
    steps: mentioned([...texts, largest]),
    missed: 'client.send.content-unaltered',
    besides: ['client.send.content-bytes', 'client.send.content-characters'],
  },
  restarted: {
    title: 'a client that was started again answers nothing twice',
    steps: [
      ...mentioned(numbered(3)),
      { who: 'client', does: 'restart' },
      { who: 'colleague', mentions: ['one more'] },
      settled,
    ],
    missed: 'client.read.every-message',
    twice: 'client.cursor.kept',
    besides: ['client.cursor.kept'],
  },
  names: {
    title: 'only who is mentioned by id answers',
    steps: [
      { who: 'colleague', says: ['@Reader agent what do you think?', 'Reader agent, are you there?'] },
      ...mentioned(numbered(3)),
      { who: 'operator', does: 'swap-names' },
      { who: 'colleague', says: ['@Author agent what do you think?', '@Reader agent and you?'] },
      { who: 'colleague', mentions: ['whatever you are called'] },
      settled,
    ],
    missed: 'client.identity.names-change',
    besides: ['client.identity.from-ids'],
  },
};

const sends: Readonly<Record<string, Written>> = {
  list: {
    title: 'each message of a list is sent once',
    list: numbered(6),
    missed: 'client.send.every-message',
    besides: ['client.keys.one-message'],
  },
  ...Object.fromEntries(Object.entries(both).map(([name, play]) => [name, { ...play, list: numbered(6) }])),
  texts: {
    title: 'a message is sent as it stands in the list, up to the largest',
    list: [...texts, largest],
    missed: 'client.send.content-unaltered',
    besides: ['client.send.content-bytes', 'client.send.content-characters'],
  },
  'same-words': {
    title: 'two messages of the same words are two messages',
    list: ['yes', 'no', 'yes', 'yes'],
    missed: 'client.send.every-message',
    besides: ['client.keys.one-message'],
  },
  'service-restarts': {
    title: 'a restart of the service takes no message away',
    list: numbered(40),
    steps: [start, { pauseMs: 300 }, { who: 'operator', does: 'restart' }, caughtUp],
    missed: 'client.trouble.goes-on',
  },
};

function mentioned(contents: readonly string[]): readonly Step[] {
  return [start, { who: 'colleague', mentions: contents }, settled];
}

/** What is played where mentions are to be answered. */
export const echoing = writing('echo', echoes, mentioned(numbered(5)));

/** What is played where a list is to be delivered. */
export const sending = writing('send', sends, [start, caughtUp]);

/** Whatever is written must come through as it was. */
function writing(
  task: Task,
  all: Readonly<Record<string, Written>>,
  steps: readonly Step[],
): readonly Scenario[] {
  const usual = { steps, twice: 'client.send.once' } as const;
  return Object.entries(all).map(([name, { besides = [], ...written }]) =>
    scenarioOf(task, name, usual, { ...written, besides: [...besides, 'client.send.content-unaltered'] }),
  );
}
