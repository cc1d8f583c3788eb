import { connect } from 'node:net';

const patienceMs = 2_000;

/** Whether something listens at the address of a server, seen from outside: one connection at a time, without a request. */
export class ServerPresence {
  readonly #host: string;
  readonly #port: number;
  /** Nothing but a proxy may reach it: it is up, as far as can be seen from here. */
  #isHidden: boolean;
  #wasUp: boolean;

  constructor(baseUrl: string, { isProxied = false } = {}) {
    this.#isHidden = isProxied;
    this.#wasUp = isProxied;
    const { hostname, port, protocol } = new URL(baseUrl);
    this.#host = hostname.replace(/^\[|\]$/g, '');
    this.#port = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
  }

  /** One that is too busy to accept is still what it was. */
  async isUp(): Promise<boolean> {
    this.#wasUp = await new Promise<boolean>((resolve) => {
      const socket = connect(this.#port, this.#host);
      const end = (isUp: () => boolean) => (): void => {
        socket.destroy();
        resolve(isUp());
      };
      socket
        .setTimeout(
          patienceMs,
          end(() => this.#wasUp),
        )
        .on(
          'connect',
          end(() => {
            this.#isHidden = false;
            return true;
          }),
        )
        .on(
          'error',
          end(() => this.#isHidden),
        );
    });
    return this.#wasUp;
  }
}
