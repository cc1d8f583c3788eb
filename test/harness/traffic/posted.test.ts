import { describe, expect, it } from 'vitest';
import type { PassedExchange } from '../../../front/recorded.ts';
import { readTarget } from '../../../harness/config/reading/read-target.ts';
import { judgedPassed } from '../../../selftest/traffic/judge-server.ts';
import { ids } from '../../history/fixtures.ts';

const { target } = readTarget({ flags: { baseUrl: 'http://127.0.0.1:1' }, env: {}, cwd: '/' });
const json = ['Content-Type', 'application/json'];

/** A send that was answered by what is no message. */
function passed(changed: Partial<PassedExchange> = {}): PassedExchange {
  return {
    method: 'POST',
    url: `/v0/channels/${ids.channel}/messages`,
    rawHeaders: ['Authorization', 'Bearer one', ...json],
    body: [Buffer.from('{"content":"words of others"}')],
    answer: { status: 200, rawHeaders: json, body: [Buffer.from('{"content":"words of others","id":7}')] },
    end: 'answered',
    startedMs: 1,
    endedMs: 2,
    ...changed,
  };
}

describe('what went past a proxy', () => {
  it('is shown without the words of others, without values of unknown parameters, and with no line that sends it', () => {
    const url = `${passed().url}?access_token=s3cret&%61fter=1&limit=2`;
    const broken = { status: 400, rawHeaders: json, body: [Buffer.from('{"content":"words of others"}')] };
    const findings = judgedPassed([passed({ url, answer: broken })], target);
    const [exchange] = findings.flatMap(({ exchanges }) => exchanges);
    expect(exchange?.request.path).toMatch(/\?access_token=[0-9a-f]{16}&after=1&limit=2$/);
    expect(exchange?.request.body).toMatchObject({
      totalBytes: 29,
      text: expect.stringMatching(/^<29 bytes, /),
    });
    expect(exchange?.whyNoCurl).toBe('it was recorded without its credential and its body');
    expect(JSON.stringify(findings)).not.toMatch(/words of others|s3cret/);
  });
});
