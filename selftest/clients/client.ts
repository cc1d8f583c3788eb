// A client of its own for the self-test, with one switch: `node client.js NAME`. What it is told comes from the environment.
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { request as open } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientSwitch } from './switches.ts';

const name = (process.argv[2] ?? 'usual') as ClientSwitch;
const is = (...names: readonly ClientSwitch[]): boolean => names.includes(name);
const env = (of: string): string => process.env[`CONFORM_${of}`] ?? '';
const [channel, self] = [env('CHANNEL'), env('AGENT_ID')];
const cursorFile = join(env('STATE'), 'cursor');
/** What it was called when it was written. */
const ownName = 'Reader agent';

/** Of an answer, what this client uses. */
interface Message {
  readonly id: string;
  readonly channel_id: string;
  readonly sequence: number;
  readonly content: string;
  readonly author: { readonly display_name: string; readonly human_user: { readonly id: string } };
  readonly mentions: readonly { readonly id: string }[];
  readonly receipts: { readonly retrieved: { readonly agent_ids: readonly string[] } };
}

interface Page {
  readonly items: readonly { readonly sequence: number; readonly message: Message }[];
  readonly next: number;
  readonly hasMore: boolean;
  readonly watermark: number;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: number;
}

/** One try; rejects where no whole answer comes. */
function tryOnce(method: string, path: string, key?: string, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = open(env('BASE_URL') + path, {
      method,
      ...(is('a-connection-each') ? { agent: false } : {}),
      headers: {
        ...(is('no-credential') ? {} : { authorization: `Bearer ${env('TOKEN')}` }),
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
    });
    request.setTimeout(30_000, () => request.destroy(new Error('no answer')));
    request.on('error', reject).on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('error', reject).on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          text,
          retryAfter: Number(answer.headers['retry-after'] ?? 0),
        }),
      );
    });
    request.end(body);
  });
}

/** Tries until the service answers. `undefined`: given up, as some switches do. */
async function ask(
  method: string,
  path: string,
  makeKey?: () => string,
  body?: string,
): Promise<string | undefined> {
  let key = makeKey?.();
  for (let pauseMs = 100; ; pauseMs = Math.min(2 * pauseMs, 1_000)) {
    try {
      const { status, text, retryAfter } = await tryOnce(method, path, key, body);
      if (status < 300) return text;
      if (status !== 429 && status < 500) throw new Refused(`${status} ${text}`);
      if (status === 429 && is('gives-up-at-a-limit')) return undefined;
      if (status === 429 && method === 'GET' && is('ends-at-a-limit')) process.exit();
      if (status >= 500 && is('gives-up-without-an-answer')) return undefined;
      if (status === 429) await sleep(is('retry-after-ignored') ? 100 : retryAfter * 1_000);
    } catch (error) {
      if (error instanceof Refused || is('ends-with-the-connection')) throw error;
      if (is('gives-up-without-an-answer')) return undefined;
    }
    if (is('fresh-key-for-each-try')) key = makeKey?.();
    await sleep(is('retry-after-ignored') ? 20 : pauseMs);
    if (is('looks-before-a-retry') && body !== undefined) {
      if (await isThere(JSON.parse(body) as { readonly content: string })) return '';
      key = makeKey?.();
    }
  }
}

class Refused extends Error {}

/** What stands in the channel after a cursor. */
async function channelAfter(after: number, more = '') {
  const text = await ask('GET', `/v0/channels/${channel}/messages?after=${after}&limit=100${more}`);
  return JSON.parse(text ?? '{}') as {
    readonly messages: readonly (Message & { readonly author: { readonly id: string } })[];
    readonly page: { readonly next_after: number; readonly has_more: boolean };
  };
}

async function isThere({ content }: { readonly content: string }): Promise<boolean> {
  for (let after = 0; ;) {
    const { messages, page } = await channelAfter(after);
    if (messages.some((each) => each.content === content && each.author.id === self)) return true;
    if (!page.has_more) return false;
    after = page.next_after;
  }
}

/** The mentions after a cursor, a page of them. */
async function mentions(after: number): Promise<Page> {
  const limit = is('limit-of-a-thousand') ? 1_000 : is('small-limits') ? 2 : 100;
  const query = [
    `after=${after === 0 && is('after-below-zero') ? -1 : after}`,
    ...(is('no-limit') ? [] : [`limit=${limit}`]),
    ...(is('names-itself-as-recipient') ? [`agent_id=${self}`] : []),
  ];
  const text = (await ask('GET', `/v0/mentions?${query.join('&')}`)) ?? '';
  const { mentions: items, page } = JSON.parse(text) as {
    readonly mentions: Page['items'];
    readonly page: {
      readonly next_after: number;
      readonly has_more: boolean;
      readonly high_watermark: number;
    };
  };
  const [, found] = /next_after\\?":(\d+)/.exec(text) ?? [];
  const next = is('reads-answers-as-text') ? Number(found) : page.next_after;
  return { items, next, hasMore: page.has_more, watermark: page.high_watermark };
}

/** Where the next read begins. */
function cursorAfter(page: Page, after: number): number {
  const { items, next, watermark, hasMore } = page;
  const last = items.at(-1);
  if (is('never-reads-on')) return after;
  if (is('cursor-of-the-last-item')) return last?.sequence ?? after;
  if (is('cursor-of-the-channel')) return last?.message.sequence ?? after;
  if (is('cursor-one-too-low')) return items.length > 0 ? next - 1 : after;
  const isLast =
    is('first-page-alone') ||
    (is('short-page-is-the-last') && items.length < 100) ||
    (is('empty-page-is-the-last') && items.length === 0);
  return hasMore && isLast ? watermark : next;
}

let isAnnounced = false;
let lastNumber: number | undefined;

/** The messages of a page that the client takes. */
function taken({ items, hasMore }: Page): readonly Message[] {
  if (is('empty-last-page-is-an-error') && isAnnounced && items.length === 0)
    throw new Error('nothing there');
  isAnnounced = hasMore;
  return items.flatMap(({ sequence, message }, index) => {
    if (is('first-message-left-out') && index === 0) return [];
    if (is('waits-for-the-next-number') && lastNumber !== undefined && sequence !== lastNumber + 1) return [];
    lastNumber = sequence;
    if (is('needs-the-targets') && !message.mentions.some(({ id }) => id === self)) return [];
    if (is('refuses-strangers') && message.mentions.length > 1) return [];
    if (is('needs-the-receipts') && message.receipts.retrieved.agent_ids.includes(self)) return [];
    if (is('needs-a-human') && message.author.human_user.id === '') return [];
    if (is('knows-itself-by-name') && message.author.display_name === ownName) return [];
    return [message];
  });
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

const seenFile = join(env('STATE'), 'seen');

async function follow(take: (message: Message) => Promise<unknown>): Promise<void> {
  // Messages that were taken before, for those who read them again.
  const seen = new Set(textOf(seenFile).split('\n'));
  const heard = new Set<string>();
  if (is('answers-to-its-name')) return followNames(take);
  if (is('two-processes')) void watchAlone();
  if (is('looks-around')) void lookAround();
  if (is('reports-what-it-has-not-seen'))
    await ask(
      'POST',
      `/v0/channels/${channel}/receipts`,
      undefined,
      JSON.stringify({ message_ids: [randomUUID()] }),
    ).catch(() => undefined);
  for (let after = is('cursor-forgotten', 'ever-from-the-start') ? 0 : Number(textOf(cursorFile)); ;) {
    const page = await mentions(after);
    for (const message of taken(page)) {
      if (is('one-channel-alone') && message.channel_id !== channel) continue;
      if (is('same-words-once') && heard.has(message.content)) continue;
      heard.add(message.content);
      if (is('ever-from-the-start') && seen.has(message.id)) continue;
      await take(message);
      seen.add(message.id);
    }
    if (is('ever-from-the-start')) writeFileSync(seenFile, [...seen].join('\n'));
    const next = cursorAfter(page, after);
    if (next !== after) writeFileSync(cursorFile, String(next));
    after = is('ever-from-the-start') && !page.hasMore ? 0 : next;
    if (page.hasMore && !is('never-reads-on')) continue;
    if (is('ends-when-idle')) return;
    if (is('waits-without-end') && page.items.length === 0) await sleep(1e9);
    await pause();
  }
}

async function pause(): Promise<void> {
  if (!is('polls-without-a-pause')) await sleep(is('short-pauses') ? 60 : 300);
}

/** Another process under the same credential, with a cursor of its own. */
async function watchAlone(): Promise<void> {
  for (let after = 0; ; await sleep(250)) ({ next: after } = await mentions(after));
}

async function lookAround(): Promise<void> {
  for (let after = 0; ;) {
    await ask('GET', '/v0/channels');
    ({
      page: { next_after: after },
    } = await channelAfter(after, '&wait=1'));
  }
}

async function followNames(take: (message: Message) => Promise<unknown>): Promise<void> {
  for (let after = 0; ; await pause()) {
    const { messages, page } = await channelAfter(after);
    for (const message of messages) if (message.content.includes(ownName)) await take(message);
    after = page.next_after;
  }
}

let count = 0;

function keyFor(content: string): string {
  if (is('one-key-for-all')) return self;
  if (is('keys-of-its-own')) return `message-${Date.now()}-${(count += 1)}`;
  if (!is('key-from-the-content')) return randomUUID();
  return createHash('sha256').update(content).digest('hex');
}

/** What goes out for a content. */
function bodyOf(content: string, author = ''): Readonly<Record<string, unknown>> {
  const agents = is('answers-to-a-name') ? [author] : is('mentions-everybody') ? manyIds : [];
  return {
    content: is('content-in-parts') ? [content] : wordsOf(content),
    ...(agents.length === 0 ? {} : { mentions: agents.map((id) => ({ kind: 'agent', id })) }),
    ...(is('session-on-the-wrong-surface')
      ? { source_session: { provider: 'provider_c', surface: 'desktop', session_id: randomUUID() } }
      : {}),
  };
}

const manyIds = Array.from({ length: 21 }, () => randomUUID());

function wordsOf(content: string): string {
  if (is('content-trimmed')) return content.trim();
  if (is('line-ends-changed')) return content.replaceAll('\r\n', '\n');
  if (is('prefix-on-the-largest')) return content.length > 1_000 ? `> ${content}` : content;
  return is('ends-with-nul') ? `${content}\0` : content;
}

async function send(to: string, content: string, author?: string): Promise<void> {
  const whole = JSON.stringify(bodyOf(content, author));
  const body = is('body-cut-short') ? whole.slice(0, -1) : whole;
  const key = keyFor(content);
  const again = is('fresh-key-for-each-try', 'looks-before-a-retry') ? randomUUID : () => key;
  const path = `/v0/channels/${to}/messages`;
  await ask('POST', path, again, body);
  if (is('repeats-under-the-key')) await ask('POST', path, again, body);
  if (is('sends-twice')) await ask('POST', path, randomUUID, body);
}

switch (env('TASK')) {
  case 'read':
    await follow(async ({ id, content }) => console.log(JSON.stringify({ id, content })));
    break;
  case 'echo':
    await follow((message) =>
      send(
        is('answers-in-one-channel') ? channel : message.channel_id,
        message.content,
        message.author.display_name,
      ),
    );
    break;
  default:
    for await (const line of createInterface({ input: process.stdin }))
      await send(channel, (JSON.parse(line) as { readonly content: string }).content);
}
