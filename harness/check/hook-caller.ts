import { isUuid } from '../../spec/index.ts';
import { readFreshTarget } from '../config/reading/read-target.ts';
import { type Hook, type HookName, hookNames, type Target } from '../config/target.ts';
import { HookFailed, SuiteBug } from '../errors.ts';
import { HookLinks } from '../hooks/hook-links.ts';
import { type EndedCall, type HookAnswer, type HookInputs, makesSomething } from '../hooks/hook-protocol.ts';
import { callHook } from '../hooks/hooks.ts';
import { Together } from '../hooks/together.ts';
import type { KnownSecrets } from '../output/known-secrets.ts';
import type { HookCost } from '../results/generated/events.ts';
import { unmet } from '../verdict/outcome.ts';

/** Calls at one time: a command is a process of its own on a small machine, one that stays may answer one after another. */
const maxConcurrentCalls = { program: 4, url: 16 } as const;
/** An input larger than this does not fit into an environment everywhere. */
const maxHookInputBytes = 100_000;

/** What an agent may lack: a human, a machine, or the name of its human. */
export const lackable = ['human', 'machine', 'human_name'] as const;
/** One of those. */
export type Lacking = (typeof lackable)[number];

/** What the provision hook made. */
export interface Provisioned {
  readonly target: Target;
  /** Credentials of agents that have no role. */
  readonly agentTokens: readonly string[];
  /** Ids of shared channels beside those of the target. */
  readonly channelIds: readonly string[];
  /** How many active members there are beside the humans behind the roles. */
  readonly members: number;
  /** Credentials of agents that lack something, as the operator says. */
  readonly tokensWithout: Readonly<Partial<Record<Lacking, string>>>;
  /** Credentials of agents that share one principal with the reader, and not the other. */
  readonly tokensSharing: Readonly<Partial<Record<'human' | 'machine', string>>>;
  /** An API key that is to expire, beside that of its role, where the operator gave one. */
  readonly secondApiKey: string | undefined;
  /** The token of the author's machine, where the operator gave one. */
  readonly authorMachineToken: string | undefined;
  /** Another workspace of the human behind the machine token, where the operator made it a member of one. */
  readonly secondWorkspaceId: string | undefined;
  /** The token of an agent that time alone ends, and when it has at the latest, in monotonic ms, where the operator gave one. */
  readonly shortLived: { readonly token: string; readonly endsMs: number } | undefined;
  /** Tells this workspace from the others of the run. */
  readonly number: number;
}

interface HookCallerOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly secrets: KnownSecrets;
  /** Is told of each call that has ended. */
  readonly onCall?: (call: EndedCall) => void;
}

/** Calls the hooks of a target for all checks of a run, and remembers which did not work. */
export class HookCaller {
  readonly #target: Target;
  readonly #env: NodeJS.ProcessEnv;
  readonly #secrets: KnownSecrets;
  /** By hook and, where it has kinds, kind: what a hook cannot do once it is not asked again. */
  readonly #failures = new Map<string, string>();
  readonly #turns = {
    program: new Turns(maxConcurrentCalls.program),
    url: new Turns(maxConcurrentCalls.url),
  };
  readonly #links: HookLinks;
  readonly #costs = new Map<HookName, HookCost>();
  /** Checks that restart the server do so together. */
  readonly restarts = new Together();
  readonly #onCall: (call: EndedCall) => void;
  #workspaces = 0;

  constructor(target: Target, { env, secrets, onCall = () => undefined }: HookCallerOptions) {
    this.#target = target;
    this.#onCall = onCall;
    this.#env = env;
    this.#secrets = secrets;
    this.#links = new HookLinks(target, env);
  }

  /** What the hooks that were called have cost, in the order of their names in a target file. */
  get costs(): readonly HookCost[] {
    return hookNames.flatMap((name) => this.#costs.get(name) ?? []);
  }

  /** Ends what was kept open between calls. */
  async close(): Promise<void> {
    await this.#links.close();
  }

  /** What was wrong with each hook that failed, one line each. */
  get failures(): readonly string[] {
    return [...this.#failures.values()];
  }

  /**
   * What the hook returned; ends the check with its precondition not met when it fails, or when the server has nothing like it. What `mayFail`
   * is asked for at the edge of what a server takes: the hook works nevertheless.
   * @throws SuiteBug when a check lets the operator touch a credential that the target was given
   */
  async call<N extends HookName>(
    name: N,
    input: HookInputs[N],
    signal: AbortSignal,
    { mayFail = false }: { readonly mayFail?: boolean } = {},
  ): Promise<Readonly<Record<string, unknown>>> {
    const hook = this.#target.hooks[name] ?? missingHook(name);
    if (Buffer.byteLength(JSON.stringify(input)) > maxHookInputBytes)
      throw new SuiteBug(`an input of hooks.${name} is too large`);
    this.#spareTheTarget(name, input);
    const stray = strayId(input);
    if (stray !== undefined)
      return unmet(`${stray} of the server is no UUID, and nothing else is handed to hooks.${name}`);
    const key = `${name} ${'kind' in input ? input.kind : 'action' in input ? input.action : ''}`;
    const turns = this.#turns['command' in hook ? 'program' : 'url'];
    await turns.take();
    try {
      const known = this.#failures.get(key);
      if (known !== undefined) throw new HookFailed(known);
      const answer = await this.#ask(name, hook, input, signal);
      if ('unsupported' in answer)
        return unmet(`hooks.${name} says that this is not supported: ${answer.unsupported}`);
      return answer.output;
    } catch (error) {
      if (!(error instanceof HookFailed)) throw error;
      return mayFail ? unmet(error.message) : this.#giveUp(key, error);
    } finally {
      turns.end();
    }
  }

  /** What makes something new is tried once more after trouble: nothing is lost by it but time. */
  async #ask<N extends HookName>(
    name: N,
    hook: Hook,
    input: HookInputs[N],
    signal: AbortSignal,
  ): Promise<HookAnswer> {
    const { baseUrl } = this.#target;
    const secrets = this.#secrets;
    const surroundings = { baseUrl, env: this.#env, secrets, signal, links: this.#links };
    const once = async (): Promise<HookAnswer> => {
      const startedMs = performance.now();
      let isDone = false;
      try {
        const answer = await callHook(name, hook, input, surroundings);
        isDone = true;
        return answer;
      } finally {
        const endedMs = performance.now();
        this.#count(name, endedMs - startedMs);
        this.#onCall({ name, input, startedMs, endedMs, isDone });
      }
    };
    try {
      return await once();
    } catch (error) {
      const isWorthwhile = error instanceof HookFailed && error.isTrouble && makesSomething(name, input);
      if (!isWorthwhile) throw error;
      return await once();
    }
  }

  /** A disposable workspace as a target of its own, and a number that no other has; its tokens are secrets from now on. */
  async provision(input: HookInputs['provision'], signal: AbortSignal): Promise<Provisioned> {
    const {
      agents,
      channels,
      members,
      without,
      sharing,
      second_api_key: secondApiKey,
      author_machine: authorMachine,
      second_workspace: secondWorkspace,
      short_lived: shortLived,
      ...fields
    } = await this.call('provision', input, signal);
    const returnedMs = performance.now();
    this.#secrets.learn(
      [fields['roles'], without, sharing, agents, [secondApiKey, authorMachine], shortLived].flatMap(textsIn),
    );
    try {
      this.#workspaces += 1;
      const target = readFreshTarget(fields, this.#target);
      // The protocol has looked at it.
      const tokensWithout = (without ?? {}) as Provisioned['tokensWithout'];
      const tokensSharing = (sharing ?? {}) as Provisioned['tokensSharing'];
      const { token: shortToken, seconds } = (shortLived ?? {}) as { token?: string; seconds?: number };
      return {
        target,
        agentTokens: textsIn(agents),
        channelIds: textsIn(channels),
        members: Number(members ?? 0),
        tokensWithout,
        tokensSharing,
        secondApiKey: textsIn([secondApiKey])[0],
        authorMachineToken: textsIn([authorMachine])[0],
        secondWorkspaceId: textsIn([secondWorkspace])[0],
        shortLived:
          shortToken === undefined
            ? undefined
            : { token: shortToken, endsMs: returnedMs + 1_000 * Number(seconds) },
        number: this.#workspaces,
      };
    } catch (error) {
      if (!(error instanceof HookFailed)) throw error;
      return this.#giveUp('provision ', error);
    }
  }

  /** Whether a token is one of the target, or of a workspace that was made. */
  knows(token: string): boolean {
    return this.#secrets.has(token);
  }

  /** Notes that a hook returned and yet did not do what it is for. */
  fail(name: HookName, what: string): never {
    return this.#giveUp(`${name} `, new HookFailed(`hooks.${name}: ${what}`));
  }

  #giveUp(key: string, error: HookFailed): never {
    if (!error.isInterrupted) this.#failures.set(key, error.message);
    return unmet(error.message);
  }

  /** A revoked author would be of no use to the next check, nor to whoever owns the target. */
  #spareTheTarget(name: HookName, input: object): void {
    if (name !== 'revoke' && name !== 'expire') return;
    const own = Object.values(this.#target.roles).some(
      ({ token }) => 'token' in input && input.token === token,
    );
    if (own)
      throw new SuiteBug(`a check tried to ${name} a credential of the target; it has to provision its own`);
  }

  #count(name: HookName, durationMs: number): void {
    const { calls, durationMs: before } = this.#costs.get(name) ?? { calls: 0, durationMs: 0 };
    this.#costs.set(name, { hook: name, calls: calls + 1, durationMs: before + durationMs });
  }
}

/** Lets so many go on at one time, the others in the order in which they came. */
class Turns {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  async take(): Promise<void> {
    if (this.#taken >= this.#most) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#taken += 1;
  }

  end(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#taken -= 1;
    else next();
  }
}

/** The name of the first id in an input that is no UUID: the server chose it, and a hook is a program of the operator. */
function strayId(input: object): string | undefined {
  const ids = Object.entries(input).filter(([field]) => field === 'id' || field.endsWith('_id'));
  return ids.find(([, id]) => typeof id !== 'string' || !isUuid(id))?.[0];
}

function textsIn(value: unknown): string[] {
  return typeof value === 'object' && value !== null
    ? Object.values(value).filter((each) => typeof each === 'string')
    : [];
}

function missingHook(name: HookName): never {
  throw new SuiteBug(`a check calls hooks.${name} although the target lacks it`);
}
