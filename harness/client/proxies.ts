import { InvalidTarget } from '../errors.ts';

/** The proxies that the environment names; a variable that is empty names none. */
export interface Proxies {
  readonly httpProxy?: string;
  readonly httpsProxy?: string;
  readonly noProxy: string;
}

const schemes: readonly string[] = ['http:', 'https:'];

/**
 * The proxies for a URL; `undefined` where none is named for it.
 * @throws InvalidTarget that names the variable whose value is no address of a proxy, and not the value, which may hold a password
 */
export function proxiesFor({ protocol }: URL, env: NodeJS.ProcessEnv = {}): Proxies | undefined {
  const httpProxy = proxyIn(env, 'HTTP_PROXY');
  const httpsProxy = protocol === 'https:' ? proxyIn(env, 'HTTPS_PROXY') : undefined;
  if ((httpsProxy ?? httpProxy) === undefined) return undefined;
  return {
    ...(httpProxy === undefined ? {} : { httpProxy }),
    ...(httpsProxy === undefined ? {} : { httpsProxy }),
    noProxy: valueIn(env, 'NO_PROXY')?.value ?? '',
  };
}

function proxyIn(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const given = valueIn(env, name);
  if (given === undefined) return undefined;
  const url = URL.canParse(given.value) ? new URL(given.value) : undefined;
  if (url === undefined || !schemes.includes(url.protocol) || url.hostname === '')
    throw new InvalidTarget(
      `${given.name} in the environment is no http or https URL; write http://HOST:PORT, or unset it`,
    );
  return given.value;
}

function valueIn(
  env: NodeJS.ProcessEnv,
  name: string,
): { readonly name: string; readonly value: string } | undefined {
  const used = [name, name.toLowerCase()].find((each) => (env[each] ?? '') !== '');
  return used === undefined ? undefined : { name: used, value: env[used] ?? '' };
}
