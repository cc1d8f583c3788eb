import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Between two looks at whether a server listens, in ms: one that restarts is away for longer. */
const pollMs = 100;
const patienceMs = 2_000;

/** Whether something listens at the address of a server, seen from outside: one connection at a time, without a request. */
export class ServerPresence {
  readonly #host: string;
  readonly #port: number;

  constructor(baseUrl: string) {
    const { hostname, port, protocol } = new URL(baseUrl);
    this.#host = hostname.replace(/^\[|\]$/g, '');
    this.#port = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
  }

  /** Resolves once the server has been away and is back. */
  async backAgain(signal: AbortSignal): Promise<void> {
    await this.until(false, signal);
    await this.until(true, signal);
  }

  /** Resolves once the server listens, or does not. */
  async until(isUp: boolean, signal: AbortSignal): Promise<void> {
    while ((await this.isUp()) !== isUp) await pause(pollMs, undefined, { signal });
    signal.throwIfAborted();
  }

  isUp(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(this.#port, this.#host);
      const end = (isUp: boolean) => (): void => {
        socket.destroy();
        resolve(isUp);
      };
      socket.setTimeout(patienceMs, end(false)).on('connect', end(true)).on('error', end(false));
    });
  }
}
