import { randomBytes, timingSafeEqual } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type FunctionHook, type HookName, hookNames } from '../harness/config/target.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

/** Where hooks are called, and with what; `reference-hook` reads it from a file that only its owner can read. */
export interface OperatorAddress {
  readonly url: string;
  readonly token: string;
}

/** A surface beside the service, for the hooks of its operator. */
export interface OperatorListener {
  /** Path of the file that holds the {@link OperatorAddress}; it is removed on close. */
  readonly addressFile: string;
  /** Hooks are called at `<url>/<name>`. */
  readonly url: string;
  /** The `Authorization` of a call; whoever has it is the operator. */
  readonly authorization: string;
  close(): Promise<void>;
}

const maxInputBytes = 1_000_000;

/**
 * Serves hooks to other processes of this user: on the loopback interface, on a port of its own, and only to who holds
 * a random token. No part of the contract.
 */
export async function listenForHooks(
  hooks: Readonly<Record<HookName, FunctionHook>>,
): Promise<OperatorListener> {
  const token = randomBytes(24).toString('base64url');
  // First of all: where it cannot be made, nothing listens yet.
  const folder = temporaryFolder('conform-reference-');
  const server = createServer((request, response) => void serveOperator(request, response, { hooks, token }));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const addressFile = join(folder.path, 'operator.json');
  const address: OperatorAddress = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token,
  };
  writeFileSync(addressFile, JSON.stringify(address), { mode: 0o600 });
  return {
    addressFile,
    url: address.url,
    authorization: `Bearer ${token}`,
    close: async () => {
      folder.remove();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function serveOperator(
  request: IncomingMessage,
  response: ServerResponse,
  { hooks, token }: { hooks: Readonly<Record<HookName, FunctionHook>>; token: string },
): Promise<void> {
  const answer = (status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  try {
    if (!isSame(request.headers.authorization ?? '', `Bearer ${token}`))
      return answer(401, { error: 'not the operator' });
    const name = hookNames.find((each) => request.url === `/${each}`);
    if (request.method !== 'POST' || name === undefined) return answer(404, { error: 'no such hook' });
    const input = JSON.parse(await bodyOf(request)) as Readonly<Record<string, unknown>>;
    answer(200, (await hooks[name].call(input)) ?? {});
  } catch (error) {
    answer(500, { error: error instanceof Error ? error.message : String(error) });
  }
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > maxInputBytes) throw new Error('the input is too large');
  }
  return text;
}
