import { fateKinds, type Trouble } from '../../front/fate.ts';
import { type ChaosProxy, startChaos } from '../../front/chaos.ts';
import type { Upstream } from '../../front/upstream.ts';
import type { ReadTarget } from '../../harness/config/reading/read-target.ts';
import { InvalidTarget } from '../../harness/errors.ts';
import { err, out } from '../shared/output.ts';
import { foundInWords, sourceOf, targetOf } from '../shared/target-options.ts';
import { troubleInWords, troubleOf, type TroubleOptions } from '../shared/trouble-options.ts';

/**
 * Makes trouble until it is interrupted; says where on stdout, the rest on stderr.
 * @throws InvalidTarget where an option is wrong, or the port is taken
 */
export async function serveChaos(options: ChaosCommandOptions): Promise<void> {
  // From now on: who reads that it listens may end it at once.
  const interrupted = untilInterrupted();
  const upstream = upstreamOf(options.target);
  const trouble = troubleOf(options, options.seed);
  const proxy = await listenForClients(upstream, trouble, options);
  out.say(`${proxy.baseUrl}\n`);
  const words = troubleInWords(trouble) || 'no trouble';
  err.say(`on the way to ${upstream.baseUrl}: ${words}; seed ${trouble.seed}; stop it with Ctrl-C\n`);
  await interrupted;
  const counts = proxy.counts();
  await proxy.close();
  err.say(`${fateKinds.map((kind) => `${kind} ${counts[kind]}`).join(', ')}\n`);
}

/** Of a target file only the server counts: who asks brings the rest along. */
function upstreamOf(server: string | undefined): Upstream {
  const { target } = server === undefined ? foundTarget() : namedTarget(server);
  const { ca, cert, key } = target.connection;
  return { baseUrl: target.baseUrl, ca, cert, key };
}

function namedTarget(server: string): ReadTarget {
  return /^https?:/i.test(server)
    ? targetOf({ baseUrl: server }, {})
    : targetOf({ target: server }, process.env);
}

function foundTarget(): ReadTarget {
  const source = sourceOf({}, process.env);
  if (source.from === 'nothing')
    throw new InvalidTarget('chaos needs a server: name its base URL or a target file by --target');
  err.say(foundInWords(source) ?? '');
  return targetOf({}, process.env);
}

async function listenForClients(
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

function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve()).once('SIGTERM', () => resolve());
  });
}

/** Options of `conform chaos`, as commander parses them. */
export interface ChaosCommandOptions extends TroubleOptions {
  readonly target?: string;
  readonly port: number;
  readonly host: string;
  readonly seed: number;
}
