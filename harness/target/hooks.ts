import { withoutSecrets } from '../client/evidence.ts';
import { HookFailed } from '../errors.ts';
import { makesSomething, readHookAnswer } from './hook-protocol.ts';
import type { HookAnswer, HookInputs } from './hook-protocol.ts';
import { maxOutputBytes, runProcess } from './hook-process.ts';
import type { ProcessEnd } from './hook-process.ts';
import type { CommandHook, Hook, HookName } from './target.ts';

/** What a call of a hook needs besides its input. */
export interface HookSurroundings {
  readonly baseUrl: string;
  /** A command gets all of it: it is the operator's own, and has credentials of its own there. */
  readonly env: NodeJS.ProcessEnv;
  /** Exact values to remove from what a failed hook is quoted with. */
  readonly secrets: () => readonly string[];
  readonly signal: AbortSignal;
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
  const returned =
    'command' in hook
      ? await returnedByCommand(name, hook, input, surroundings)
      : await returnedByFunction(name, hook.call(input), surroundings);
  return readHookAnswer(name, input, returned);
}

async function returnedByFunction(
  name: HookName,
  returned: Promise<unknown>,
  { signal, secrets }: HookSurroundings,
): Promise<unknown> {
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(interrupted(name));
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
  });
  try {
    return await Promise.race([returned, aborted]);
  } catch (error) {
    if (error instanceof HookFailed) throw error;
    throw new HookFailed(`hooks.${name}: it threw ${oneLine(String(error), secrets())}`, { isTrouble: true });
  } finally {
    signal.removeEventListener('abort', abort);
  }
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
    owesOutput: makesSomething(name, input),
  });
  if (end.kind === 'aborted') throw interrupted(name);
  if (end.kind !== 'exited' || end.status !== 0) {
    const words = oneLine(end.stderr.trim().split('\n').slice(-5).join(' | '), secrets());
    const quoted = words === '' ? '' : `; the end of its stderr: ${words}`;
    throw new HookFailed(`hooks.${name}: ${describeEnd(name, end, { command, timeoutMs })}${quoted}`, {
      isTrouble: end.kind !== 'unstartable' && end.kind !== 'flooded',
    });
  }
  return parseOutput(name, end.stdout);
}

/** The environment that a command finds its input in; what an outer call left there is gone. */
export function hookEnvironment(
  name: HookName,
  input: object,
  { baseUrl, env }: Pick<HookSurroundings, 'baseUrl' | 'env'>,
): NodeJS.ProcessEnv {
  const inherited = Object.entries(env).filter(([variable]) => !/^CONFORM_(?:INPUT|HOOK$)/.test(variable));
  const flat = Object.entries(input).flatMap(([field, value]: [string, unknown]) => {
    const text = flatText(value);
    // No variable can hold NUL; CONFORM_INPUT has it escaped.
    return text === undefined || text.includes('\0') ? [] : [[`CONFORM_INPUT_${field.toUpperCase()}`, text]];
  });
  return {
    ...Object.fromEntries(inherited),
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

function describeEnd(name: HookName, end: ProcessEnd, { command, timeoutMs }: CommandHook): string {
  switch (end.kind) {
    case 'exited':
      return `it exited with status ${end.status}`;
    case 'killed':
      return `it was killed by ${end.by}`;
    case 'timed-out':
      return `it took longer than ${timeoutMs} ms and was ended (\`hooks.${name}.timeout_ms\` allows more)`;
    case 'flooded':
      return `it printed more than ${maxOutputBytes} bytes and was ended; stdout takes one JSON object or nothing`;
    case 'unstartable':
      return `\`${command[0] ?? ''}\` cannot be started (${end.code})`;
    case 'aborted':
      return 'it was interrupted';
  }
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

const maxQuotedLength = 500;

function oneLine(text: string, secrets: readonly string[]): string {
  const clean = withoutSecrets(text, secrets)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  return clean.length > maxQuotedLength ? `…${clean.slice(-maxQuotedLength)}` : clean;
}
