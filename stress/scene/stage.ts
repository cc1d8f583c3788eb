import { preflight } from '../../harness/preflight/preflight.ts';
import { settleMsOf, type Target } from '../../harness/config/target.ts';
import type { RoleName } from '../../harness/config/roles.ts';
import type { Agent } from './agents.ts';

/** Roles that clients speak as, where the target has them. */
const speakers: readonly RoleName[] = ['author', 'reader', 'peer'];

/** What all chapters of a run at one server share. */
export interface Stage {
  readonly target: Target;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly roundTripMs: number;
  /** How long an accepted write may take to become visible, in ms. */
  readonly settleMs: number;
  readonly agents: readonly Agent[];
  readonly channels: readonly string[];
  readonly budget: Budget;
  /** Whether the field of a send that names targets has an effect; `undefined` until that was tried. */
  takesTargets: boolean | undefined;
}

/** Whether a server can be put under load at all, and by whom. */
export async function openStage(
  target: Target,
  { env, signal }: { readonly env: NodeJS.ProcessEnv; readonly signal: AbortSignal },
): Promise<Stage | { readonly why: string }> {
  if (target.limits.isReadOnly)
    return { why: 'a read-only run sends nothing, and concurrent readers alone show nothing' };
  const { isOk, lines, roundTripMs, accepted } = await preflight(target, signal, env);
  const problem = lines.find(({ severity }) => severity === 'error');
  if (!isOk || roundTripMs === undefined) return { why: problem?.text ?? 'the server cannot be reached' };
  const agents = speakers.flatMap((name): Agent[] => {
    const token = target.roles[name]?.token;
    return token === undefined || !accepted.includes(name) ? [] : [{ name, token, ids: {} }];
  });
  const { channelId, secondChannelId } = target;
  if (agents.length === 0 || channelId === undefined)
    return {
      why: 'concurrent clients need at least roles.author and a channel (CONFORM_AUTHOR_TOKEN, CONFORM_CHANNEL)',
    };
  return {
    target,
    env,
    signal,
    roundTripMs,
    settleMs: settleMsOf(target, roundTripMs),
    agents,
    channels: [channelId, ...(secondChannelId === undefined ? [] : [secondChannelId])],
    budget: new Budget(target.limits.maxBytes),
    takesTargets: undefined,
  };
}

/** What a run may still write, in bytes of content: what is written stays on the server. */
export class Budget {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** True when so many bytes may still be written; they are taken. */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  get left(): number {
    return this.#left;
  }
}
