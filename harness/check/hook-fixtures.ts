import { Actor, type Session } from '../client/actor.ts';
import type { Clock } from '../client/pacing/clock.ts';
import type { NeedName } from '../config/capabilities.ts';
import type { HookName } from '../config/target.ts';
import type { HookInputs, Lifecycle as LifecycleInput } from '../hooks/hook-protocol.ts';
import type { Identities } from '../stream/identities.ts';
import type { RunState } from '../stream/run-state.ts';
import type { MadeChange } from '../verdict/ledger.ts';
import { describeFault, unmet } from '../verdict/outcome.ts';
import { patiently } from '../verdict/patiently.ts';
import { FreshWorkspace } from './fresh-workspace.ts';
import type { HookCaller, Provisioned } from './hook-caller.ts';

/** Whose access, active life or membership ends. */
export type LifecycleFixtures =
  | { readonly kind: 'access'; readonly agentId: string; readonly workspaceId: string }
  | { readonly kind: 'machine'; readonly machineId: string; readonly workspaceId: string }
  | { readonly kind: 'membership'; readonly humanUserId: string; readonly workspaceId: string };

/**
 * What a check can ask of the operator, by the need that gives it. Each call ends the check with its precondition not met when the hook
 * fails. Only what belongs to a workspace of `provision` may be changed: the target's own principals are other checks' too.
 */
export interface HookFixtureByNeed {
  readonly 'provision-hook': {
    /**
     * A disposable workspace, with `agents` beside those in the roles if the hook can, at least, and with a token that is good for
     * `shortLived` seconds; its exchanges are this attempt's. One that `isShared` is made once for all checks that say so: they only
     * add to it, and find what is their own. The one that is `quiet` is made once as well, and nobody adds to it but who makes it ready.
     */
    readonly provision: (wanted?: {
      readonly agents?: number;
      readonly shortLived?: number;
      readonly isShared?: boolean | 'quiet';
    }) => Promise<FreshWorkspace>;
  };
  /** A credential that is no longer good is ended a second time only as an unusual one: a hook may fail with it. */
  readonly 'revoke-hook': {
    readonly revoke: (token: string, how?: { readonly isUnusual?: boolean }) => Promise<void>;
  };
  readonly 'expire-hook': {
    readonly expire: (token: string, how?: { readonly isUnusual?: boolean }) => Promise<void>;
  };
  readonly 'rename-hook': {
    readonly rename: (who: {
      readonly kind: 'agent' | 'user' | 'machine';
      readonly id: string;
      readonly displayName: string;
      /** Not every server gives such a name, or one to such a principal: the hook may fail with it. */
      readonly isUnusual?: boolean;
    }) => Promise<void>;
  };
  readonly 'deactivate-hook': {
    readonly deactivate: (who: LifecycleFixtures) => Promise<void>;
    /** Undoes `deactivate`. */
    readonly restore: (who: LifecycleFixtures) => Promise<void>;
  };
  readonly 'file-hook': { readonly files: HookFiles };
  readonly 'restart-hook': {
    /**
     * Ends once the server answers again. Beside a check that needs it only its like run: one restart does for all. `before` is done last
     * of all that is done before it.
     */
    readonly restart: (before?: () => Promise<void>) => Promise<void>;
  };
  readonly 'limit-hook': {
    /** Requests a second that a credential may make; `null` lifts the limit. */
    readonly limit: (limit: {
      readonly token: string;
      readonly perSecond: number | null;
      /** The credential is one that a server need not limit by itself, and that its hook may yet fail with. */
      readonly isUnusual?: boolean;
    }) => Promise<void>;
  };
}

/** Workspace files, as the operator sees them. */
interface HookFiles {
  /** Puts a file into the workspace of the agent that `token` stands for; gives its id. At most 70 KB. */
  readonly upload: (file: {
    readonly token: string;
    readonly filename: string;
    /** It is one that a server takes, and that its hook may yet fail with. */
    readonly isUnusual?: boolean;
    readonly contentType: string;
    readonly content: string | Uint8Array;
  }) => Promise<string>;
  readonly delete: (id: string) => Promise<void>;
}

/**
 * What the shared workspace has beside what a target names: more agents than any check needs there, than a page has by default and than a
 * word of a machine has bits, and more channels and members than a list is cut at by habit.
 */
const shared = { agents: 65, channels: 105, members: 105 } as const;

/** What the fixtures of one attempt are made from. */
export interface HookParts {
  /** Id of the check. */
  readonly check: string;
  readonly run: RunState;
  readonly session: Session;
  readonly hooks: HookCaller;
  /** Of the attempt; stands still while a hook works, which has a time limit of its own. */
  readonly clock: Clock;
  readonly changes: Changes;
}

/** The workspaces that an attempt had made for itself, and whether it had the operator change anything there. */
export interface Changes {
  readonly workspaces: FreshWorkspace[];
  /** What was learned of principals in any workspace. */
  readonly identities: Identities[];
  readonly made: MadeChange[];
}

/** The fixtures of one need; empty for a need that is no hook. */
export function hookFixturesOf(
  need: NeedName,
  { check, run, session, hooks, clock, changes }: HookParts,
): object {
  const call = <N extends HookName>(name: N, input: HookInputs[N], mayFail = false) =>
    clock.untimed(() =>
      run.whole.waits.waiting('hook', () => hooks.call(name, input, session.signal, { mayFail })),
    );
  const tell = async <N extends HookName>(name: N, input: HookInputs[N], mayFail = false): Promise<void> => {
    const startedMs = performance.now();
    await call(name, input, mayFail);
    changes.made.push({ text: changeInWords(name, input), startedMs });
  };
  const fixtures: HookFixtureByNeed = {
    'provision-hook': {
      provision: async ({ agents, shortLived, isShared = false } = {}) => {
        const own = {
          ...(agents !== undefined && { agents }),
          ...(shortLived !== undefined && { short_lived: shortLived }),
        };
        const make = (): Promise<Provisioned> =>
          hooks.provision(isShared === true ? shared : own, session.signal);
        const name = isShared === 'quiet' ? 'quiet workspace' : 'fresh workspace';
        const workspace = new FreshWorkspace({
          ...(await clock.untimed(() =>
            run.whole.waits.waiting('hook', () =>
              isShared === false ? make() : run.shared(name, check, make),
            ),
          )),
          run,
          session,
        });
        changes.identities.push(workspace.identities);
        await workspace.prepare();
        if (isShared === false) changes.workspaces.push(workspace);
        return workspace;
      },
    },
    'revoke-hook': {
      revoke: (token, { isUnusual = false } = {}) => tell('revoke', { token }, isUnusual),
    },
    'expire-hook': {
      expire: (token, { isUnusual = false } = {}) => tell('expire', { token }, isUnusual),
    },
    'rename-hook': {
      rename: ({ kind, id, displayName, isUnusual }) =>
        tell('rename', { kind, id, display_name: displayName }, isUnusual),
    },
    'deactivate-hook': {
      deactivate: (who) => tell('deactivate', { ...lifecycleInput(who), active: false }),
      restore: (who) => tell('deactivate', { ...lifecycleInput(who), active: true }),
    },
    'file-hook': {
      files: {
        upload: async ({ token, filename, isUnusual, contentType, content }) => {
          const content_base64 = Buffer.from(content).toString('base64');
          const file = { filename, content_type: contentType, content_base64, agent_token: token };
          return String((await call('file', { action: 'upload', ...file }, isUnusual))['id']);
        },
        delete: (id) => tell('file', { action: 'delete', id }),
      },
    },
    'restart-hook': {
      restart: async (before) => {
        // One of those who ask calls it, and it changes something for all of them, after what each has done before it.
        const noted = async (): Promise<void> => {
          try {
            await before?.();
          } finally {
            changes.made.push({ text: 'a restart', startedMs: performance.now() });
          }
        };
        await clock.untimed(() =>
          hooks.restarts.ask(async () => void (await call('restart', {})), session.signal, noted),
        );
        const anonymous = new Actor('anonymous', undefined, session);
        const probe = await patiently(() => anonymous.mentions({ limit: 1 }), session.signal);
        if (session.signal.aborted) unmet('interrupted');
        if (probe.fault !== undefined)
          hooks.fail('restart', `it returned before the server answered again: ${describeFault(probe)}`);
      },
    },
    'limit-hook': {
      limit: async ({ token, perSecond, isUnusual = false }) => {
        await call('limit', { kind: 'requests', token, per_second: perSecond }, isUnusual);
      },
    },
  };
  return need in fixtures ? fixtures[need as keyof HookFixtureByNeed] : {};
}

function lifecycleInput(who: LifecycleFixtures): LifecycleInput {
  const { kind, workspaceId: workspace_id } = who;
  if (kind === 'access') return { kind, agent_id: who.agentId, workspace_id };
  if (kind === 'machine') return { kind, machine_id: who.machineId, workspace_id };
  return { kind, human_user_id: who.humanUserId, workspace_id };
}

function changeInWords<N extends HookName>(name: N, input: HookInputs[N]): string {
  const { kind, active } = input as { readonly kind?: string; readonly active?: boolean };
  const words: Readonly<Partial<Record<HookName, string>>> = {
    revoke: 'a credential revoked',
    expire: 'a credential expired',
    rename: `the ${kind} renamed`,
    deactivate: `${kind} ${active === true ? 'given back' : 'taken away'}`,
    file: 'a file deleted',
  };
  return words[name] ?? name;
}
