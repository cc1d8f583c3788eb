import type { ErrorObject } from 'ajv/dist/2020.js';
import { definitionsIn } from '../../spec/own-schemas.ts';
import { isPlainName } from '../config/reading/layer.ts';
import type { HookName } from '../config/target.ts';
import { HookFailed } from '../errors.ts';

type Nothing = Readonly<Record<string, never>>;

/** Whose access, active life or membership ends, or begins again. */
export type Lifecycle =
  | { readonly kind: 'access'; readonly agent_id: string; readonly workspace_id: string }
  | { readonly kind: 'machine'; readonly machine_id: string; readonly workspace_id: string }
  | { readonly kind: 'membership'; readonly human_user_id: string; readonly workspace_id: string };

/** What each hook is given: one JSON object. */
export interface HookInputs {
  /**
   * What would be of use in the workspace beside what a target names: so many further agents, shared channels and active members, and a token
   * that is good for so many seconds.
   */
  readonly provision: {
    readonly agents?: number;
    readonly channels?: number;
    readonly members?: number;
    readonly short_lived?: number;
  };
  readonly revoke: { readonly token: string };
  readonly expire: { readonly token: string };
  readonly rename: {
    readonly kind: 'agent' | 'user' | 'machine';
    readonly id: string;
    readonly display_name: string;
  };
  readonly deactivate: Lifecycle & { readonly active: boolean };
  readonly file:
    | {
        readonly action: 'upload';
        readonly filename: string;
        readonly content_type: string;
        readonly content_base64: string;
        readonly agent_token: string;
      }
    | { readonly action: 'delete'; readonly id: string };
  readonly restart: Nothing;
  /** `null` lifts the limit again. */
  readonly limit: { readonly kind: 'requests'; readonly token: string; readonly per_second: number | null };
}

/** What a hook answered: its output, or that the server has nothing like it. */
export type HookAnswer =
  | { readonly output: Readonly<Record<string, unknown>> }
  | { readonly unsupported: string };

/**
 * Whether a call makes something new and has to say what: nothing at all is no answer then, and a second try disturbs nothing.
 */
export function makesSomething(name: HookName, input: object): boolean {
  return name === 'provision' || isUpload(input);
}

/**
 * Holds what a hook returned, parsed, against the protocol; nothing at all counts as `{}` if no output is required.
 * @throws HookFailed that names the hook, what is wrong, and the shape that was expected; never a value
 */
export function readHookAnswer<N extends HookName>(
  name: N,
  input: HookInputs[N],
  returned: unknown,
): HookAnswer {
  if (returned === undefined && makesSomething(name, input)) {
    const what = `hooks.${name}: its output is empty; expected ${expectedOutput(name, input)}`;
    throw new HookFailed(what, { isTrouble: true });
  }
  const output = returned ?? {};
  if (hookValidator('unsupported')(output)) return output as { unsupported: string };
  const validate = hookValidator(`${name}/properties/output`);
  const fault = validate(output)
    ? missingId(input, output as Record<string, unknown>)
    : describe(validate.errors?.[0]);
  if (fault === undefined) return { output: output as Record<string, unknown> };
  throw new HookFailed(`hooks.${name}: ${fault}; expected ${expectedOutput(name, input)}`);
}

/** The output of a call in words and JSON, for people who write hooks. */
function expectedOutput<N extends HookName>(name: N, input: HookInputs[N]): string {
  if (name === 'provision') {
    return 'the fields of a target: {"workspace": …, "channel": …, "second_channel": …, "roles": {"author": "<token>", …}}';
  }
  return isUpload(input) ? '{"id": "<id of the file>"}' : '{} or nothing';
}

function missingId(input: object, output: Record<string, unknown>): string | undefined {
  if (isUpload(input)) return output['id'] === undefined ? 'its output lacks `id`' : undefined;
  return 'action' in input && output['id'] !== undefined ? 'its output has an unknown field `id`' : undefined;
}

function isUpload(input: object): boolean {
  return 'action' in input && input.action === 'upload';
}

function describe(error: ErrorObject | undefined): string {
  if (error === undefined || (error.keyword === 'type' && error.instancePath === ''))
    return 'its output is not a JSON object';
  if (error.keyword === 'additionalProperties') {
    const extra = String(error.params['additionalProperty']);
    return `its output has an unknown field${isPlainName(extra) ? ` \`${extra}\`` : ''}`;
  }
  return `\`${error.instancePath.slice(1)}\` of its output ${error.message ?? 'is wrong'}`;
}

const hookValidator = definitionsIn('harness/hooks/hook-protocol.schema.json', {
  allowUnionTypes: true,
  strictRequired: false,
});

/** A call of a hook that has ended; times in ms on the monotonic clock. */
export interface EndedCall {
  readonly name: HookName;
  readonly input: HookInputs[HookName];
  readonly startedMs: number;
  readonly endedMs: number;
  /** False when the hook failed: then nobody knows what it did. */
  readonly isDone: boolean;
}
