import { fateKinds } from '../../chaos/fate.ts';
import type { Trouble } from '../../chaos/fate.ts';
import { startChaos } from '../../chaos/proxy.ts';
import type { ChaosProxy } from '../../chaos/proxy.ts';
import type { Upstream } from '../../chaos/upstream.ts';
import { InvalidTarget } from '../../harness/errors.ts';
import { err, out } from '../shared/output.ts';
import { targetOf } from '../shared/target-options.ts';
import type { ChaosCommandOptions } from './chaos-options.ts';
import { describeTrouble, troubleOf } from '../shared/trouble-options.ts';

/**
 * Makes trouble until it is interrupted; says where on stdout, the rest on stderr.
 * @throws InvalidTarget where an option is wrong, or the port is taken
 */
export async function serveChaos(options: ChaosCommandOptions): Promise<void> {
  // From now on: who reads that it listens may end it at once.
  const interrupted = interruption();
  const upstream = upstreamOf(options.target);
  const trouble = troubleOf(options, options.seed);
  const proxy = await listen(upstream, trouble, options);
  out.say(`${proxy.baseUrl}\n`);
  const words = describeTrouble(trouble) || 'no trouble';
  err.say(`on the way to ${upstream.baseUrl}: ${words}; seed ${trouble.seed}; stop it with Ctrl-C\n`);
  await interrupted;
  const counts = proxy.counts();
  await proxy.close();
  err.say(`${fateKinds.map((kind) => `${kind} ${counts[kind]}`).join(', ')}\n`);
}

/** Of a target file only the server counts: who asks brings the rest along. */
function upstreamOf(server: string): Upstream {
  const isUrl = /^https?:/i.test(server);
  const { target } = targetOf(isUrl ? { baseUrl: server } : { target: server }, {});
  const { ca, cert, key } = target.connection;
  return { baseUrl: target.baseUrl, ca, cert, key };
}

async function listen(
  upstream: Upstream,
  trouble: Trouble,
  { port, host }: ChaosCommandOptions,
): Promise<ChaosProxy> {
  try {
    return await startChaos(upstream, trouble, { port, host });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InvalidTarget(
      `no listening at ${host}, port ${port} (${code ?? String(error)}); --port 0 takes a free one`,
    );
  }
}

function interruption(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve()).once('SIGTERM', () => resolve());
  });
}
