import { untilAborted } from '../client/until-aborted.ts';
import { HookFailed } from '../errors.ts';
import type { KnownSecrets } from '../output/known-secrets.ts';
import { type HookAnswer, type HookInputs, makesSomething, readHookAnswer } from './hook-protocol.ts';
import { describeEnd, describePostEnd, describeStayingEnd, oneLine, quotedStderr } from './hook-failures.ts';
import { runProcess } from './hook-process.ts';
import type { HookLinks } from './hook-links.ts';
import { post } from './hook-post.ts';
import type { CommandHook, Hook, HookName, UrlHook } from '../config/target.ts';

/** What a call of a hook needs besides its input. */
export interface HookSurroundings {
  readonly baseUrl: string;
  /** A command gets all of it: it is the operator's own, and has credentials of its own there. */
  readonly env: NodeJS.ProcessEnv;
  /** What to remove from what a failed hook is quoted with. */
  readonly secrets: KnownSecrets;
  readonly signal: AbortSignal;
  /** What calls share; whoever made it closes it. */
  readonly links: HookLinks;
}

/**
 * Calls a hook and holds its answer against the protocol of docs/hooks.md.
 * @throws HookFailed in one line that names the hook and what is wrong, with no secret in it
 */
export async function callHook<N extends HookName>(
  name: N,
  hook: Hook,
  input: HookInputs[N],
  surroundings: HookSurroundings,
): Promise<HookAnswer> {
  return readHookAnswer(name, input, await returnedBy(name, hook, input, surroundings));
}

function returnedBy(
  name: HookName,
  hook: Hook,
  input: Readonly<Record<string, unknown>>,
  surroundings: HookSurroundings,
): Promise<unknown> {
  if ('call' in hook) return returnedByFunction(name, hook.call(input), surroundings);
  if ('url' in hook) return returnedByUrl(name, hook, input, surroundings);
  return hook.stays === true
    ? returnedByProcess(name, hook, input, surroundings)
    : returnedByCommand(name, hook, input, surroundings);
}

async function returnedByFunction(
  name: HookName,
  returned: Promise<unknown>,
  { signal, secrets }: HookSurroundings,
): Promise<unknown> {
  try {
    const output = await untilAborted(returned, signal);
    if (!signal.aborted) return output;
  } catch (error) {
    throw new HookFailed(`hooks.${name}: it threw ${oneLine(String(error), secrets)}`, { isTrouble: true });
  }
  throw interrupted(name);
}

async function returnedByCommand(
  name: HookName,
  { command, timeoutMs, cwd }: CommandHook,
  input: object,
  { baseUrl, env, secrets, signal }: HookSurroundings,
): Promise<unknown> {
  const end = await runProcess(command, {
    env: hookEnvironment(name, input, { baseUrl, env }),
    cwd,
    timeoutMs,
    signal,
    requiresOutput: makesSomething(name, input),
  });
  if (end.kind === 'aborted') throw interrupted(name);
  if (end.kind !== 'exited' || end.status !== 0) {
    const what = describeEnd(name, end, { command, timeoutMs });
    throw new HookFailed(`hooks.${name}: ${what}${quotedStderr(end.stderr, secrets)}`, {
      isTrouble: end.kind !== 'unstartable' && end.kind !== 'flooded',
    });
  }
  return parseOutput(name, end.stdout);
}

async function returnedByProcess(
  name: HookName,
  hook: CommandHook,
  input: object,
  { baseUrl, env, secrets, signal, links }: HookSurroundings,
): Promise<unknown> {
  const process = links.processOf(hook, stayingEnvironment({ baseUrl, env }));
  const end = await process.ask(
    { hook: name, base_url: baseUrl, input },
    { timeoutMs: hook.timeoutMs, signal },
  );
  if (end.kind === 'answered') return end.output;
  if (end.kind === 'aborted') throw interrupted(name);
  const what = oneLine(describeStayingEnd(name, end, hook), secrets);
  throw new HookFailed(`hooks.${name}: ${what}${quotedStderr(end.stderr, secrets)}`, {
    isTrouble: end.kind === 'refused' || end.kind === 'timed-out',
  });
}

async function returnedByUrl(
  name: HookName,
  hook: UrlHook,
  input: object,
  { baseUrl, secrets, signal, links }: HookSurroundings,
): Promise<unknown> {
  const { url, timeoutMs } = hook;
  const headers = { ...hook.headers, 'conform-hook': name, 'conform-base-url': baseUrl };
  const body = JSON.stringify(input);
  const end = await post({ url, headers, body, timeoutMs, signal, dispatcher: links.dispatcherOf(hook) });
  if (end.kind === 'answered' && end.status >= 200 && end.status < 300) return parseOutput(name, end.bytes);
  if (end.kind === 'aborted') throw interrupted(name);
  const what = oneLine(`hooks.${name}: ${new URL(url).origin} ${describePostEnd(name, end, hook)}`, secrets);
  throw new HookFailed(what, { isTrouble: end.kind !== 'flooded' });
}

/** The environment of a process that stays: what it is asked comes on its stdin. */
function stayingEnvironment({ baseUrl, env }: Pick<HookSurroundings, 'baseUrl' | 'env'>): NodeJS.ProcessEnv {
  return { ...withoutInput(env), CONFORM_BASE_URL: baseUrl };
}

function withoutInput(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([variable]) => !/^CONFORM_(?:INPUT|HOOK$)/.test(variable)),
  );
}

/** The environment that a command finds its input in; what an outer call left there is gone. */
function hookEnvironment(
  name: HookName,
  input: object,
  { baseUrl, env }: Pick<HookSurroundings, 'baseUrl' | 'env'>,
): NodeJS.ProcessEnv {
  const flat = Object.entries(input).flatMap(([field, value]: [string, unknown]) => {
    const text = flatText(value);
    // No variable can hold NUL; CONFORM_INPUT has it escaped.
    return text === undefined || text.includes('\0') ? [] : [[`CONFORM_INPUT_${field.toUpperCase()}`, text]];
  });
  return {
    ...withoutInput(env),
    ...(Object.fromEntries(flat) as Record<string, string>),
    CONFORM_HOOK: name,
    CONFORM_BASE_URL: baseUrl,
    CONFORM_INPUT: JSON.stringify(input),
  };
}

function flatText(value: unknown): string | undefined {
  if (value === null) return '';
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}

function parseOutput(name: HookName, bytes: Uint8Array): unknown {
  let text = '';
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim();
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  } catch {
    const what = 'its output is not JSON; stdout takes one JSON object or nothing, and logs belong on stderr';
    throw new HookFailed(`hooks.${name}: ${what}`);
  }
}

function interrupted(name: HookName): HookFailed {
  return new HookFailed(`hooks.${name}: it was interrupted`, { isInterrupted: true });
}
