import { describe, expect, it } from 'vitest';
import { HookCaller } from '../../../harness/check/hook-caller.ts';
import type { Hook, HookName } from '../../../harness/config/target.ts';
import type { HookInputs } from '../../../harness/hooks/hook-protocol.ts';
import { KnownSecrets } from '../../../harness/output/known-secrets.ts';
import { targetOf } from '../config/target-folder.ts';

const uuid = '7f1c0f0a-0d61-4c0e-9c39-6d1f4f7f0e01';
const signal = new AbortController().signal;

/** What hooks got when each was called so; a call that ends with its precondition not met counts as none. */
async function given<N extends HookName>(name: N, input: HookInputs[N]): Promise<readonly unknown[]> {
  const inputs: unknown[] = [];
  const hook: Hook = { call: (each) => Promise.resolve(void inputs.push(each)) };
  const target = { ...targetOf(), hooks: { [name]: hook } };
  const caller = new HookCaller(target, { env: {}, secrets: new KnownSecrets() });
  await caller.call(name, input, signal).catch(() => {});
  await caller.close();
  return inputs;
}

/** Ids that a server may choose, to be handed to somebody's program. */
const ids = [
  '../../admin/$(touch /tmp/x)',
  '$(touch /tmp/x)',
  '`touch /tmp/x`',
  '--help',
  '',
  `${uuid}\n`,
  `${uuid}; touch /tmp/x`,
  `{${uuid}}`,
];

const inputsWith = (id: string): readonly (readonly [HookName, HookInputs[HookName]])[] => [
  ['rename', { kind: 'agent', id, display_name: 'a name' }],
  ['file', { action: 'delete', id }],
  ['deactivate', { kind: 'access', agent_id: id, workspace_id: uuid, active: false }],
  ['deactivate', { kind: 'access', agent_id: uuid, workspace_id: id, active: false }],
  ['deactivate', { kind: 'machine', machine_id: id, workspace_id: uuid, active: false }],
  ['deactivate', { kind: 'membership', human_user_id: id, workspace_id: uuid, active: true }],
];

describe('the hooks of the operator', () => {
  it('get ids that are UUIDs', async () => {
    for (const [name, input] of inputsWith(uuid)) {
      expect(await given(name, input)).toEqual([input]);
    }
  });

  it.each(ids)('never get the id %j', async (id) => {
    const got = await Promise.all(inputsWith(id).map(([name, input]) => given(name, input)));
    expect(got.flat()).toEqual([]);
  });
});
