import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { packageFile } from '../../spec/package-file.ts';
import { cleanEnv, type Ended } from '../cli/conform.ts';
import { runFolder } from '../run-folder.ts';
import type { OtherNode } from './newest-node.ts';

const waitMs = 60_000;

/** The tarball of what is built, packed by whichever test file of a run needs it first; building is for `npm test`. */
function packedTarball(): string {
  const folder = join(runFolder(), 'package');
  const tarball = join(folder, 'package.tgz');
  if (isFirst(folder)) pack(folder, tarball);
  const deadline = Date.now() + waitMs;
  while (!existsSync(tarball)) {
    if (Date.now() > deadline) throw new Error('another test file has not packed the package');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  }
  return tarball;
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

function pack(folder: string, tarball: string): void {
  const args = ['pack', '--ignore-scripts', '--json', '--loglevel=error', '--pack-destination', folder];
  const output = execFileSync('npm', args, {
    cwd: dirname(packageFile('package.json')),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [packed] = Object.values(JSON.parse(output) as Record<string, { filename: string }>);
  if (packed === undefined) throw new Error(`npm pack printed ${output}`);
  renameSync(join(folder, packed.filename), tarball);
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: object;
  readonly scripts: object;
  readonly dependencies: object;
  readonly peerDependencies: object;
}

/** What the lock file says of the packages that are installed. */
export const lockedPackages = Object.entries(
  (
    JSON.parse(readFileSync(packageFile('package-lock.json'), 'utf8')) as {
      packages: Record<string, { readonly dev?: boolean; readonly hasInstallScript?: boolean }>;
    }
  ).packages,
).filter(([path]) => path !== '');

const root = dirname(packageFile('package.json'));

interface UserOptions {
  /** The Node that everything runs on; by default the one that runs this. */
  readonly node?: OtherNode;
  /** Installed by npm, which asks the registry; otherwise unpacked beside links. */
  readonly isInstalled?: boolean;
}

/**
 * A folder outside this repository in which somebody else has installed the package: packed by npm and, unless npm installs it,
 * unpacked where an install would unpack it, beside links to its own dependencies and to nothing else. That needs no network.
 */
export class UserFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'conform-user-'));
  readonly manifest: Manifest;
  /** The files of the tarball, from the root of the package. */
  readonly files: readonly string[];
  readonly #node: OtherNode | undefined;
  readonly #modules = join(this.path, 'node_modules');
  readonly #commands = join(this.#modules, '.bin');

  constructor({ node, isInstalled = false }: UserOptions = {}) {
    this.#node = node;
    writeFileSync(join(this.path, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
    const tarball = packedTarball();
    const own = join(this.#modules, 'messaging-conformance');
    if (isInstalled) this.#install(tarball);
    else unpack(tarball, own);
    this.files = readdirSync(own, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(own, join(parentPath, name)));
    this.manifest = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as Manifest;
    if (!isInstalled) this.#linkAll(own);
  }

  /** Makes packages of this repository, by their places in its lock file, those of the user. */
  link(...places: readonly string[]): void {
    for (const place of places.filter((each) => each.lastIndexOf('node_modules/') === 0)) {
      const to = join(this.path, place);
      mkdirSync(dirname(to), { recursive: true });
      // What is for another platform is not there, and nobody reads the link.
      symlinkSync(join(root, place), to);
    }
  }

  /** Makes a command of a linked package one of the user. */
  linkCommand(name: string): void {
    symlinkSync(join(root, 'node_modules', '.bin', name), join(this.#commands, name));
  }

  /** The environment of the user: its own commands first, and its own Node. */
  get env(): NodeJS.ProcessEnv {
    const node = this.#node?.folder ?? dirname(process.execPath);
    return { ...cleanEnv, PATH: [this.#commands, node, process.env['PATH']].join(delimiter) };
  }

  /** Which Node it has. */
  get nodeVersion(): string {
    return this.#node?.version ?? process.version;
  }

  /** Runs a program to its end, in the folder of the user or in one of its folders. */
  async run(
    program: string,
    args: readonly string[],
    { env = {}, cwd = '.' }: RunOptions = {},
  ): Promise<Ended> {
    const startedMs = performance.now();
    const child = spawn(program, args, {
      cwd: join(this.path, cwd),
      env: { ...this.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, ...output, durationMs: performance.now() - startedMs };
  }

  /** Deletes everything. */
  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
    this.#node?.remove();
  }

  #install(tarball: string): void {
    const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', tarball];
    execFileSync('npm', args, { cwd: this.path, env: cleanEnv, stdio: ['ignore', 'ignore', 'inherit'] });
  }

  #linkAll(own: string): void {
    mkdirSync(this.#commands);
    for (const [name, file] of Object.entries(this.manifest.bin)) {
      // As every install does.
      chmodSync(join(own, file), 0o755);
      symlinkSync(join(own, file), join(this.#commands, name));
    }
    this.link(...lockedPackages.filter(([, { dev }]) => dev !== true).map(([path]) => path));
  }
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** From the folder of the user. */
  readonly cwd?: string;
}

function unpack(tarball: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components', '1']);
}
