import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isEnabled, needNames, whatEnables, type NeedName } from '../../../harness/config/capabilities.ts';
import { roleNames, tokenVariable } from '../../../harness/config/roles.ts';
import { hookNames, type HookName, type Target } from '../../../harness/config/target.ts';
import { packageFile } from '../../../spec/package-file.ts';
import { channelId, secondChannelId, targetOf as target } from './target-folder.ts';

const enabled = (of: Target): readonly NeedName[] => needNames.filter((need) => isEnabled(of, need));
/** What a server may have in the form that the suite tries. */
const bindings = needNames.filter((need) => need.endsWith('-binding') || need === 'files');

describe('isEnabled', () => {
  it('finds only bindings in a bare base URL, as they have defaults', () => {
    expect(enabled(target())).toEqual(bindings);
  });

  it.each(roleNames)('finds the role %s by its credential', (role) => {
    expect(enabled(target({ tokens: { [role]: 'x' } }))).toEqual([role, ...bindings]);
  });

  it.each(hookNames)('finds the hook %s by its command', (name: HookName) => {
    const withHook = { ...target(), hooks: { [name]: { command: ['x'], timeoutMs: 1 } } };
    expect(enabled(withHook)).toEqual([...bindings, `${name}-hook`]);
  });

  it('finds channels and workspace by their ids', () => {
    expect(enabled(target({ channel: channelId }))).toEqual(['channel', ...bindings]);
    expect(enabled(target({ secondChannel: secondChannelId }))).toEqual(['second-channel', ...bindings]);
    expect(enabled(target({ workspace: channelId }))).toEqual(['workspace', ...bindings]);
  });

  it('counts on learning the workspace from a message of the author', () => {
    const learning = target({ channel: channelId, tokens: { author: 'x' } });
    expect(enabled(learning)).toEqual(['author', 'channel', 'workspace', ...bindings]);
  });

  it('needs twenty million bytes for large contents', () => {
    expect(isEnabled(target({ maxBytes: 19_999_999 }), 'large-contents')).toBe(false);
    expect(isEnabled(target({ maxBytes: 20_000_000 }), 'large-contents')).toBe(true);
    expect(isEnabled(target({ baseUrl: 'http://127.0.0.1:8080' }), 'large-contents')).toBe(true);
  });
});

it('the needs that a clause may name are those that there are', () => {
  const schema = JSON.parse(readFileSync(packageFile('spec/clauses.schema.json'), 'utf8')) as {
    readonly $defs: { readonly need: { readonly enum: readonly string[] } };
  };
  // Whether there are files shows in the run: a clause about them rests on how they are sent.
  const named = needNames.filter((need) => need !== 'files');
  expect(schema.$defs.need.enum.toSorted()).toEqual(named.toSorted());
});

describe('whatEnables', () => {
  it('says it in one line for every need', () => {
    for (const need of needNames) expect(whatEnables(need)).toMatch(/^[^\n]{20,160}$/);
    expect(new Set(needNames.map(whatEnables)).size).toBe(needNames.length);
  });

  it('names the field and the variable', () => {
    expect(whatEnables('reader')).toBe(
      'add `roles.reader` to the target file (or CONFORM_READER_TOKEN): an agent that can be mentioned, with another human and machine than the author',
    );
    expect(whatEnables('api-key')).toContain(
      `\`roles.api_key\` to the target file (or ${tokenVariable('api-key')})`,
    );
    expect(whatEnables('revoke-hook')).toContain('`hooks.revoke`');
    expect(whatEnables('second-channel')).toContain('`second_channel`');
  });
});
