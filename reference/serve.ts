import type { Settings } from './model/settings.ts';
import { startReference, type Reference } from './start.ts';

/** Where to serve; a port of 0 takes a free one, no data file means in memory. */
export interface ServeOptions {
  readonly port: number;
  readonly host: string;
  readonly dataFile: string | undefined;
  readonly settings?: Partial<Settings>;
}

/** Starts the reference service as a command serves it: the contract's rules, at a chosen address. */
export function serveReference({ port, host, dataFile, settings }: ServeOptions): Promise<Reference> {
  return startReference({
    port,
    host,
    ...(dataFile !== undefined && { dataFile }),
    ...(settings !== undefined && { settings }),
  });
}
