import { KnownSecrets } from '../../harness/output/known-secrets.ts';
import { Terminal } from '../../harness/output/terminal.ts';

/** What this process must show nowhere: a command adds what it comes to know. */
export const secrets = new KnownSecrets();

/** Standard output. */
export const out = new Terminal(process.stdout, secrets);

/** Standard error. */
export const err = new Terminal(process.stderr, secrets);
