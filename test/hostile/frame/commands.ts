import { words } from './row.ts';

/** A run of one check, which lists mentions, and takes about a second. */
export const oneCheck = words('--target conform.yaml --check mentions.limit-of-101-is-refused');
