import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { OutgoingMessage } from '../../../reference/index.ts';
import type { MessageAuthor } from '../../../spec/index.ts';
import { messageChecks as everyMessageChecks } from '../../../suites/message/index.ts';
import { findingsOf, notPassed, runAgainst } from '../run-suite.ts';
import { caughtBy, runBroken } from '../send/broken.ts';
import type { Broken } from '../send/broken.ts';
import { withoutOperator } from '../operator-checks.ts';

const messageChecks = withoutOperator(everyMessageChecks);

/** A function that changes its argument more each time it is asked. */
function counting<T>(change: (value: T, times: number) => T): (value: T) => T {
  let times = 0;
  return (value) => change(value, (times += 1));
}

const altersContent = (what: string, storedContent: (content: string) => string): Broken => ({
  name: `content is stored with ${what}`,
  rules: () => ({ storedContent }),
  findings: ['message.content.unaltered failed'],
});

/** A read lacks messages whose number divides by 3 once three more have come. */
function thirdsVanish(): NonNullable<Broken['answer']> {
  const newest = new Map<string, number>();
  return (answer, { path, route }) => {
    if (route !== 'read' || answer.status !== 200) return undefined;
    const body = answer.body as { messages: { sequence: number }[] };
    const end = Math.max(newest.get(path) ?? 0, ...body.messages.map(({ sequence }) => sequence));
    newest.set(path, end);
    const messages = body.messages.filter(({ sequence }) => sequence % 3 !== 0 || sequence + 3 > end);
    return { ...answer, body: { ...body, messages } };
  };
}

const broken: readonly Broken[] = [
  altersContent('its white space trimmed', (content) => content.trim()),
  altersContent('its white space collapsed', (content) => content.replace(/ {2,}/g, ' ')),
  altersContent('its line ends unified', (content) => content.replace(/\r\n?/g, '\n')),
  altersContent('line separators replaced', (content) => content.replace(/[\u2028\u2029]/g, '\n')),
  altersContent('letters composed', (content) => content.normalize('NFC')),
  altersContent('letters decomposed', (content) => content.normalize('NFD')),
  altersContent('compatible letters replaced', (content) => content.normalize('NFKC')),
  altersContent('a byte order mark stripped', (content) => content.replace(/^\ufeff/, '')),
  altersContent('noncharacters replaced', (content) => content.replace(/[\ufffe\uffff]/g, '\ufffd')),
  altersContent('joiners removed', (content) => content.replace(/\u200d/g, '')),
  altersContent('variation selectors removed', (content) => content.replace(/\ufe0f/g, '')),
  altersContent('marks of direction removed', (content) =>
    content.replace(/[\u200e\u200f\u202a-\u202e]/g, ''),
  ),
  altersContent('characters beyond the first plane replaced', (content) =>
    content.replace(/[\u{10000}-\u{10ffff}]/gu, '?'),
  ),
  altersContent('markup escaped', (content) => content.replaceAll('<', '&lt;')),
  altersContent('backslashes doubled', (content) => content.replaceAll('\\', '\\\\')),
  altersContent('quotes made typographic', (content) => content.replaceAll('"', '\u201d')),
  altersContent('control characters removed', (content) => content.replace(/(?![\t\n\r])\p{Cc}/gu, '')),
  altersContent('the delete character removed', (content) => content.replaceAll('\u007f', '')),
  {
    ...altersContent('the end of long texts cut off', (content) => content.slice(0, 65_536)),
    only: ['message.longest-content-is-unaltered'],
  },
  {
    ...altersContent('accents taken away', (content) => content.replaceAll('é', 'e')),
    only: ['message.content-in-json-escapes-reads-back-as-characters'],
  },
  {
    name: 'control characters are refused',
    rules: () => ({ acceptsNul: (content) => !/(?![\t\n\r])\p{Cc}/u.test(content) }),
    findings: ['send.other-text-accepted warned'],
  },
  {
    name: 'text in pairs of surrogates is refused',
    rules: () => ({ acceptsSurrogates: (content) => !/[\ud800-\udfff]/.test(content) }),
    findings: ['send.other-text-accepted warned'],
  },
  {
    name: 'messages have no text in their channel',
    rules: () => ({
      presentMessage: ({ content, ...message }, route) =>
        (route === 'read' ? message : { ...message, content }) as OutgoingMessage,
    }),
    only: ['message.text-among-the-mentions-is-that-of-its-channel'],
    findings: ['message.content.present failed'],
  },
  {
    name: 'messages have a null for their text in their channel',
    rules: () => ({
      presentMessage: (message, route) =>
        route === 'read' ? ({ ...message, content: null } as unknown as OutgoingMessage) : message,
    }),
    only: ['message.text-among-the-mentions-is-that-of-its-channel'],
    findings: ['message.content.type failed'],
  },
  {
    name: 'what has no content type is taken for markdown',
    rules: () => ({ contentTypeWhenOmitted: () => 'text/markdown' }),
    findings: ['message.content-type.default failed'],
  },
  {
    name: 'every content type is shown as plain text',
    rules: () => ({ storedContentType: () => 'text/plain' }),
    findings: ['message.content-type.kept warned'],
  },
  {
    name: 'the size is counted in UTF-16 units',
    rules: () => ({ sizeBytes: (content) => content.length }),
    findings: ['message.size-bytes.is-utf8-length warned'],
  },
  {
    name: 'the size is counted in characters',
    rules: () => ({ sizeBytes: (content) => Array.from(content).length }),
    findings: ['message.size-bytes.is-utf8-length warned'],
  },
  {
    name: 'a message names another channel',
    rules: () => ({ presentMessage: (message) => ({ ...message, channel_id: message.workspace_id }) }),
    findings: ['message.channel-id.is-its-channel failed'],
  },
  {
    name: 'every message names the channel of the first one',
    rules: () => {
      let first: string | undefined;
      return { presentMessage: (message) => ({ ...message, channel_id: (first ??= message.channel_id) }) };
    },
    findings: ['message.channel-id.is-its-channel failed'],
  },
  {
    name: 'a message names another workspace',
    rules: () => ({ presentMessage: (message) => ({ ...message, workspace_id: message.channel_id }) }),
    findings: ['message.workspace-id.is-its-workspace failed'],
  },
  {
    name: 'the author is the human behind the agent',
    rules: () => ({ capturedAgentId: ({ id, humanUserId }) => humanUserId ?? id }),
    findings: ['author.is-the-agent failed'],
  },
  {
    name: 'the author is the first agent that ever wrote',
    rules: () => {
      let first: string | undefined;
      return { capturedAgentId: ({ id }) => (first ??= id) };
    },
    findings: ['author.is-the-agent failed'],
  },
  {
    name: 'the name of an author changes as it is read',
    rules: () => ({
      presentAuthor: counting<MessageAuthor>((author, times) => ({
        ...author,
        display_name: `name ${times}`,
      })),
    }),
    findings: ['message.author.immutable failed'],
  },
  {
    name: 'the name of an author changes as mentions are read',
    rules: () => {
      const renamed = counting<MessageAuthor>((author, times) => ({
        ...author,
        display_name: `name ${times}`,
      }));
      return {
        presentMessage: (message, route) =>
          route === 'mentions' ? { ...message, author: renamed(message.author) } : message,
      };
    },
    findings: ['message.author.immutable failed'],
  },
  {
    name: 'a message is as new as its last read',
    rules: () => ({
      presentMessage: counting((message, times) => ({
        ...message,
        created_at: new Date(times * 1000).toISOString(),
      })),
    }),
    findings: ['message.immutable failed'],
  },
  {
    name: 'all messages of a channel have one id',
    rules: () => ({ presentMessage: (message) => ({ ...message, id: message.channel_id }) }),
    findings: ['message.id.one-message failed'],
  },
  {
    name: 'every third message is gone once others have come after it',
    answer: thirdsVanish(),
    only: ['message.does-not-vanish-while-an-older-one-stays'],
    findings: ['states.messages-do-not-vanish failed'],
  },
  {
    name: 'the sequence shown is not the one that is read on from',
    rules: () => ({
      presentMessage: (message, route) =>
        route === 'read' ? { ...message, sequence: Number(message.sequence) + 1000 } : message,
    }),
    findings: ['message.sequence.channel-local failed'],
  },
  {
    name: 'the sequence shown lies far below the one that is read on from',
    rules: () => ({
      firstChannelSequence: () => 1000n,
      presentMessage: (message, route) =>
        route === 'read' ? { ...message, sequence: Number(message.sequence) - 999 } : message,
    }),
    findings: ['message.sequence.channel-local failed'],
  },
  {
    name: 'a message shows the first of its targets alone',
    rules: () => ({ presentTargets: (targets) => targets.slice(0, 1) }),
    findings: ['message.mentions.captured failed'],
  },
  {
    name: 'a message reaches whom it mentions and does not show it',
    rules: () => ({ presentTargets: () => [] }),
    findings: ['message.mentions.captured failed'],
  },
  {
    name: 'a message shows a target that nobody named',
    rules: () => ({
      presentTargets: (targets) => [...targets.slice(0, 19), { kind: 'agent', id: strangeId }],
    }),
    findings: ['message.mentions.captured failed'],
  },
  {
    name: 'a target needs no UUID',
    rules: () => ({
      acceptsTargetId: () => true,
      acceptsTarget: () => true,
      presentTargets: (targets) => targets.filter(({ id }) => !id.endsWith('g')),
    }),
    findings: ['message.mentions.validated warned'],
  },
  {
    name: 'a host is cut at 64 characters',
    rules: () => ({ capturedAgentHost: (host) => host?.slice(0, 64) ?? null }),
    findings: ['author.agent-host.captured-at-write failed'],
  },
  {
    name: 'a host of 81 characters is taken',
    rules: () => ({ maxAgentHostLength: () => 81, capturedAgentHost: (host) => host?.slice(0, 80) ?? null }),
    findings: ['author.agent-host.out-of-range-refused warned'],
  },
  {
    name: 'a host without characters is taken',
    rules: () => ({ minAgentHostLength: () => 0, capturedAgentHost: (host) => (host === '' ? null : host) }),
    findings: ['author.agent-host.out-of-range-refused warned'],
  },
  {
    name: 'a host that is the id of an agent makes it the author',
    rules: () => ({
      presentAuthor: (author) =>
        /^[0-9a-f-]{36}$/.test(author.agent_host ?? '') ? { ...author, id: author.agent_host ?? '' } : author,
    }),
    findings: ['author.agent-host.display-only failed'],
  },
  {
    name: 'a message shows the first of its files alone',
    rules: () => ({ presentAttachments: (files) => files.slice(0, 1) }),
    findings: ['message.attachments.captured failed'],
  },
];

const strangeId = randomUUID();
const caught = new Set<string>();

describe('messages, with one thing broken', () => {
  it.each(broken)('is found by its clause alone: $name', async (how) => {
    const run = await runBroken(messageChecks, how);
    for (const id of caughtBy(run)) caught.add(id);
    expect(findingsOf(run)).toEqual(how.findings);
  });

  it('has no check that nothing broken makes fail', () => {
    expect(messageChecks.map(({ id }) => id).filter((id) => !caught.has(id))).toEqual([]);
  });
});

describe('messages, by the contract', () => {
  it('pass every check', async () => {
    const run = await runAgainst(messageChecks);
    expect(notPassed(run)).toEqual([]);
    expect(findingsOf(run)).toEqual([]);
  });

  it.each([
    ['mention targets', { capturedTargets: () => [] }],
    ['files', { presentAttachments: () => [] }],
    ['a host', { capturedAgentHost: () => null }],
  ] as const)('are not failed for ignoring the field of a send that carries %s', async (_what, rules) => {
    const run = await runBroken(messageChecks, { rules: () => rules });
    expect(findingsOf(run)).toEqual([]);
    expect(notPassed(run)).not.toEqual([]);
  });
});
