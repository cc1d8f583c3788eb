import { watch } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { InvalidTarget } from '../../harness/errors.ts';
import type { ServerPresence } from './server-presence.ts';

/** Editors write a file in several steps, and tools several files. */
const calmMs = 100;
/** How long a server may take to go down for a file that has changed. */
const reactionMs = 300;
/** Build and start of a server. */
const mostAwayMs = 120_000;

/**
 * Resolves once the server was restarted, or a file changed: then when the server is there again, should that have brought it down.
 * @throws InvalidTarget when a path cannot be watched; the reason of the signal when that aborts
 */
export async function nextChange(
  paths: readonly string[],
  server: ServerPresence,
  signal: AbortSignal,
): Promise<string> {
  const decided = new AbortController();
  const both = AbortSignal.any([signal, decided.signal]);
  try {
    const what = await Promise.race([
      server.backAgain(both).then(() => 'the server is back'),
      ...paths.map((path) => fileChange(path, both)),
    ]);
    if (what !== 'the server is back') await settled(server, signal);
    return what;
  } finally {
    decided.abort();
  }
}

/** A server that a change brings down comes back; another one goes on. */
async function settled(server: ServerPresence, signal: AbortSignal): Promise<void> {
  const timeout = AbortSignal.timeout(reactionMs);
  const isDown = await server.until(false, AbortSignal.any([signal, timeout])).then(
    () => true,
    () => false,
  );
  signal.throwIfAborted();
  if (isDown) await server.until(true, AbortSignal.any([signal, AbortSignal.timeout(mostAwayMs)]));
}

async function fileChange(path: string, signal: AbortSignal): Promise<string> {
  const name = await new Promise<string>((resolve, reject) => {
    try {
      const watcher = watch(path, { recursive: true, signal }, (_, file) => resolve(file ?? path));
      watcher.on('error', reject);
    } catch (cause) {
      const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
      reject(new InvalidTarget(`--watch ${path}: cannot be watched (${code})`, { cause }));
    }
  });
  await pause(calmMs, undefined, { signal });
  return `${name} has changed`;
}
