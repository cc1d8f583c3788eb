import { createHash } from 'node:crypto';
import type { Hook, Target } from './target.ts';

/**
 * sha256, in lower-case hex, of what a target says, so that two runs can be told to be of one target. Of secrets
 * only the presence counts; where a value came from, or a folder is, does not.
 */
export function targetDigest(target: Target): string {
  const { roles, connection, hooks, ...rest } = target;
  const { headers, secretHeaders = [], key, ca, cert } = connection;
  const open = {
    ...rest,
    roles: presence(roles),
    hooks: mapValues(hooks, openPartOf),
    headers: openHeaders({ headers, secretHeaders }),
    hasKey: key !== undefined,
    ca,
    cert,
  };
  return createHash('sha256').update(JSON.stringify(open, sortKeys)).digest('hex');
}

/**
 * Every exact value that must not show anywhere: tokens, values of secret headers and the credential in one such as
 * `Basic …`. Longest first, so that replacing one leaves no rest of another.
 */
export function secretsOf(target: Target): readonly string[] {
  const tokens = Object.values(target.roles).map(({ token }) => token);
  const ofHooks = Object.values(target.hooks).filter((hook) => 'url' in hook);
  const values = [target.connection, ...ofHooks].flatMap(secretsIn);
  return [...new Set([...tokens, ...values])].toSorted((a, b) => b.length - a.length);
}

interface Headers {
  readonly headers: Readonly<Record<string, string>>;
  readonly secretHeaders?: readonly string[];
}

function secretsIn({ headers, secretHeaders = [] }: Headers): readonly string[] {
  return secretHeaders.flatMap((name) => {
    const value = headers[name];
    const credential = /^(?:basic|bearer) +(\S+)$/i.exec(value ?? '')?.[1];
    return [value, credential].filter((text) => text !== undefined);
  });
}

function openHeaders({ headers, secretHeaders = [] }: Headers): object {
  return mapValues(headers, (value, name) => (secretHeaders.includes(name) ? true : value));
}

function openPartOf(hook: Hook | undefined): unknown {
  if (hook === undefined || 'call' in hook) return 'function';
  const { timeoutMs } = hook;
  if ('url' in hook) return { url: hook.url, headers: openHeaders(hook), timeoutMs };
  return { command: hook.command, timeoutMs, ...(hook.stays === true ? { stays: true } : {}) };
}

function presence(roles: Target['roles']): Readonly<Record<string, true>> {
  return mapValues(roles, () => true as const);
}

function mapValues<V, W>(
  object: Readonly<Record<string, V>>,
  map: (value: V, name: string) => W,
): Readonly<Record<string, W>> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value, name)]));
}

function sortKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
