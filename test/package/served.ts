import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** References served by an installed package, until all of them are closed. */
export class Served {
  readonly #children: ChildProcess[] = [];

  /** Serves one more by the command `conform` of an environment, with its target file in `folder`. */
  async start(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
    const child = spawn('conform', ['reference'], { stdio: 'pipe', env });
    this.#children.push(child);
    let targetFile = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (targetFile += text));
    // The listening line comes once the target file is out.
    await once(child.stderr, 'data');
    writeFileSync(join(folder, 'conform.yaml'), targetFile);
  }

  /** Stops all of them. */
  async close(): Promise<void> {
    await Promise.all(
      this.#children.map(async (child) => {
        if (child.exitCode !== null) return;
        const closed = once(child, 'close');
        child.kill('SIGTERM');
        await closed;
      }),
    );
  }
}
