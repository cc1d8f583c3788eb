import { KnownSecrets } from '../../harness/output/known-secrets.ts';
import { Terminal } from '../../harness/output/terminal.ts';

/** What this process must show nowhere: a command adds what it comes to know. */
export const secrets = new KnownSecrets();

/** Standard output; standard error where the results themselves go to standard output. */
export const out = new Terminal(process.stdout, secrets);

/** Leaves standard output to the results: what is for people goes to standard error from now on. */
export function leaveStandardOutput(): void {
  out.turnTo(process.stderr);
}

/** Standard error. */
export const err = new Terminal(process.stderr, secrets);
