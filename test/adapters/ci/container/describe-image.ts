import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { validate } from 'dockerfile-utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { packageFile } from '../../../../spec/package-file.ts';
import { cleanEnv } from '../../../cli/conform.ts';
import { topFolders } from '../../../house.ts';
import { UserFolder } from '../../../package/user-folder.ts';
import { contextOf } from './image-steps.ts';

const root = dirname(packageFile('package.json'));
const text = readFileSync(packageFile('Containerfile'), 'utf8');

/** An image, however it was made. */
export interface MadeImage {
  /** Where its root is. */
  readonly root: string;
  /** What the last stage sets, by keyword: `USER`, `CMD`, …; the last of each. */
  readonly settings: ReadonlyMap<string, string>;
  /** Deletes it. */
  remove(): void;
}

interface Service {
  readonly command: readonly string[];
  readonly healthcheck: { readonly test: readonly string[] };
}

const { services } = parse(readFileSync(packageFile('adapters/ci/compose.yaml'), 'utf8'), {
  merge: true,
}) as {
  services: { server: Service; gate: Service };
};

/**
 * The tests that the image has to pass, and the services made of it: its steps, what is in it, and what its commands do. `make` makes it
 * of the Containerfile and a folder with what its build is started with; an image that is built has what npm installs and packs.
 */
export function describeImage(
  make: (text: string, context: string) => MadeImage,
  { isBuilt }: { readonly isBuilt: boolean },
  narrowed: (gate: readonly string[]) => readonly string[] = (gate) => gate,
): void {
  const context = contextOf(root, readFileSync(packageFile('.dockerignore'), 'utf8'));
  const volumes = mkdtempSync(join(tmpdir(), 'conform-volumes-'));
  const children: ChildProcess[] = [];
  let image: MadeImage | undefined;

  beforeAll(() => {
    image = make(text, context);
    for (const volume of ['target', 'results']) mkdirSync(join(volumes, volume));
  }, 300_000);

  afterAll(() => {
    for (const child of children) child.kill('SIGTERM');
    image?.remove();
    for (const folder of [context, volumes]) rmSync(folder, { recursive: true, force: true });
  }, 300_000);

  const at = (path: string): string => join(image?.root ?? '', path);

  /** Starts a command of the image or of a service, in the environment of its user. */
  function start(words: readonly string[]): ChildProcess {
    const placed = words.map((word) => word.replaceAll(/\/(?=(?:target|results)\/)/g, `${volumes}/`));
    const [program = '', ...args] = placed;
    const path = [at('usr/local/bin'), '/usr/bin', '/bin'].join(delimiter);
    const child = spawn(program, args, { cwd: at('work'), env: { ...cleanEnv, PATH: path }, stdio: 'pipe' });
    children.push(child);
    return child;
  }

  async function ended(words: readonly string[]): Promise<{ code: number | null; stdout: string }> {
    const child = start(words);
    let stdout = '';
    child.stdout?.setEncoding('utf8').on('data', (piece: string) => (stdout += piece));
    child.stderr?.resume();
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, stdout };
  }

  it('is described without a fault that a linter finds', () => {
    const severity = { deprecatedMaintainer: 2, instructionCmdMultiple: 2, instructionWorkdirRelative: 2 };
    expect(validate(text, severity)).toEqual([]);
    expect(validate(text.replace('WORKDIR /build', 'WORKDIR build'), severity)).not.toEqual([]);
    expect(validate(text.replace('USER node', 'USR node'), severity)).not.toEqual([]);
  });

  it('is built of every folder with sources', () => {
    const kept = readdirSync(context);
    expect(topFolders.filter((folder) => !kept.includes(folder))).toEqual([]);
    expect(kept).not.toContain('test');
  });

  describe('what runs', () => {
    it('has the package and its dependencies, and nothing of its development', () => {
      const own = filesIn(at('conform')).filter((file) => !file.startsWith('node_modules/'));
      expect(own.toSorted()).toEqual(isBuilt ? packedFiles() : own.toSorted());
      expect(own).toEqual(expect.arrayContaining(['README.md', 'spec/openapi.yaml', 'dist/index.d.ts']));
      expect(own.filter((file) => /^(?:test|bench|cli|index\.ts)\b|\.map$/.test(file))).toEqual([]);
      expect(readdirSync(at('conform/node_modules'))).toContain('libsql');
      expect(readdirSync(at('conform/node_modules'))).not.toContain('vitest');
    });

    it('adds less than 60 MB to what Node takes', () => {
      const sizes = execFileSync('du', ['-skL', at('conform')], { encoding: 'utf8' });
      expect(Number(/^\d+/.exec(sizes)?.[0])).toBeLessThan(60_000);
      expect(Number(/^\d+/.exec(sizes)?.[0])).toBeGreaterThan(10_000);
    });

    it('has no package manager', () => {
      expect(readdirSync(at('usr/local/bin')).toSorted()).toEqual(['conform', 'node', 'reference']);
      expect(readdirSync(at('sbin'))).toEqual([]);
      expect(readdirSync(at('usr/local/lib'))).toEqual([]);
      expect(readdirSync(at('lib'))).toEqual([]);
      expect(readdirSync(at('opt'))).toEqual([]);
    });

    it('is started by a user who is not root, and says how to use it', async () => {
      expect(image?.settings.get('USER')).toBe('node');
      const { code, stdout } = await ended(JSON.parse(image?.settings.get('CMD') ?? '[]') as string[]);
      expect(stdout).toMatch(/^Usage: conform /);
      expect(code).toBe(0);
    });

    it('tells the command of a place where it is installed for everybody', async () => {
      const { stdout } = await ended(['conform', 'show', 'send.content-bytes']);
      expect(stdout).toContain('\n  conform --clause send.content-bytes\n');
    });
  });

  it('the services side by side end with the exit code of the run, once the server is healthy', async () => {
    const server = start(services.server.command.map((word) => word.replace('--port 4010', '--port 0')));
    server.stderr?.resume();
    const [kind, ...probe] = services.server.healthcheck.test;
    expect(kind).toBe('CMD');
    for (let tries = 0; tries < 200 && (await ended(probe)).code !== 0; tries += 1) await sleep(100);
    expect(statSync(join(volumes, 'target/conform.yaml')).mode & 0o777).toBe(0o600);
    const { code, stdout } = await ended(narrowed(services.gate.command));
    expect(stdout).toMatch(/^conforms/m);
    expect(code).toBe(0);
    for (const file of ['results.ndjson', 'junit.xml', 'report.html'])
      expect(statSync(join(volumes, 'results', file)).size).toBeGreaterThan(100);
    const closed = once(server, 'close');
    server.kill('SIGTERM');
    await closed;
    expect((await ended(narrowed(services.gate.command))).code).toBe(3);
  });
}

/** What a tarball of this checkout has, without what was compiled of sources that have moved since. */
function packedFiles(): string[] {
  const user = new UserFolder();
  user.remove();
  const isStale = (file: string): boolean => {
    const [, source] = /^dist\/(.*?)(?:\.d)?\.[jt]s$/.exec(file) ?? [];
    return source !== undefined && !existsSync(join(root, `${source}.ts`));
  };
  return user.files.filter((file) => !isStale(file)).toSorted();
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
}
