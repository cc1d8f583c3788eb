import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { InvalidTarget } from '../../harness/errors.ts';
import { writeCleanFile } from '../../harness/output/clean-file.ts';
import { countOf } from '../../reporters/quantities.ts';
import { generator } from '../../reporters/site/index-page.ts';
import { siteOn } from '../../reporters/site/site.ts';
import { namedResults, namedRuns } from './named-results.ts';
import { out, secrets } from '../shared/output.ts';
import { writtenCode } from '../shared/reports.ts';
import { probeOutputs } from '../shared/probe-outputs.ts';

/**
 * Writes a static site on kept results; gives the exit code, 0 whatever the results say. Nothing that is in the folder is removed.
 * @throws InvalidTarget when a file cannot be read, is no result stream, or the folder holds what no site is
 */
export function writeSite(results: readonly string[], folder: string): number {
  const named = results.map((each) => namedResults(each, nameOfFile));
  const index = join(folder, 'index.html');
  refuseOthers(folder, index);
  probeOutputs({
    folders: { '--site': folder },
    files: { '--site': index },
    inputs: named.map(({ file }) => file),
  });
  const runs = namedRuns(named);
  for (const { path, text } of siteOn(runs))
    writeCleanFile(join(folder, ...path.split('/')), secrets.cleanInFormat(text));
  const servers = new Set(runs.map(({ name }) => name)).size;
  out.say(`${countOf(runs.length, 'run')} of ${countOf(servers, 'server')}: ${index}\n`);
  return writtenCode();
}

/** A stream that nobody named is of the server that its file is called after. */
function nameOfFile(file: string): string {
  return basename(file).replace(/\.(?:ndjson|jsonl|json)$/i, '');
}

/** @throws InvalidTarget when a folder holds something, and no site of an earlier call */
function refuseOthers(folder: string, index: string): void {
  if (!existsSync(folder) || !statSync(folder).isDirectory() || readdirSync(folder).length === 0) return;
  if (existsSync(index) && beginningOf(index).includes(`<meta name="generator" content="${generator}"`))
    return;
  throw new InvalidTarget(`--site ${folder} holds other things than a site; name a new folder`);
}

function beginningOf(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(4_096);
    return bytes.toString('utf8', 0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}
