import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { type Copy, DockerfileParser, type Instruction } from 'dockerfile-ast';
import { cleanEnv } from '../../../cli/conform.ts';
import type { MadeImage } from './describe-image.ts';

/** Does what a step of `RUN` would do, in its folder: for steps that need the network or take long. */
type StandIn = (folder: string) => void;

interface ImageOptions {
  /** Folder that the build is started with, already without what it ignores. */
  readonly context: string;
  /** By the whole command of a step; each has to be there. */
  readonly standIns: Readonly<Record<string, StandIn>>;
}

/**
 * An image whose steps were run without a container: the root of each stage is a temporary folder, and a base image a folder with the
 * programs that are of interest here. Steps of `RUN` may name relative paths alone, since they run on this machine.
 */
export class Image implements MadeImage {
  readonly root: string;
  readonly settings: ReadonlyMap<string, string>;
  readonly #folder = mkdtempSync(join(tmpdir(), 'conform-image-'));
  readonly #stages = new Map<string, string>();

  constructor(text: string, { context, standIns }: ImageOptions) {
    const file = DockerfileParser.parse(text);
    const used = new Set<string>();
    const settings = new Map<string, string>();
    let stage = { root: '', cwd: '/' };
    for (const step of file.getInstructions()) {
      const content = step.getArgumentsContent() ?? '';
      const keyword = step.getKeyword();
      const here = join(stage.root, stage.cwd);
      if (keyword === 'FROM') {
        stage = { root: this.#stage(content), cwd: '/' };
        settings.clear();
      } else if (keyword === 'WORKDIR') {
        stage.cwd = posix.resolve(stage.cwd, content);
        mkdirSync(join(stage.root, stage.cwd), { recursive: true });
      } else if (keyword === 'COPY') this.#copy(step as Copy, stage, context);
      else if (keyword === 'RUN') {
        const standIn = standIns[content];
        if (standIn === undefined) run(content, here);
        else standIn(here);
        used.add(content);
      } else settings.set(keyword, content);
    }
    const unused = Object.keys(standIns).filter((command) => !used.has(command));
    if (unused.length > 0) throw new Error(`no step is: ${unused.join('; ')}`);
    this.root = stage.root;
    this.settings = settings;
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #stage(from: string): string {
    const [base = '', , name = ''] = from.split(/\s+/);
    const root = join(this.#folder, String(this.#stages.size));
    mkdirSync(root);
    if (base !== 'scratch') layOutNode(root);
    this.#stages.set(name, root);
    return root;
  }

  #copy(step: Copy, { root, cwd }: { root: string; cwd: string }, context: string): void {
    const from = step.getFromFlag()?.getValue() ?? undefined;
    const source = from === undefined ? context : this.#stages.get(from);
    if (source === undefined) throw new Error(`there is no stage ${from}`);
    const places = placesOf(step);
    const to = join(root, posix.resolve(cwd, places.at(-1) ?? ''));
    const isInto = places.length > 2 || (places.at(-1) ?? '').endsWith('/');
    for (const place of places.slice(0, -1)) {
      const path = join(source, place);
      const isFile = statSync(path).isFile();
      cpSync(path, isFile && (isInto || existsSync(to)) ? join(to, posix.basename(place)) : to, copyAll);
    }
  }
}

const copyAll = { recursive: true, verbatimSymlinks: true };

function placesOf(step: Instruction): string[] {
  return step.getArguments().map((argument) => argument.getValue());
}

/** What an image of Node brings that matters here. */
export function layOutNode(root: string): void {
  for (const folder of [
    'usr/local/bin',
    'usr/local/lib/node_modules/npm',
    'opt/yarn-v1.22.22',
    'sbin',
    'lib/apk/db',
  ])
    mkdirSync(join(root, folder), { recursive: true });
  for (const file of ['npm', 'npx', 'corepack', 'yarn', 'yarnpkg'])
    writeFileSync(join(root, 'usr/local/bin', file), '', { mode: 0o755 });
  writeFileSync(join(root, 'sbin/apk'), '', { mode: 0o755 });
  symlinkSync(process.execPath, join(root, 'usr/local/bin/node'));
}

/** Runs a step as an image would, with the programs of this machine. */
function run(command: string, cwd: string): void {
  // What is deleted has to be inside the folder of the stage; a link may point out of the folder that it is in.
  const named = command.replace('#!/bin/sh', '').replace(/\bln -s \S+/, '');
  if (/(?:^|[\s'"=:>;])[/~]|\.\./.test(named)) throw new Error(`a step leaves its folder: ${command}`);
  execFileSync('sh', ['-ec', command], { cwd, env: cleanEnv, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** A copy of those files of a folder that its `.dockerignore` leaves: all are left out but those that it names. */
export function contextOf(folder: string, ignored: string): string {
  const context = mkdtempSync(join(tmpdir(), 'conform-context-'));
  const [all, ...names] = ignored.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  if (all !== '*' || names.some((name) => !/^![\w.-]+$/.test(name)))
    throw new Error('.dockerignore is not a list of what it keeps');
  for (const name of names.map((each) => each.slice(1)))
    if (existsSync(join(folder, name))) cpSync(join(folder, name), join(context, name), copyAll);
  return context;
}
