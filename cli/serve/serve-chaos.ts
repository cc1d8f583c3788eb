import { fateKinds } from '../../harness/front/fate.ts';
import { startChaos } from '../../harness/front/chaos.ts';
import { err, out } from '../shared/output.ts';
import { behindOf, listening, upstreamOf } from './server-behind.ts';
import type { FrontOptions } from './front-options.ts';
import { untilInterrupted } from '../shared/time/time-limit.ts';
import { troubleInWords, troubleOf, type TroubleOptions } from '../shared/trouble-options.ts';

/**
 * Makes trouble until it is interrupted; says where on stdout, the rest on stderr.
 * @throws InvalidTarget where an option is wrong, or the port is taken
 */
export async function serveChaos(options: ChaosCommandOptions): Promise<void> {
  // From now on: who reads that it listens may end it at once.
  const interrupted = untilInterrupted();
  const upstream = upstreamOf(behindOf('chaos', options.target).target);
  const trouble = troubleOf(options, options.seed);
  const proxy = await listening(startChaos(upstream, trouble, options), options);
  out.say(`${proxy.baseUrl}\n`);
  const words = troubleInWords(trouble) || 'no trouble';
  err.say(`on the way to ${upstream.baseUrl}: ${words}; seed ${trouble.seed}; stop it with Ctrl-C\n`);
  await interrupted;
  const counts = proxy.counts();
  await proxy.close();
  err.say(`${fateKinds.map((kind) => `${kind} ${counts[kind]}`).join(', ')}\n`);
}

/** Options of `conform chaos`, as commander parses them. */
export interface ChaosCommandOptions extends FrontOptions, TroubleOptions {
  readonly seed: number;
}
