import { Option } from 'commander';
import { formatNames } from '../../reporters/formats/format.ts';
import { againCommands } from './again-commands.ts';
import { listOption } from './option-kinds.ts';
import { out, secrets } from './output.ts';
import type { Reports, ReportsOptions } from './reports.ts';
import { targetPlace } from './target-place.ts';

/** `junit, ctrf, …`: what can be asked for. */
const formatList: string = formatNames.join(', ');

/** The option by which a command writes its results for other readers. */
export function reportOption(): Option {
  return listOption(
    '--report <format=file...>',
    `write the results in another format: ${formatList}`,
    'none',
  );
}

/**
 * What is to be written at the end; `undefined` when nobody asked, and no platform is there that shows it.
 * @throws InvalidTarget on a value that is no format and file
 */
export async function openReports(
  values: readonly string[],
  { folder }: Pick<ReportsOptions, 'folder'> = {},
  env: NodeJS.ProcessEnv = process.env,
): Promise<Reports | undefined> {
  if (values.length === 0 && env['GITHUB_ACTIONS'] !== 'true') return undefined;
  // What writes formats takes time to load, and most runs write none.
  const { Reports: Opened } = await import('./reports.ts');
  const say = (text: string): void => out.say(text);
  return new Opened(values, { ...againCommands, targetPlace, folder, secrets, say, env });
}

/** The option by which a command prints what it comes to, and nothing else. */
export function quietOption(): Option {
  return new Option('--quiet', 'print the verdict alone, in one line, and errors');
}
