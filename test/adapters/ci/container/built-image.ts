import { execFileSync, type ExecFileSyncOptionsWithStringEncoding, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { packageFile } from '../../../../spec/package-file.ts';
import { cleanEnv } from '../../../cli/conform.ts';
import type { MadeImage } from './describe-image.ts';
import { layOutNode } from './image-steps.ts';

/** Whether a program is in PATH. */
function isThere(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
}

/** Why no image can be built here, for the title of its tests. */
export const whyNotBuilt: string =
  process.platform === 'linux' && process.getuid?.() === 0 && isThere('buildah')
    ? ''
    : ' (skipped: it takes Linux, root, and buildah in PATH; apt-get install buildah)';

/** What the steps of the Containerfile call, beside what Node brings. */
const programs = ['sh', 'rm', 'ln', 'chmod', 'mkdir', 'tar', 'gzip', 'env'];

/**
 * The image as buildah makes it of the Containerfile: without a daemon, each step in a changed root. The base image, which would have to
 * be fetched, is one made of this machine's Node.
 */
export class BuiltImage implements MadeImage {
  readonly root: string;
  readonly settings: ReadonlyMap<string, string>;
  readonly labels: ReadonlyMap<string, string>;
  readonly #folder = mkdtempSync(join(tmpdir(), 'conform-built-'));
  readonly #container: string;

  constructor(text: string, context: string) {
    const base = join(this.#folder, 'base');
    layOutBase(base);
    this.#build('FROM scratch\nCOPY . /\n', 'localhost/stand-in', base);
    const standing = text.replaceAll(/^FROM node:\S+/gm, 'FROM localhost/stand-in');
    this.#build(standing, 'localhost/conform', context);
    const { OCIv1: image } = JSON.parse(this.#buildah('inspect', '--type', 'image', 'localhost/conform')) as {
      OCIv1: { config: { User: string; Cmd: string[]; Labels: Record<string, string> } };
    };
    const { User: user, Cmd: command, Labels: labels } = image.config;
    this.settings = new Map([
      ['USER', user],
      ['CMD', JSON.stringify(command)],
    ]);
    this.labels = new Map(Object.entries(labels));
    this.#container = this.#buildah('from', '--pull-never', 'localhost/conform').trim();
    this.root = this.#buildah('mount', this.#container).trim();
  }

  /** Runs a command as the image's user, with a folder of this machine as `/results`. Returns what it printed; fails as it does. */
  run(results: string, ...command: readonly string[]): string {
    const volume = `${results}:/results`;
    return this.#buildah(
      'run',
      '--isolation',
      'chroot',
      '--volume',
      volume,
      this.#container,
      '--',
      ...command,
    );
  }

  /** The same where nothing can be written but `/tmp` and `/results`, and no privilege is left. */
  runReadOnly(results: string, ...command: readonly string[]): string {
    const script = `
      root=$1 results=$2; shift 2
      mount --bind "$root" "$root"
      mount -o remount,ro,bind "$root"
      mount -t tmpfs tmpfs "$root/tmp"
      mount --bind "$results" "$root/results"
      mount -t proc proc "$root/proc"
      mount --bind /dev "$root/dev"
      exec setpriv --no-new-privs chroot --userspec=1000:1000 "$root" \
        sh -c 'cd /work && exec env -i PATH=/usr/local/bin:/usr/bin:/bin "$@"' sh "$@"
    `;
    return execFileSync(
      'unshare',
      ['--mount', 'sh', '-ec', script, 'sh', this.root, results, ...command],
      quietly,
    );
  }

  remove(): void {
    this.#buildah('rm', '--all');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #build(text: string, tag: string, context: string): void {
    const file = join(this.#folder, 'Containerfile');
    writeFileSync(file, text);
    this.#buildah(
      'bud',
      '--isolation',
      'chroot',
      '--pull-never',
      '--quiet',
      '--file',
      file,
      '--tag',
      tag,
      context,
    );
  }

  #buildah(...args: readonly string[]): string {
    const store = ['--root', join(this.#folder, 'store'), '--runroot', join(this.#folder, 'run')];
    return execFileSync('buildah', [...store, '--storage-driver', 'vfs', ...args], quietly);
  }
}

const quietly: ExecFileSyncOptionsWithStringEncoding = {
  encoding: 'utf8',
  env: cleanEnv,
  stdio: ['ignore', 'pipe', 'pipe'],
  maxBuffer: 2 ** 26,
};

/** A root with this machine's Node and npm, the programs of the steps, and the libraries of all of them. */
function layOutBase(root: string): void {
  mkdirSync(root);
  layOutNode(root);
  for (const folder of ['usr/bin', 'usr/lib', 'usr/local/etc', 'lib64', 'etc/ssl/certs', 'root', 'home/node'])
    mkdirSync(join(root, folder), { recursive: true });
  mkdirSync(join(root, 'tmp'), { mode: 0o1777 });
  const at = (path: string): string => join(root, path);
  const npm = dirname(dirname(realpathSync(whichOf('npm'))));
  rmSync(at('usr/local/bin/node'));
  rmSync(at('usr/local/bin/npm'));
  copyFileSync(process.execPath, at('usr/local/bin/node'));
  cpSync(npm, at('usr/local/lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', at('usr/local/bin/npm'));
  for (const program of programs) copyFileSync(realpathSync(whichOf(program)), at(`usr/bin/${program}`));
  symlinkSync('usr/bin', at('bin'));
  const natives = readdirSync(packageFile('node_modules'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.startsWith('@libsql/') && file.endsWith('.node'))
    .map((file) => packageFile(`node_modules/${file}`));
  const binaries = [process.execPath, ...programs.map((program) => at(`usr/bin/${program}`)), ...natives];
  for (const library of new Set(binaries.flatMap(librariesOf)))
    copyFileSync(
      library,
      library.startsWith('/lib64/') ? at(library.slice(1)) : at(`usr/lib/${basename(library)}`),
    );
  writeFileSync(at('etc/passwd'), 'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n');
  writeFileSync(at('etc/group'), 'root:x:0:\nnode:x:1000:\n');
  layOutRegistry(at);
}

/** The registry that this machine's npm asks, and the authorities that it trusts. */
function layOutRegistry(at: (path: string) => string): void {
  const configured = (key: string): string =>
    execFileSync('npm', ['config', 'get', key], { encoding: 'utf8', env: cleanEnv }).trim();
  const authorities = configured('cafile');
  const isTrusted = authorities !== 'null' && existsSync(authorities);
  if (isTrusted) copyFileSync(realpathSync(authorities), at('etc/ssl/certs/authorities.crt'));
  const lines = [
    `registry=${configured('registry')}`,
    ...(isTrusted ? ['cafile=/etc/ssl/certs/authorities.crt'] : []),
  ];
  writeFileSync(at('usr/local/etc/npmrc'), `${lines.join('\n')}\n`);
}

function whichOf(program: string): string {
  return execFileSync('sh', ['-c', 'command -v "$1"', 'sh', program], { encoding: 'utf8' }).trim();
}

/** None of what was made for another C library. */
function librariesOf(binary: string): string[] {
  return spawnSync('ldd', [binary], { encoding: 'utf8' }).stdout.match(/\/\S+(?= \()/g) ?? [];
}
