import { Patience } from '../../../harness/chapter/patience.ts';
import { HookCaller } from '../../../harness/check/hook-caller.ts';
import { secretsOf } from '../../../harness/config/target-digest.ts';
import { settleMsOf, type Target } from '../../../harness/config/target.ts';
import { KnownSecrets } from '../../../harness/output/known-secrets.ts';
import { preflight } from '../../../harness/preflight/preflight.ts';
import { unlessStopped, unmet } from '../../../harness/verdict/outcome.ts';
import type { RoleName } from '../../../harness/config/roles.ts';
import type { Agent, Intruder } from './agents.ts';
import type { PartKind } from './plan.ts';

/** Roles that clients speak as, where the target has them. */
const speakers: readonly RoleName[] = ['author', 'reader', 'peer'];
/** Roles without access that they ask as now and then. */
const withoutAccess = ['stranger', 'outsider'] as const;

/** Fields of a send that the contract does not show, by what they carry: whether each has an effect; without an entry nobody tried it. */
export type TakenFields = { -readonly [Name in 'targets' | PartKind]?: boolean };

/** What all chapters of a run at one server share. */
export interface Stage {
  readonly target: Target;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly roundTripMs: number;
  /** Requests that it took to find out whether there is a stage: no chapter holds them. */
  readonly preflightRequests: number;
  /** How long an accepted write may take to become visible, in ms. */
  readonly settleMs: number;
  readonly patience: Patience;
  readonly agents: readonly Agent[];
  readonly channels: readonly string[];
  readonly budget: Budget;
  /** Who is known and has no access. */
  readonly intruders: readonly Intruder[];
  readonly taken: TakenFields;
  /** Ids of files that messages may have. */
  readonly files: string[];
  /** Puts a file there; `undefined` where nobody can. */
  readonly uploadFile: () => Promise<string | undefined>;
  /** Restarts the server; @throws CheckStopped when it could not be done */
  readonly restart: () => Promise<unknown>;
  /** Whether what was acknowledged has to survive that: whoever gives a hook says so. */
  readonly isDurable: boolean;
  readonly close: () => Promise<void>;
}

interface StageOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly secrets?: KnownSecrets;
  /** Restarts the server in place of the target's hook. */
  readonly restart?: Stage['restart'] | undefined;
}

/** Why a server cannot be put under load. */
type Unopened = Pick<Stage, 'preflightRequests'> & { readonly why: string };

/** Whether a server can be put under load at all, and by whom. */
export async function openStage(
  target: Target,
  { env, signal, secrets = new KnownSecrets(secretsOf(target)), restart }: StageOptions,
): Promise<Stage | Unopened> {
  if (target.limits.isReadOnly)
    return {
      why: 'a read-only run sends nothing, and concurrent readers alone show nothing',
      preflightRequests: 0,
    };
  const { isOk, lines, requests, roundTripMs, accepted } = await preflight(target, signal, env);
  const problem = lines.find(({ severity }) => severity === 'error');
  if (!isOk || roundTripMs === undefined)
    return { why: problem?.text ?? 'the server cannot be reached', preflightRequests: requests };
  const agents = speakers.flatMap((name): Agent[] => {
    const token = target.roles[name]?.token;
    return token === undefined || !accepted.includes(name) ? [] : [{ name, token, ids: {} }];
  });
  const { channelId, secondChannelId } = target;
  if (agents.length === 0 || channelId === undefined)
    return {
      why: 'concurrent clients need at least roles.author and a channel (CONFORM_AUTHOR_TOKEN, CONFORM_CHANNEL)',
      preflightRequests: requests,
    };
  const settleMs = settleMsOf(target, roundTripMs);
  const hooks = new HookCaller(target, { env, secrets });
  const hasHook = target.hooks.restart !== undefined;
  return {
    target,
    env,
    signal,
    roundTripMs,
    preflightRequests: requests,
    settleMs,
    patience: new Patience(settleMs),
    agents,
    channels: [channelId, ...(secondChannelId === undefined ? [] : [secondChannelId])],
    budget: new Budget(target.limits.maxBytes),
    intruders: withoutAccess.flatMap((name): Intruder[] => {
      const token = target.roles[name]?.token;
      return token === undefined ? [] : [{ name, token, ids: {} }];
    }),
    taken: {},
    files: [...target.files],
    uploadFile: async () => {
      const token = agents[0]?.token;
      if (target.hooks.file === undefined || token === undefined) return undefined;
      const note = { filename: 'a note.txt', content_type: 'text/plain', content_base64: btoa('a note') };
      const upload = hooks.call('file', { action: 'upload', ...note, agent_token: token }, signal);
      const id = (await unlessStopped(upload))?.['id'];
      return typeof id === 'string' ? id.toLowerCase() : undefined;
    },
    restart:
      restart ??
      (async () => (hasHook ? hooks.call('restart', {}, signal) : unmet('the target has no hooks.restart'))),
    isDurable: restart !== undefined || hasHook,
    close: () => hooks.close(),
  };
}

/** What a run may still write, in bytes of content: what is written stays on the server. */
class Budget {
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
