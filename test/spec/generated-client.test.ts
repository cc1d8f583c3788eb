import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundle, createConfig } from '@redocly/openapi-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startReference } from '../../reference/index.ts';
import { packageFile } from '../../spec/package-file.ts';

const run = promisify(execFile);
mkdirSync(packageFile('.conform'), { recursive: true });
/** Within the repository, where what the generated client imports is found. */
const folder = mkdtempSync(packageFile('.conform/generated-client-'));
/** What the compiler says to the program. */
let said = 'nothing yet';
const at = (name: string): string => join(folder, name);

/** A program that somebody writes with the generated client; each line that has to be wrong is said to be. */
const usage = `import { listMentions, readChannel, readWorkspaceOverview, sendMessage } from './api.js';

interface As { readonly baseUrl: string; readonly headers: { readonly Authorization: string } }

export async function use(agent: As, machine: As, channel: string, workspace: string): Promise<unknown> {
  const content = 'from a generated client';
  const sent = await sendMessage(channel, { content }, { idempotencyKey: 'one' }, agent);
  const read = await readChannel(channel, { after: 0, limit: 100 }, agent);
  const mentions = await listMentions({ limit: 5 }, agent);
  if (mentions.status !== 200) throw new Error(mentions.status === 429 ? mentions.data.error.code : 'refused');
  const refused = await listMentions({ limit: 101 }, agent);
  const overview = await readWorkspaceOverview(workspace, machine);
  const after: number = mentions.data.page.next_after;
  const authors: string[] = mentions.data.mentions.map(({ message }) => message.author.display_name);
  return { sent: sent.status, read, after, authors, refused, overview };
}

export const wrong = [
  // @ts-expect-error -- A cursor is a number.
  () => listMentions({ after: 'start' }),
  // @ts-expect-error -- A message has content.
  () => sendMessage('a', {}),
  // @ts-expect-error -- There is no such call.
  (api: typeof import('./api.js')) => api.deleteMessage('a'),
];
`;

/** Of the statuses that have no number in the description, which this generator does not know, the ones that a client meets. */
function numbered(name: string, value: unknown): unknown {
  if (name === '$id') return undefined;
  if (name !== 'responses' || typeof value !== 'object' || value === null || !('2XX' in value)) return value;
  const { '2XX': success, '4XX': _, ...others } = value as Record<string, unknown>;
  return { 200: success, ...others };
}

beforeAll(async () => {
  const config = await createConfig({});
  const { bundle: bundled } = await bundle({ ref: packageFile('spec/openapi.yaml'), config });
  writeFileSync(at('openapi.json'), JSON.stringify(bundled.parsed, numbered));
  const generator = packageFile('node_modules/oazapfts/dist/cli.js');
  await run(process.execPath, [generator, at('openapi.json'), at('api.ts')]);
  writeFileSync(at('usage.ts'), usage);
  const compilerOptions = {
    strict: true,
    module: 'nodenext',
    target: 'es2022',
    types: ['node'],
    outDir: 'built',
  };
  writeFileSync(at('tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  const compiler = packageFile('node_modules/typescript/bin/tsc');
  const compiled = run(process.execPath, [compiler, '-p', folder]);
  said = (await compiled.catch((error: { readonly stdout: string }) => error)).stdout;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a client generated from the OpenAPI document', () => {
  it('has types for what a program does with it, and for what it must not do', async () => {
    expect(said).toBe('');
  });

  it('talks to the reference', async () => {
    await using reference = await startReference();
    const { baseUrl, world } = reference;
    const as = ({ token }: { readonly token: string }): object => ({
      baseUrl,
      headers: { Authorization: `Bearer ${token}` },
    });
    const { use } = (await import(at('built/usage.js'))) as {
      use: (...given: readonly unknown[]) => Promise<unknown>;
    };
    const { author, machine } = world.roles;
    expect(await use(as(author), as(machine), world.channelId, world.workspaceId)).toMatchObject({
      sent: 201,
      read: { status: 200, data: { messages: [{ content: 'from a generated client' }] } },
      after: expect.any(Number) as unknown,
      authors: [],
      refused: { status: 400, data: { error: { code: expect.any(String) as unknown } } },
      overview: { status: 200, data: { workspace: { id: world.workspaceId } } },
    });
  });
});
