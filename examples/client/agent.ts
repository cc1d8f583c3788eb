// An agent that does what `conform client` asks of one: reads its mentions, answers them, or delivers a list.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Message, MessagingClient } from './client.ts';

const { CONFORM_BASE_URL = '', CONFORM_TOKEN = '', CONFORM_CHANNEL = '', CONFORM_STATE = '.' } = process.env;
const client = new MessagingClient(CONFORM_BASE_URL, CONFORM_TOKEN);
const cursorFile = join(CONFORM_STATE, 'cursor');
const pauseMs = 500;

function keptCursor(): number {
  try {
    return Number(readFileSync(cursorFile, 'utf8'));
  } catch {
    return 0;
  }
}

/** Hands on each mention, the oldest first, and goes on from its cursor after a restart. */
async function follow(take: (message: Message) => Promise<unknown>): Promise<never> {
  for (let after = keptCursor(); ; await sleep(pauseMs)) {
    const read = await client.mentions(after);
    for (const { message } of read.items) await take(message);
    if (read.after === after) continue;
    after = read.after;
    writeFileSync(cursorFile, String(after));
  }
}

/** Each line of standard input is a message: `{"content": "…"}`. */
async function deliver(): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    const { content } = JSON.parse(line) as { readonly content: string };
    await client.append(CONFORM_CHANNEL, content);
  }
}

const tasks: Readonly<Record<string, () => Promise<void>>> = {
  read: () => follow(async ({ id, content }) => console.log(JSON.stringify({ id, content }))),
  echo: () => follow(({ channel_id, content }) => client.append(channel_id, content)),
  send: deliver,
};
const task = tasks[process.env['CONFORM_TASK'] ?? ''];
if (task === undefined) throw new Error('CONFORM_TASK is none of read, echo and send');
await task();
