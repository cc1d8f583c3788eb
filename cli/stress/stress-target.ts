import { randomInt } from 'node:crypto';
import { startChaos } from '../../harness/front/chaos.ts';
import { InvalidTarget } from '../../harness/errors.ts';
import type { Target } from '../../harness/config/target.ts';
import { fuzzTarget } from '../campaign/fuzz-target.ts';
import { sourceOf } from '../shared/target-options.ts';
import { out } from '../shared/output.ts';
import { troubleInWords, troubleOf } from '../shared/trouble-options.ts';
import type { StressCommandOptions } from './stress-options.ts';
import { openKilledReference } from './killed-reference.ts';

/** A server to put under load. */
interface StressTarget {
  readonly target: Target;
  /** Restarts it in place of the target's hook. */
  readonly restart?: (() => Promise<void>) | undefined;
  readonly close: () => Promise<void>;
}

/**
 * The server to put under load, behind a proxy that makes trouble where the options ask for some.
 * @throws InvalidTarget naming what is wrong, where, and what to do
 */
export async function stressTarget(options: StressCommandOptions): Promise<StressTarget> {
  const trouble = troubleOf(options, options.seed ?? randomInt(2 ** 31));
  const words = troubleInWords(trouble);
  const opened = await plainTarget(options);
  if (words === '') return opened;
  const { baseUrl, connection } = opened.target;
  const { ca, cert, key } = connection;
  const proxy = await startChaos({ baseUrl, ca, cert, key }, trouble);
  out.say(`on the way to ${baseUrl}: ${words}, seed ${trouble.seed}\n`);
  return {
    ...opened,
    target: { ...opened.target, baseUrl: proxy.baseUrl },
    close: async () => {
      await proxy.close();
      await opened.close();
    },
  };
}

/**
 * The server that the options name, else an embedded reference: in this process, or in one of its own that restarts kill.
 * @throws InvalidTarget naming what is wrong, where, and what to do
 */
async function plainTarget(options: StressCommandOptions): Promise<StressTarget> {
  const { data, restarts } = options;
  if (data === undefined) {
    const opened = await fuzzTarget(options, 'a run of concurrent clients');
    if (restarts === 0 || opened.target.hooks.restart !== undefined) return opened;
    await opened.close();
    throw new InvalidTarget('--restarts needs hooks.restart in the target file (docs/hooks.md)');
  }
  const source = sourceOf(options, process.env);
  // A file that is only found names no other server than the one that is asked for here.
  if (source.from === 'address' || (source.from === 'file' && source.by !== 'folder'))
    throw new InvalidTarget('--data is for the embedded reference: name no server beside it');
  const reference = await openKilledReference(data);
  const { target, close } = await fuzzTarget({
    ...options,
    reference: false,
    target: reference.targetFile,
  }).catch(async (error: unknown) => {
    await reference.close();
    throw error;
  });
  out.say(`testing a reference with its data in ${data}\n`);
  return {
    target,
    restart: reference.killAndStart,
    close: async () => {
      await close();
      await reference.close();
    },
  };
}
