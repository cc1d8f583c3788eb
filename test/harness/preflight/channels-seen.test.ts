import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../harness/client/exchange.ts';
import { exchangeOf } from '../../fixtures/exchange.ts';
import { channelsSeenLines, weakCredentialLines } from '../../../harness/preflight/channels-seen.ts';

const [one, two] = ['84f4822e-22f8-437a-84bf-c3c5df4f2327', '3c4a33e6-0f9a-4126-bc0b-c31367cb8066'];

const listing = (json: unknown, status = 200): Exchange => exchangeOf({}, { status, json });

describe('the channels that a listing shows', () => {
  it('are named with the options that take them, the default one first', () => {
    const channels = [
      { id: two, display_name: '#second', is_default: false },
      { id: one, display_name: '#general', is_default: true },
    ];
    const [line] = channelsSeenLines(listing({ channels }));
    expect(line?.text).toContain(`${one} (“#general”, the default), ${two} (“#second”)`);
    expect(line?.text).toContain(`take \`--channel ${one}\` and \`--second-channel ${two}\``);
  });

  it('may stand in a list of any name, or in no object', () => {
    expect(channelsSeenLines(listing({ items: [{ id: one }] }))).toHaveLength(1);
    expect(channelsSeenLines(listing([{ id: one }]))).toHaveLength(1);
  });

  it('are none where the answer is a refusal, or lists something else', () => {
    expect(channelsSeenLines(listing({ channels: [{ id: one }] }, 403))).toEqual([]);
    expect(channelsSeenLines(listing({ channels: [{ id: 'one; rm -rf' }, 7, null] }))).toEqual([]);
    expect(channelsSeenLines(listing('channels'))).toEqual([]);
  });

  it('are not all named where there are many', () => {
    const channels = Array.from({ length: 12 }, (_, index) => ({
      id: one.slice(0, -2) + String(index + 10),
    }));
    expect(channelsSeenLines(listing({ channels }))[0]?.text).toContain(' and 7 more; take');
  });
});

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
