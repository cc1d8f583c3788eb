import type { JsonRecord } from '../../spec/calls/index.ts';
import { HookCaller } from '../../harness/check/hook-caller.ts';
import type { Client } from '../../harness/client/client.ts';
import type { RoleName } from '../../harness/config/roles.ts';
import type { Target } from '../../harness/config/target.ts';
import type { EndedCall, HookInputs } from '../../harness/hooks/hook-protocol.ts';
import type { KnownSecrets } from '../../harness/output/known-secrets.ts';
import { unlessStopped } from '../../harness/verdict/outcome.ts';
import type { OperatorStep } from '../cases/case-request.ts';
import type { Chapter } from '../chapter/chapter.ts';
import { readers, type Principals } from '../chapter/chapters.ts';
import { learnPrincipals } from './arrange-mentions.ts';
import type { CasePlace } from './case-runner.ts';

/** What is made of a target: everything that cases need there. */
type PlaceOf = (
  target: Target,
  known: { readonly principals: Principals; readonly roleNow: (role: RoleName) => string },
) => Omit<CasePlace, 'operate' | 'isBack'>;

interface WorkspacesOptions {
  readonly target: Target;
  readonly env: NodeJS.ProcessEnv;
  readonly secrets: KnownSecrets;
  readonly signal: AbortSignal;
  readonly client: Client;
  readonly placeOf: PlaceOf;
  /** Where cases take place if nobody can make a workspace. */
  readonly home: () => CasePlace;
  /** Is told of each call of a hook that has ended. */
  readonly onCall?: (call: EndedCall) => void;
}

/** So many workspaces a campaign asks for at most: they stay where they are. */
const mostWorkspaces = 500;

/** Workspaces that the operator makes for cases, one for each: what is changed there nobody else sees. */
export class Workspaces {
  readonly #options: WorkspacesOptions;
  readonly #hooks: HookCaller;
  /** Who is told of a call of a hook, by its input. */
  readonly #chapters = new WeakMap<object, Chapter<unknown>>();
  #made = 0;

  constructor(options: WorkspacesOptions) {
    const { target, env, secrets } = options;
    this.#options = options;
    const onCall = (call: EndedCall): void => {
      this.#chapters.get(call.input)?.change(call);
      options.onCall?.(call);
    };
    this.#hooks = new HookCaller(target, { env, secrets, onCall });
  }

  async close(): Promise<void> {
    await this.#hooks.close();
  }

  /** What was wrong with each hook that failed: it was not called again, and what needs it was not sent. */
  get failures(): readonly string[] {
    return this.#hooks.failures;
  }

  /** One more; the target itself where nobody makes any, and `undefined` where that fails or enough were made. */
  async make(): Promise<CasePlace | undefined> {
    const { target, client, signal, placeOf, home } = this.#options;
    if (target.hooks.provision === undefined) return home();
    if (this.#made >= mostWorkspaces) return undefined;
    this.#made += 1;
    const made = await unlessStopped(this.#hooks.provision({}, signal));
    if (made === undefined) return undefined;
    const principals: Principals = new Map();
    const standing = new Standing(principals);
    const place = placeOf(made.target, { principals, roleNow: (role) => standing.of(role) });
    await learnPrincipals(client, {
      target: made.target,
      principals,
      signal,
      chapters: place.chapters,
      ...(await place.chapters.open('bare')),
    });
    const operate = async (step: OperatorStep, chapter: Chapter<unknown>): Promise<boolean> => {
      const uploader = readers.find(
        (role) => made.target.roles[role] !== undefined && standing.of(role) === role,
      );
      const output = await this.#operate(callOf(step, made.target, { principals, uploader }), chapter);
      if (output === undefined) return false;
      if (step.act === 'upload') principals.set(step.of, String(output['id']));
      else standing.note(step);
      return true;
    };
    return { ...place, operate, isBack: (role) => standing.isBack(role) };
  }

  /** Calls a hook; `undefined` where there is none, or where it fails. */
  async #operate(call: HookCall | undefined, chapter: Chapter<unknown>): Promise<JsonRecord | undefined> {
    const { target, signal } = this.#options;
    if (call === undefined || target.hooks[call.name] === undefined) return undefined;
    this.#chapters.set(call.input, chapter);
    return unlessStopped(this.#hooks.call(call.name, call.input, signal));
  }
}

/** A call of a hook that changes something. */
type HookCall = {
  readonly [Name in 'rename' | 'deactivate' | 'revoke' | 'expire' | 'file']: {
    readonly name: Name;
    readonly input: HookInputs[Name];
  };
}['rename' | 'deactivate' | 'revoke' | 'expire' | 'file'];

/** The call by which an act comes about; `undefined` where nobody knows whom or what it is about. */
function callOf(
  { act, of }: OperatorStep,
  target: Target,
  {
    principals,
    uploader,
  }: {
    readonly principals: Principals;
    /** Who uploads: an agent that has its access. */
    readonly uploader: RoleName | undefined;
  },
): HookCall | undefined {
  const [kind = '', role = ''] = of.split(':');
  if (act === 'revoke' || act === 'expire') {
    const token = target.roles[role as RoleName]?.token;
    return token === undefined ? undefined : { name: act, input: { token } };
  }
  if (act === 'upload') {
    const { token } = (uploader && target.roles[uploader]) ?? {};
    if (token === undefined) return undefined;
    const note = { filename: 'a note.txt', content_type: 'text/plain', content_base64: btoa(of) };
    return { name: 'file', input: { action: 'upload', ...note, agent_token: token } };
  }
  const id = principals.get(of);
  const { workspaceId = '' } = target;
  if (id === undefined) return undefined;
  if (act === 'delete') return { name: 'file', input: { action: 'delete', id } };
  if (act === 'rename')
    return { name: 'rename', input: { kind: kind as 'agent', id, display_name: `Another ${kind}` } };
  const active = act === 'return';
  const where = { workspace_id: workspaceId, active };
  if (kind === 'agent') return { name: 'deactivate', input: { kind: 'access', agent_id: id, ...where } };
  return kind === 'machine'
    ? { name: 'deactivate', input: { kind: 'machine', machine_id: id, ...where } }
    : { name: 'deactivate', input: { kind: 'membership', human_user_id: id, ...where } };
}

/** What becomes of whoever shares something with somebody who left is not said. */
const unclear = 'unclear';

/** What the credential of each role is good for, once the operator has changed that. */
class Standing {
  readonly #principals: Principals;
  readonly #ended = new Map<string, string>();
  /** By role, what it is without: its own access, or something that it may share. */
  readonly #without = new Map<string, Set<string>>();

  constructor(principals: Principals) {
    this.#principals = principals;
  }

  /** The role as whose credential that of a role counts now. */
  of(role: RoleName): string {
    const ended = this.#ended.get(role);
    if (ended !== undefined) return ended;
    const without = this.#without.get(role) ?? new Set();
    if (without.size === 0) return role;
    return without.has(`agent:${role}`) ? 'outsider' : unclear;
  }

  /** Whether a role was without something that it has again. */
  isBack(role: string): boolean {
    return this.#without.get(role)?.size === 0;
  }

  note({ act, of }: OperatorStep): void {
    const [, named = ''] = of.split(':');
    if (act === 'revoke') this.#ended.set(named, 'revoked');
    if (act === 'expire') this.#ended.set(named, 'expired');
    for (const role of readers.filter((each) => this.#mayShare(each, of))) {
      const without = this.#without.get(role) ?? new Set();
      if (act === 'leave') this.#without.set(role, without.add(of));
      if (act === 'return') without.delete(of);
    }
  }

  #mayShare(role: RoleName, of: string): boolean {
    const [kind = ''] = of.split(':');
    const own = this.#principals.get(`${kind}:${role}`);
    return own === undefined || own === this.#principals.get(of);
  }
}
