import { readFileSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import type { HeaderEvent } from '../../harness/results/generated/events.ts';
import type { TargetPlace } from '../../reporters/formats/format.ts';

/**
 * Where the target file of a run names its server, from the root of the checkout on; `undefined` where no file did, or it is not
 * there any more.
 */
export function targetPlace(
  header: HeaderEvent | undefined,
  root = process.env['GITHUB_WORKSPACE'] ?? process.env['CI_PROJECT_DIR'] ?? process.cwd(),
): TargetPlace | undefined {
  const command = header?.command ?? [];
  const given = command.findLast((_, index) => command[index - 1] === '--target');
  const attached = command.findLast((word) => word.startsWith('--target='))?.slice('--target='.length);
  const file = given ?? attached;
  if (file === undefined) return undefined;
  const path = relative(root, resolve(file));
  // What is outside of the checkout no platform can show.
  if (path.startsWith('..')) return undefined;
  const line = lineOfServer(file);
  return line === undefined ? undefined : { uri: path.split(sep).map(encodeURIComponent).join('/'), line };
}

function lineOfServer(file: string): number | undefined {
  try {
    const lines = readFileSync(file, 'utf8').split('\n');
    return Math.max(1, lines.findIndex((line) => line.startsWith('base_url')) + 1);
  } catch {
    return undefined;
  }
}
