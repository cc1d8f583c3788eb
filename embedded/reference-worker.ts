// The embedded reference in a thread of its own: the run that judges it has the other core to itself.
import { parentPort, workerData } from 'node:worker_threads';
import { type HookName, hookNames } from '../harness/config/target.ts';
import { type ReferenceOptions, startReference, type World } from '../reference/index.ts';
import { hooksOfReference } from './reference-hooks.ts';

/** How the thread serves. */
export interface EmbeddedOptions extends Pick<ReferenceOptions, 'settings'> {
  /** URL of another build of `reference/index`; that of this build when omitted. */
  readonly build?: string;
}

/** What the thread says once it serves. */
export interface Serving {
  readonly baseUrl: string;
  readonly world: World;
}

/** A hook to call, and which call it is. */
export interface HookCall {
  readonly call: number;
  readonly hook: HookName;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What became of a hook call. */
export type HookOutcome =
  | { readonly call: number; readonly output: unknown }
  | { readonly call: number; readonly error: string };

const port = parentPort;
if (port !== null) {
  const { build, ...options } = (workerData ?? {}) as EmbeddedOptions;
  const start =
    build === undefined
      ? startReference
      : ((await import(build)) as { startReference: typeof startReference }).startReference;
  const reference = await start(options);
  const hooks = hooksOfReference(reference);
  port.on('message', (message: HookCall | 'close') => {
    if (message === 'close') void reference.close().then(() => port.close());
    else void answer(message).then((outcome) => port.postMessage(outcome));
  });
  port.postMessage({ baseUrl: reference.baseUrl, world: reference.world } satisfies Serving);

  async function answer({ call, hook, input }: HookCall): Promise<HookOutcome> {
    try {
      if (!hookNames.includes(hook)) throw new Error(`there is no hook ${hook}`);
      return { call, output: await hooks[hook].call(input) };
    } catch (error) {
      return { call, error: error instanceof Error ? error.message : String(error) };
    }
  }
}
