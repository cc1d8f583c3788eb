import { encodings } from '../../harness/output/encodings.ts';
import { type Answer, type Asked, front } from '../../fixtures/front.ts';
import type { OpenServer } from '../frame/row.ts';

/** Where an answer sends secrets back. */
type Place = 'errors' | 'bodies' | 'headers' | 'redirects';

/** The value of the header that stands for a gateway's key in these rows. */
export const gatewayKey = 'gk_8Zq1/Lw+4rT0yVb7cN2m9XsE';
/** The value of another one, of what formats have to escape. */
export const gatewaySecret = `k&9<"qZ'7>w&2_"x*R'<5|m&p>8"t`;

/** Ways of writing that a header name or an error code may have. */
const inNames = ['in lower case', 'in upper case', 'in hexadecimal', 'in base64url', 'backwards'] as const;

/**
 * A server that answers right but for this: whatever credential it is sent goes back, in some places, in every encoding by
 * turns.
 */
export function echoing(...places: readonly Place[]): OpenServer {
  const has = new Set<Place>(places);
  return front({
    changed: (answer, asked) => {
      const secrets = secretsOf(asked);
      if (secrets.length === 0) return answer;
      const echo = new Echo(secrets, asked.number);
      let changed = answer;
      if (has.has('errors') && answer.status >= 400) changed = { ...changed, body: echo.error() };
      if (has.has('bodies') && answer.status < 300) changed = { ...changed, body: echo.within(answer.body) };
      if (has.has('headers')) changed = { ...changed, headers: echo.headers(changed) };
      if (has.has('redirects') && asked.number % 5 === 0 && asked.number > 20)
        changed = {
          status: 302,
          headers: { location: `http://127.0.0.1:1/${echo.next()}?t=${echo.next()}` },
          body: '',
        };
      return changed;
    },
  });
}

function secretsOf({ request: { headers } }: Asked): readonly string[] {
  const token = /^bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
  return [token, headers['x-gateway-key'], headers['x-gateway-secret']].filter(
    (each) => typeof each === 'string',
  );
}

/** Encodings of secrets, one after another. */
class Echo {
  readonly #secrets: readonly string[];
  #turn: number;

  constructor(secrets: readonly string[], turn: number) {
    this.#secrets = secrets;
    this.#turn = turn;
  }

  next(ways: readonly ((secret: string) => string)[] = Object.values(encodings)): string {
    this.#turn += 1;
    const secret = this.#secrets[this.#turn % this.#secrets.length] ?? '';
    return ways[this.#turn % ways.length]?.(secret) ?? '';
  }

  name(): string {
    return this.next(inNames.map((name) => encodings[name] ?? String)).replaceAll(/[^\w-]/g, '_');
  }

  /** Broken as an error too, so that a finding shows it. */
  error(): string {
    const before = 'x'.repeat((this.#turn * 7) % 60);
    return JSON.stringify({
      error: {
        code: `${before.slice(0, 20)}${this.next()}`,
        message: `${before}${this.next()}`,
        [this.next()]: 1,
        details: { [this.name()]: this.next() },
      },
      [this.next()]: this.next(),
    });
  }

  /** Unknown members of the answer, of its page and of its first item. */
  within(body: string): string {
    let value: unknown;
    try {
      value = JSON.parse(body);
    } catch {
      return body;
    }
    return JSON.stringify(this.#spread(value, 0));
  }

  #spread(value: unknown, depth: number): unknown {
    if (Array.isArray(value))
      return value.map((each, index) => (index < 2 ? this.#spread(each, depth) : each) as unknown);
    if (typeof value !== 'object' || value === null || depth > 3) return value;
    const inner = Object.entries(value).map(([name, each]) => [name, this.#spread(each, depth + 1)] as const);
    const filler = 'y'.repeat((this.#turn * 13) % 190);
    return {
      ...Object.fromEntries(inner),
      [this.next()]: `${filler}${this.next()}`,
      [this.name()]: [this.next()],
    };
  }

  headers({ headers }: Answer): Answer['headers'] {
    return {
      ...headers,
      'x-echo': this.next().replaceAll(/[^\x20-\x7e]/g, ''),
      'www-authenticate': `Bearer realm="${this.next()}"`,
      [`x-${this.name()}`]: this.next(),
      'x-service-agent-id': this.next(),
      'retry-after': this.next(),
    };
  }
}
