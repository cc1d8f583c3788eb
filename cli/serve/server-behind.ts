import type { Upstream } from '../../harness/front/upstream.ts';
import type { ReadTarget } from '../../harness/config/reading/read-target.ts';
import type { Target } from '../../harness/config/target.ts';
import { InvalidTarget } from '../../harness/errors.ts';
import { err } from '../shared/output.ts';
import { foundInWords, sourceOf } from '../shared/target-options.ts';
import { targetOf } from '../shared/target-of.ts';

/** Of a target only the server counts: who asks brings the rest along. */
export function upstreamOf({ baseUrl, connection }: Target): Upstream {
  const { ca, cert, key } = connection;
  return { baseUrl, ca, cert, key };
}

/**
 * The server that a command stands before: a base URL, a target file, or what the environment or this folder names.
 * @throws InvalidTarget naming what is wrong, where, and what to do
 */
export function behindOf(command: string, server: string | undefined): ReadTarget {
  if (server !== undefined)
    return /^https?:/i.test(server)
      ? targetOf({ baseUrl: server }, {})
      : targetOf({ target: server }, process.env);
  const source = sourceOf({}, process.env);
  if (source.from === 'nothing')
    throw new InvalidTarget(`${command} needs a server: name its base URL or a target file by --target`);
  err.say(foundInWords(source) ?? '');
  return targetOf({}, process.env);
}

/** @throws InvalidTarget where an address cannot be listened at */
export async function listening<Started>(
  started: Promise<Started>,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<Started> {
  try {
    return await started;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InvalidTarget(
      `no listening at ${host}, port ${port} (${code ?? String(error)}); --port 0 takes a free one`,
    );
  }
}
