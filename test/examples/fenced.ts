import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, it } from 'vitest';
import { cleanEnv, conform, separateReference } from '../cli/conform.ts';
import { UsedReference } from '../cli/use-reference.ts';
import { linesBy, nightlyPages } from '../docs/excused.ts';
import { type FencedLine, root } from '../docs/pages.ts';
import { tool, withoutFetching } from './example.ts';
import { Shell } from './shell.ts';

/** What does not end by itself, and what it says once it is at work. */
const serving: readonly (readonly [RegExp, RegExp])[] = [
  [/\breference\b(?!.*--list)/, /stop it with Ctrl-C/],
  [/\bchaos\b/, /stop it with Ctrl-C/],
  [/--watch\b/, /: testing |waiting for/],
];

/** What a page takes for granted beside a checkout and a server. */
const given: Readonly<Record<string, readonly string[]>> = {
  'docs/watch.md': ['results.ndjson'],
  'docs/reports.md': [
    'server-a.ndjson',
    'server-b.ndjson',
    'before.ndjson',
    'after.ndjson',
    'python.ndjson',
    'go.ndjson',
  ],
};

/** Lines that take a minute or much of a core as they stand, and what is typed of each with every change; the night types all of it. */
const longLines: readonly (readonly [long: RegExp, shorter: string])[] = [
  [/^npx conform fuzz(?= +#)/, '$& --cases 60'],
  [/^npx conform(?= +#)/, '$& --only auth,overview'],
  [/^npx conform client(?= -- )/, '$& --scenario read.mentions send.list'],
];

/** Pages whose reader has no target file yet. */
const withoutTarget = /client|quick-start/;

/** Pages about hooks: those restart the server, which is no other page's then. */
const withHooks = /hooks|watch/;

/** A folder as a checkout has it, with a target file of a server that is served, and with the command `conform` in the path. */
class Checkout {
  readonly path = mkdtempSync(join(tmpdir(), 'fenced-'));
  readonly #shells: Shell[] = [];
  readonly #env: NodeJS.ProcessEnv;

  constructor(page: string, targetFile: string, results: string) {
    for (const name of readdirSync(root))
      if (!/^(?:\.git|\.conform|conform\.yaml|.*-results)$/.test(name))
        symlinkSync(join(root, name), join(this.path, name));
    mkdirSync(join(this.path, 'bin'));
    mkdirSync(join(this.path, 'src'));
    const shim = `#!/bin/sh\nexec node ${join(root, 'dist/cli/main.js')} "$@"\n`;
    writeFileSync(join(this.path, 'bin/conform'), shim, { mode: 0o755 });
    // Hooks take most of the time of a run, and the other pages are about none of them.
    const target = withHooks.test(page) ? targetFile : targetFile.replace(/^hooks:[^]*/m, '');
    if (!withoutTarget.test(page)) writeFileSync(join(this.path, 'conform.yaml'), target);
    for (const name of given[page] ?? []) cpSync(results, join(this.path, name));
    this.#env = {
      ...cleanEnv,
      ...withoutFetching,
      PATH: `${join(this.path, 'bin')}:${process.env['PATH'] ?? ''}`,
    };
  }

  /** Types a line, and says how it ended; what serves is left at work. */
  async type(line: string): Promise<{ readonly code: number | null; readonly output: string }> {
    const shell = new Shell(line, this.path, this.#env);
    this.#shells.push(shell);
    const sign = serving.find(([command]) => command.test(line))?.[1];
    while (sign !== undefined && !shell.hasEnded) {
      if (sign.test(shell.stdout + shell.stderr)) {
        // What is watched goes on for ever, beside nothing that follows.
        if (line.includes('--watch')) await shell.stop();
        return { code: 0, output: '' };
      }
      await wait(50);
    }
    const code = await shell.ended();
    return { code, output: shell.stdout + shell.stderr };
  }

  async remove(): Promise<void> {
    await Promise.all(this.#shells.map((shell) => shell.stop()));
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** What is typed here: a client is built of Go where there is Go. */
const { isDone: hasGo } = tool('go', ['version']);
const typed = linesBy.run.filter(({ page }) => hasGo || !page.startsWith('examples/client-go/'));

/** True of a line that is typed as it stands only every night. */
export function isLong({ page, line }: FencedLine): boolean {
  return nightlyPages.test(page) || longLines.some(([long]) => long.test(line));
}

/** The lines that are typed with every change, the long ones with less to do, and none of those on a second page. */
export const shortLines: readonly FencedLine[] = typed
  .filter(({ page }) => !nightlyPages.test(page))
  .filter((each, index, all) => !isLong(each) || all.findIndex(({ line }) => line === each.line) === index)
  .map(({ page, line }) => ({ page, line: shortened(line) }));

/** The lines of every page that has a long one, as they stand. */
export const nightlyLines: readonly FencedLine[] = typed.filter(({ page }) =>
  typed.some((each) => each.page === page && isLong(each)),
);

/** Without npx too: it takes most of a second, and finds what is first in the path as well. */
function shortened(line: string): string {
  const [long, shorter] = longLines.find(([each]) => each.test(line)) ?? ['', ''];
  return line.replace(long, shorter).replace(/^npx (?=conform\b)/, '');
}

/** Types fenced commands, those of each page in a folder of its own; side by side, the pages take little more than the longest. */
export function describeFenced(lines: readonly FencedLine[], { areSideBySide = false } = {}): void {
  const used = new UsedReference();
  const results = join(used.folder, 'results.ndjson');

  beforeAll(async () => {
    const targetFile = join(used.folder, 'broken.yaml');
    const broken = await separateReference(['--mutant', 'limit-ends-at-101']);
    writeFileSync(targetFile, broken.targetFile);
    await conform(['--target', targetFile, '--check', 'mentions.limit-of-101-is-refused', '--out', results]);
    await broken.close();
  });

  describe(
    'lines of a page end well, one after another,',
    { concurrent: areSideBySide, timeout: 600_000 },
    () => {
      it.for([...new Set(lines.map(({ page }) => page))])('of %s', async (page, { expect }) => {
        const own = withHooks.test(page) ? await separateReference() : undefined;
        const checkout = new Checkout(page, own?.targetFile ?? used.targetFile, results);
        try {
          for (const { line } of lines.filter((each) => each.page === page)) {
            const { code, output } = await checkout.type(line);
            expect(code, `${line}\n${output}`).toBe(0);
          }
        } finally {
          await checkout.remove();
          await own?.close();
        }
      });
    },
  );
}
