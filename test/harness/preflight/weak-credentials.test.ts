import { describe, expect, it } from 'vitest';
import { weakCredentialLines } from '../../../harness/preflight/weak-credentials.ts';

const credential = (token: string) => ({ token, source: 'roles' });

describe('preflight', () => {
  it.each(['secret', 'T0k', '12345678901', 'a1b2c3d'])('warns of the credential %s', (token) => {
    const lines = weakCredentialLines({
      roles: { author: credential(token), reader: credential('h7#kQ29sLw0') },
    });
    expect(lines).toHaveLength(1);
    expect(lines[0]?.severity).toBe('warning');
    expect(lines[0]?.text).toMatch(/^the credential of author can be hidden/);
    expect(lines[0]?.text).not.toContain(token);
  });

  it('names each role once, in one line', () => {
    const [line] = weakCredentialLines({ roles: { author: credential('a'), machine: credential('b') } });
    expect(line?.text).toMatch(/^the credentials of author, machine can/);
  });

  it('says nothing of strong credentials', () => {
    expect(weakCredentialLines({ roles: { author: credential('author-token-1') } })).toEqual([]);
  });
});
