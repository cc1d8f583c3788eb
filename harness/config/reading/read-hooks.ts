import { isLoopback } from '../base-url.ts';
import { type Hook, type HookName, hookNames } from '../target.ts';
import { fault, type Given, numberAt, pick, type Reading, valueAt } from './layer.ts';
import { connectionHeaders, readHeaders } from './read-headers.ts';

/** Longest that one call of a hook may take, in ms, where nothing is said. */
const defaultTimeoutMs = 10_000;

/** Headers of a call that the suite or the connection itself decides. */
const hookHeaders = [
  ...connectionHeaders,
  'accept',
  'conform-base-url',
  'conform-hook',
  'content-type',
  'host',
];

/** The hooks that are given; a problem for each that mixes the two forms. */
export function readHooks(reading: Reading): Partial<Record<HookName, Hook>> {
  const hooks: Partial<Record<HookName, Hook>> = {};
  for (const name of hookNames) {
    const given = pick(reading.layers, ['hooks', name]);
    const hook = given === undefined ? undefined : readHook(reading, name, given);
    if (hook !== undefined) hooks[name] = hook;
  }
  return hooks;
}

/** `undefined` for what is no hook: the shape check, or a problem noted here, says so. */
function readHook(reading: Reading, name: HookName, given: Given): Hook | undefined {
  const timeoutMs = numberAt(reading, 'hooks', name, 'timeout_ms') ?? defaultTimeoutMs;
  const command = valueAt(given.value, ['command']);
  const url = valueAt(given.value, ['url']);
  const stays = valueAt(given.value, ['stays']);
  if (typeof url === 'string') {
    requireAbsent(reading, given, 'stays', 'belongs to a `command`');
    const { headers, secretHeaders } = readHeaders(reading, ['hooks', name, 'headers'], {
      ownHeaders: hookHeaders,
    });
    const wrong = faultOfUrl(url);
    if (wrong === undefined) return { url, headers, secretHeaders, timeoutMs };
    fault(reading, { ...given, path: [...given.path, 'url'] }, wrong);
    return undefined;
  }
  if (!Array.isArray(command)) return undefined;
  requireAbsent(reading, given, 'headers', 'belong to a `url`');
  const words = { command: command.map(String), timeoutMs, cwd: given.layer.folder };
  return stays === true ? { ...words, stays } : words;
}

function requireAbsent(reading: Reading, given: Given, field: string, what: string): void {
  if (valueAt(given.value, [field]) === undefined) return;
  fault(reading, { ...given, path: [...given.path, field] }, what);
}

/** What is wrong with the URL of a hook, as a clause about it that does not repeat it. */
function faultOfUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return 'is not a URL';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '')
    return 'holds a user name or password – credentials belong under `headers`';
  if (url.hash !== '') return 'has a fragment – leave out everything from `#` on';
  if (url.protocol === 'http:' && !isLoopback(text))
    return 'must be https: only a server on this machine is asked over http';
  return undefined;
}
