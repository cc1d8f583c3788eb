import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { examplesOf } from '../../spec/examples.ts';
import { clausesGone, generatedFiles } from '../../spec/generate/generate.ts';
import type { Message, SendRequest, SourceSession } from '../../spec/generated/types.ts';
import { packageFile } from '../../spec/package-file.ts';
import { schemaNames, schemaOf } from '../../spec/schemas.ts';

describe.each(generatedFiles)('$path', ({ path, text }) => {
  it('is what its generator makes now', async () => {
    expect(readFileSync(packageFile(path), 'utf8')).toBe(await text());
  });

  it('names the command that makes it', () => {
    const [firstLine] = readFileSync(packageFile(path), 'utf8').split('\n');
    expect(firstLine).toContain('npm run generate');
  });
});

it('a clause that was generated and is renamed is noticed before anything is generated', () => {
  const before = [{ id: 'send.stays' }, { id: 'send.goes' }];
  expect(clausesGone(before, [{ id: 'send.comes' }, { id: 'send.stays' }])).toEqual(['send.goes']);
});

describe('the generated types', () => {
  const text = readFileSync(packageFile('spec/generated/types.ts'), 'utf8');

  it('hold one interface for each schema and no other', () => {
    const found = [...text.matchAll(/^export \w+ (\w+)/gm)].map((match) => match[1]);
    expect(new Set(found)).toEqual(new Set(schemaNames.map((name) => schemaOf(name).title)));
    expect(found).toHaveLength(schemaNames.length);
  });

  it('say what is optional, nullable, enumerated and open', () => {
    const session: SourceSession = { provider: 'provider_d', surface: 'cli', session_id: '' };
    // @ts-expect-error no such provider
    session.provider = 'provider_e';
    const message = examplesOf('message').valid[0]?.instance as Message;
    message.author.human_user = null;
    // @ts-expect-error closed objects have no other fields
    message.edited_at = '';
    const request: SendRequest = { content: 'x', anything: true };
    expect(request['anything']).toBe(true);
  });
});
