import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { packageFile } from '../../spec/package-file.ts';
import { asPath, asWord } from '../../harness/output/in-shell.ts';

const found = new Map<string, string>();

/** How the reader starts this program, by `CONFORM_COMMAND` where whoever started it says so; a report has thousands of commands, and looks for it once in a folder. */
export function ownCommand(): string {
  const [given, from] = [process.env['CONFORM_COMMAND'], process.cwd()];
  if (given !== undefined && given !== '') return given;
  const command = found.get(from) ?? commandAt(dirname(packageFile('package.json')), from);
  found.set(from, command);
  return command;
}

/**
 * How the reader starts this program where it is installed in a folder: by npx in a checkout, from the folder of a package that
 * depends on it, or with the package that npx was given, and by its name where it is installed for everybody. From a folder
 * where npx would find another program, or none, by its file.
 */
export function commandAt(root: string, from: string): string {
  const itself = `node ${asPath(join(root, 'dist/cli/main.js'))}`;
  if (existsSync(join(root, 'tsconfig.json'))) return isInFolder(root, from) ? 'npx conform' : itself;
  const project = projectOf(root);
  if (project === undefined) return 'conform';
  if (basename(dirname(project)) !== '_npx') return isInFolder(project, from) ? 'npx conform' : itself;
  return `npx --yes ${givenToNpx(project) ?? basename(root)}`;
}

/** The folder whose `node_modules` has this program among its commands; an install for everybody has no such. */
function projectOf(folder: string): string | undefined {
  const parent = dirname(folder);
  if (basename(folder) === 'node_modules' && existsSync(join(folder, '.bin', 'conform'))) return parent;
  return parent === folder ? undefined : projectOf(parent);
}

function isInFolder(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** What makes npx start a program that it keeps in a folder of its own: there `conform` alone would mean another package. */
function givenToNpx(project: string): string | undefined {
  const packages = packagesOf(join(project, 'package.json')).map((each) => asWord(withoutLogin(each)));
  if (packages.length < 2) return packages[0];
  return `${packages.map((each) => `--package=${each}`).join(' ')} conform`;
}

/** The packages that npx wrote down that it was asked for. */
function packagesOf(manifest: string): string[] {
  try {
    const { _npx: npx } = JSON.parse(readFileSync(manifest, 'utf8')) as { _npx?: { packages?: unknown } };
    return Array.isArray(npx?.packages) ? npx.packages.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}

function withoutLogin(address: string): string {
  return address.replace(/\/\/[^/@]*@/, '//');
}
