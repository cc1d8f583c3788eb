import { afterEach, beforeEach, expect } from 'vitest';
import { HookFailed } from '../../../harness/errors.ts';
import type { Hook } from '../../../harness/config/target.ts';
import { HookLinks } from '../../../harness/hooks/hook-links.ts';
import type { HookAnswer } from '../../../harness/hooks/hook-protocol.ts';
import { callHook, type HookSurroundings } from '../../../harness/hooks/hooks.ts';
import { TargetFolder, targetOf } from '../config/target-folder.ts';
import { KnownSecrets } from '../../../harness/output/known-secrets.ts';

export const token = 's3cret-t0ken';

/** A folder for the programs of each test, and what calls hooks from there; both end with the test. */
interface HookBench {
  readonly path: () => string;
  readonly surroundings: (more?: Partial<HookSurroundings>) => HookSurroundings;
  /** What the end of a run does. */
  readonly close: () => Promise<void>;
  readonly revoke: (hook: Hook, more?: Partial<HookSurroundings>) => Promise<HookAnswer>;
}

/** Sets the bench up for every test of the file that calls this. */
export function useHooks(): HookBench {
  let folder: TargetFolder;
  let links: HookLinks;
  beforeEach(() => {
    folder = new TargetFolder();
    links = new HookLinks(targetOf(), {});
  });
  afterEach(async () => {
    await links.close();
    folder.remove();
  });
  const surroundings = (more: Partial<HookSurroundings> = {}): HookSurroundings => ({
    baseUrl: 'http://127.0.0.1:9/prefix',
    env: { PATH: process.env['PATH'] },
    secrets: new KnownSecrets([token]),
    signal: new AbortController().signal,
    links,
    ...more,
  });
  return {
    path: () => folder.path,
    surroundings,
    close: () => links.close(),
    revoke: (hook, more) => callHook('revoke', hook, { token }, surroundings(more)),
  };
}

/** The message of the `HookFailed` that a call ends with: one line without the secrets. */
export async function refusalOf(
  call: Promise<unknown>,
  secrets: readonly string[] = [token],
): Promise<string> {
  const error: unknown = await call.then(
    () => new Error('the hook was taken to have worked'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof HookFailed)) throw error;
  for (const secret of secrets) expect(error.message).not.toContain(secret);
  expect(error.message).not.toMatch(/\n/);
  return error.message;
}
