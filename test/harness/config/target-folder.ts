import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TargetFlags } from '../../../harness/config/reading/flag-layers.ts';
import type { Target } from '../../../harness/config/target.ts';
import { InvalidTarget } from '../../../harness/errors.ts';
import {
  readTarget,
  type ReadTarget,
  type TargetInput,
} from '../../../harness/config/reading/read-target.ts';

export const channelId = '5b6d5e0c-2f0e-4f6c-9a35-1d3c8f6f2a10';
export const secondChannelId = '00f0a3c4-7d52-4b7e-8a68-1f0d3c5b7a99';

/** The target of flags alone, at a server of no consequence where they name none. */
export function targetOf(flags: TargetFlags = {}, env: NodeJS.ProcessEnv = {}): Target {
  return readTarget({ flags: { baseUrl: 'https://host', ...flags }, env, cwd: '/' }).target;
}

/** A folder of its own with a target file `conform.yaml`, and others, to read a target in. */
export class TargetFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'conform-target-'));

  /** Writes files by relative path. */
  with(files: Readonly<Record<string, string | Uint8Array>>): this {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(this.path, name)), { recursive: true });
      writeFileSync(join(this.path, name), content);
    }
    return this;
  }

  /** Reads `conform.yaml` in this folder, with no flags and no environment unless given. */
  read(input: Partial<TargetInput> = {}): ReadTarget {
    return readTarget({ file: 'conform.yaml', flags: {}, env: {}, cwd: this.path, ...input });
  }

  /** The message of the refusal; fails when the target is taken. */
  refusal(input: Partial<TargetInput> = {}): string {
    return refusalOf(() => this.read(input));
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** The message of the `InvalidTarget` that `read` throws; anything else that it does fails the test. */
export function refusalOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof InvalidTarget) return error.message;
    throw error;
  }
  throw new Error('the target was taken');
}
