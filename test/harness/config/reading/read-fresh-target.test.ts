import { describe, expect, it } from 'vitest';
import { HookFailed } from '../../../../harness/errors.ts';
import { readFreshTarget } from '../../../../harness/config/reading/read-target.ts';
import { channelId, secondChannelId, targetOf } from '../target-folder.ts';

const base = targetOf({
  baseUrl: 'http://host/prefix',
  channel: secondChannelId,
  tokens: { author: 'old', machine: 'm' },
  settleMs: 7,
});

function refusalOf(output: Record<string, unknown>): string {
  try {
    readFreshTarget(output, base);
  } catch (error) {
    if (error instanceof HookFailed) return error.message;
    throw error;
  }
  throw new Error('the output was taken');
}

describe('the output of the provision hook', () => {
  it('gives workspace, channels and roles; everything else stays the target’s', () => {
    const roles = { author: 'env:NOT_A_REFERENCE', api_key: 'k' };
    const output = { workspace: channelId, channel: channelId, second_channel: secondChannelId, roles };
    expect(readFreshTarget(output, base)).toEqual({
      ...base,
      workspaceId: channelId,
      channelId,
      secondChannelId,
      roles: {
        author: { token: 'env:NOT_A_REFERENCE', source: 'hooks.provision' },
        'api-key': { token: 'k', source: 'hooks.provision' },
      },
    });
  });

  it('has nothing of the target’s own workspace where it leaves something out', () => {
    const fresh = readFreshTarget({}, base);
    expect(fresh).toMatchObject({
      channelId: undefined,
      roles: {},
      baseUrl: 'http://host/prefix',
      settleMs: 7,
    });
  });

  it('may repeat the base URL, in any spelling', () => {
    expect(readFreshTarget({ base_url: 'http://HOST:80/prefix/' }, base).baseUrl).toBe('http://host/prefix');
  });

  it.each<[string, Record<string, unknown>, string]>([
    [
      'another server',
      { base_url: 'http://elsewhere' },
      '`base_url` must be that of the target, or left out: nothing else is contacted',
    ],
    [
      'a slip in a name',
      { roles: { auhtor: 's3cret' } },
      'unknown field `roles.auhtor` – did you mean `roles.author`?',
    ],
    [
      'what stays the target’s',
      { bindings: { mentions: 'to' } },
      "`bindings` must be the target's own – leave it out",
    ],
  ])('with %s is refused by hook and field, without a value', (_, output, message) => {
    const refusal = refusalOf(output);
    expect(refusal).toMatch(/^hooks\.provision: in its output: /);
    expect(refusal).toContain(message);
    expect(refusal).not.toContain('s3cret');
  });
});
