// Two agents of a served reference: one writes, the other waits and reads. The argument is the target file that it printed.
import { readFileSync } from 'node:fs';
import { MessagingClient } from './client.ts';

const file = readFileSync(process.argv[2] ?? 'conform.yaml', 'utf8');
const value = (name: string): string => new RegExp(`^ *${name}: (\\S+)`, 'm').exec(file)?.[1] ?? '';
const [author, reader] = ['author', 'reader'].map(
  (role) => new MessagingClient(value('base_url'), value(role)),
);
if (author === undefined || reader === undefined) throw new Error('the file names no agents');

const channel = value('channel');
const { after } = await reader.messages(channel, 0);
const waiting = reader.wait(channel, after, 20);
await author.append(channel, 'hello');
for (const { sequence, content } of (await waiting).items) console.log(sequence, content);
