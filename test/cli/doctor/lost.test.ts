import { describe, expect, it } from 'vitest';
import { examine } from '../../../cli/doctor/examine.ts';
import { KnownSecrets } from '../../../harness/output/known-secrets.ts';
import { errorOf, type Fate, startAilingServer } from '../../suites/ailing-server.ts';

/** What an examination says was lost of a server that meets a fate after so many requests. */
async function lostAfter(count: number, fate: Fate): Promise<string | undefined> {
  const server = await startAilingServer((number) => (number > count ? fate : 'pass'));
  try {
    const { signal } = new AbortController();
    return (await examine(server.target, { env: {}, signal, secrets: new KnownSecrets() })).lost;
  } finally {
    await server.close();
  }
}

describe('an examination', () => {
  it('says what worked at its beginning and does not at its end', async () => {
    const refusal = { ...errorOf(401, 'who is that?'), headers: { 'www-authenticate': 'Bearer' } };
    expect(await lostAfter(40, refusal)).toContain('the credential of author is refused');
    expect(await lostAfter(40, 'die')).toContain('cannot be reached');
  }, 90_000);

  it('says nothing of that where nothing was lost', async () => {
    expect(await lostAfter(1e9, 'pass')).toBeUndefined();
  }, 60_000);
});
