import { Agent, type Dispatcher } from 'undici';
import { createDispatcher } from '../client/dispatcher.ts';
import { isLoopback } from '../config/base-url.ts';
import { StayingProcess } from './staying-process.ts';
import type { CommandHook, Target, UrlHook } from '../config/target.ts';
import { remembered } from '../../spec/groups.ts';

/** How long a connection to the operator's server may take, in ms. */
const connectMs = 5_000;

/** What the calls of a run keep open between them: processes that stay, and connections to URLs. */
export class HookLinks {
  readonly #target: Target;
  readonly #env: NodeJS.ProcessEnv;
  readonly #processes = new Map<string, StayingProcess>();
  readonly #dispatchers = new Map<string, Dispatcher>();

  constructor(target: Target, env: NodeJS.ProcessEnv) {
    this.#target = target;
    this.#env = env;
  }

  /** The process of a command that stays: hooks that name the same words in the same folder share one. */
  processOf({ command, cwd }: CommandHook, env: NodeJS.ProcessEnv): StayingProcess {
    const key = JSON.stringify([cwd, ...command]);
    return remembered(this.#processes, key, () => new StayingProcess({ command, cwd, env }));
  }

  /**
   * What carries the calls of a URL. The target's certificate authority is trusted there too; its client certificate and its
   * headers are for its own server, and a proxy is for what is not on this machine.
   */
  dispatcherOf({ url }: UrlHook): Dispatcher {
    const { origin } = new URL(url);
    const known = this.#dispatchers.get(origin);
    if (known !== undefined) return known;
    const { ca } = this.#target.connection;
    const connection = { headers: {}, ca, cert: undefined, key: undefined };
    const made = isLoopback(url)
      ? new Agent({ connect: { timeout: connectMs, ...(ca === undefined ? {} : { ca }) } })
      : createDispatcher(new URL(url), {
          target: { ...this.#target, connection },
          timeouts: { connectMs, answerMs: 0 },
          env: this.#env,
        });
    this.#dispatchers.set(origin, made);
    return made;
  }

  /** Ends every process and connection. */
  async close(): Promise<void> {
    await Promise.all([
      ...[...this.#processes.values()].map((each) => each.close()),
      ...[...this.#dispatchers.values()].map((each) => each.destroy()),
    ]);
  }
}
