import { setMaxListeners } from 'node:events';

const known = new WeakSet<AbortSignal>();

/** The signal itself, to which requests and pauses may listen by the dozen: that is no leak, and nobody is to be warned. */
export function allowManyListeners(signal: AbortSignal): AbortSignal {
  if (known.has(signal)) return signal;
  known.add(signal);
  setMaxListeners(0, signal);
  return signal;
}
