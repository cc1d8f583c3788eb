import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { parse } from 'yaml';
import { separateReference, type SeparateReference } from './conform.ts';

/** What `conform reference` prints. */
export interface PrintedTarget {
  readonly base_url: string;
  readonly channel: string;
  readonly second_channel: string;
  readonly workspace: string;
  readonly roles: Readonly<Record<string, string>>;
  readonly hooks: Readonly<Record<string, { readonly command: readonly string[] }>>;
}

/** A reference in a process of its own for all tests of a file, and a folder with its target file. */
export class UsedReference {
  readonly folder = mkdtempSync(join(tmpdir(), 'conform-'));
  readonly targetPath = join(this.folder, 'conform.yaml');
  #reference: SeparateReference | undefined;

  constructor() {
    beforeAll(async () => {
      this.#reference = await separateReference();
      writeFileSync(this.targetPath, this.targetFile);
    });
    afterAll(async () => {
      await this.#reference?.close();
      rmSync(this.folder, { recursive: true, force: true });
    });
  }

  get targetFile(): string {
    return this.#reference?.targetFile ?? '';
  }

  get target(): PrintedTarget {
    return parse(this.targetFile) as PrintedTarget;
  }
}
