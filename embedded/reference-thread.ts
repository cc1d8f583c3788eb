import { once } from 'node:events';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { prepareValidation } from '../spec/index.ts';
import { type FunctionHook, type HookName, hookNames, type Target } from '../harness/config/target.ts';
import { targetOfWorld } from './reference-target.ts';
import type { EmbeddedOptions, HookCall, HookOutcome, Serving } from './reference-worker.ts';

/** The embedded reference in a thread of its own; `close` ends it. Only the built program has the thread's file. */
export async function openReferenceThread(
  options: EmbeddedOptions = {},
  thread: Pick<WorkerOptions, 'env' | 'resourceLimits'> = {},
): Promise<{ target: Target; close: () => Promise<void> }> {
  const file = new URL('./reference-worker.js', import.meta.url);
  const worker = new Worker(file, { workerData: options, ...thread });
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const serving = await servingOf(worker, ended);
  const hooks = new HookCalls(worker);
  const target = targetOfWorld(serving);
  return {
    target: { ...target, hooks: hooks.functions },
    close: async () => {
      worker.postMessage('close');
      await ended;
    },
  };
}

/** What the thread says once it serves; without that it is ended, or it would keep the process. */
async function servingOf(worker: Worker, ended: Promise<void>): Promise<Serving> {
  try {
    const served = Promise.race([once(worker, 'message'), ended]);
    // The thread starts beside it.
    prepareValidation();
    const [serving] = ((await served) ?? []) as [Serving?];
    if (serving === undefined) throw new Error('the thread of the reference ended before it served');
    return serving;
  } catch (error) {
    await worker.terminate();
    throw error;
  }
}

interface WaitingCall {
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Hooks whose calls travel to the thread and whose outcomes come back, told apart by number. */
class HookCalls {
  readonly functions: Readonly<Record<HookName, FunctionHook>>;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, WaitingCall>();
  #calls = 0;

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (outcome: HookOutcome) => this.#settle(outcome));
    worker.on('error', (error) => this.#failAll(error));
    this.functions = Object.fromEntries(
      hookNames.map((hook): [HookName, FunctionHook] => [hook, { call: (input) => this.#call(hook, input) }]),
    ) as Record<HookName, FunctionHook>;
  }

  #call(hook: HookName, input: Readonly<Record<string, unknown>>): Promise<unknown> {
    this.#calls += 1;
    const call = this.#calls;
    return new Promise((resolve, reject) => {
      this.#waiting.set(call, { resolve, reject });
      this.#worker.postMessage({ call, hook, input } satisfies HookCall);
    });
  }

  #settle(outcome: HookOutcome): void {
    const waiting = this.#waiting.get(outcome.call);
    this.#waiting.delete(outcome.call);
    if ('error' in outcome) waiting?.reject(new Error(outcome.error));
    else waiting?.resolve(outcome.output);
  }

  #failAll(error: unknown): void {
    for (const { reject } of this.#waiting.values())
      reject(error instanceof Error ? error : new Error(String(error)));
    this.#waiting.clear();
  }
}
