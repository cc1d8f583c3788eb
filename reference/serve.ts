import { startReference, type Reference, type ReferenceOptions } from './start.ts';

/** Where to serve; a port of 0 takes a free one, no data file means in memory. */
export interface ServeOptions extends Pick<ReferenceOptions, 'rules' | 'answer' | 'settings' | 'sources'> {
  readonly port: number;
  readonly host: string;
  readonly dataFile: string | undefined;
}

/** Starts the reference service as a command serves it, at a chosen address: the contract's rules unless others are given. */
export function serveReference({ dataFile, ...options }: ServeOptions): Promise<Reference> {
  return startReference({ ...options, ...(dataFile !== undefined && { dataFile }) });
}
