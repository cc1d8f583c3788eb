import { existsSync } from 'node:fs';
import { packageFile } from '../../spec/index.ts';
import { asPath } from '../../harness/output/in-shell.ts';
import { secrets } from './output.ts';

/** How the reader started this program, as it can be typed again: by npm in a checkout, by npx, or by its name. */
export function ownCommand(
  env: NodeJS.ProcessEnv = process.env,
  isCheckout = existsSync(packageFile('tsconfig.json')),
): string {
  if (isCheckout) return 'npm run conform --';
  return env['npm_command'] === 'exec' ? 'npx conform' : 'conform';
}

/** The command that sends the request of a failure file again. */
export function replayCommand(file: string): string {
  return `${ownCommand()} replay ${asPath(secrets.clean(file))}`;
}
