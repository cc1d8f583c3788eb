import type { Refusal } from './refusal.ts';

/** A request as it reached the service, by whatever way. */
export interface Request {
  readonly method: string;
  /** The path without its query, as it came. */
  readonly path: string;
  /** What follows the question mark, as it came. */
  readonly query: string;
  readonly headers: Readonly<{ authorization?: string | undefined }> &
    Readonly<Record<string, string | string[] | undefined>>;
  /** Why it is refused before anything of it is looked at; `undefined` for nothing. */
  readonly fault: Refusal | undefined;
  /**
   * The JSON object in its body, the same one however often it is asked for.
   * @throws Refusal when there is none
   */
  readonly body: () => Promise<Readonly<Record<string, unknown>>>;
  /** What it came on: the same for all requests of one connection. */
  readonly connection: object;
  /** A signal that aborts when the client goes away before it was answered; only a call that waits asks for one. */
  readonly goneSignal: () => AbortSignal;
}
