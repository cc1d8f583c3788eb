import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ResultEvent } from '../../../harness/results/generated/events.ts';
import { eventsOf, writeEvent } from '../../../harness/results/stream.ts';
import type { Bundle } from '../../../reporters/bundle.ts';
import { ownFolder } from '../../fixtures/folder.ts';
import { encodings } from '../../harness/output/encodings.ts';
import { secretsIn } from '../../hostile/frame/secret-forms.ts';
import { runs } from '../../reporters/events.ts';
import { conform, type Ended } from '../conform.ts';

const secrets = ['agent_q8Zk1Lw4rT0yVb7cN2m9XsEh', 'gk_8Zq1/Lw+4rT0yVb7cN2m9XsE'];
/** Of others: no target file names them. */
const strangers = {
  bearer: 'Authorization: Bearer s7Rt0pQ2xW9vLm4Kz',
  token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjMifQ.c2lnbmF0dXJlLWhlcmU',
  cookie: '"Cookie": "session=f3Kq9zT7wB2nYx5L; theme=dark"',
};
const strangersSecrets = ['s7Rt0pQ2xW9vLm4Kz', 'c2lnbmF0dXJlLWhlcmU', 'f3Kq9zT7wB2nYx5L'];

const targetFile = `base_url: https://internal.example.test/prefix
workspace: 5f0c3b1e-8a55-4a6f-9d3c-2b7a1e9f0c11
settle_ms: 250
roles: { author: ${secrets[0]} }
connection: { headers: { x-gateway-key: env:GATEWAY_KEY } }
hooks: { revoke: { command: [./revoke.sh, --all] } }
`;

const folder = ownFolder('bundle-');
const at = (name: string): string => join(folder, name);
let made: Ended;
let bundle: Bundle;
let text = '';

/** A run in whose finding and footer every encoding of every secret stands. */
function leaking(): string {
  const leaks = secrets.flatMap((secret) => Object.values(encodings).map((encode) => encode(secret)));
  const planted = [...leaks, ...Object.values(strangers)];
  return runs['one failed with two exchanges']
    .map((event: ResultEvent): ResultEvent => {
      if (event.type !== 'finding') return event;
      const exchanges = event.exchanges.map((each) => ({
        ...each,
        curl: `${each.curl} ${planted.join(' ')}`,
      }));
      return { ...event, actual: planted.join(' | '), exchanges };
    })
    .map(writeEvent)
    .join('');
}

beforeAll(async () => {
  writeFileSync(at('target.yaml'), targetFile);
  writeFileSync(at('results.ndjson'), leaking());
  const args = ['report', at('results.ndjson'), '--bundle', at('bundle.json'), '--target', at('target.yaml')];
  made = await conform(args, { env: { GATEWAY_KEY: secrets[1] ?? '' } });
  text = readFileSync(at('bundle.json'), 'utf8');
  bundle = JSON.parse(text) as Bundle;
});

describe('conform report --bundle', () => {
  it('has no secret of the target in any encoding, and nothing that looks like the credential of anybody else', () => {
    expect(made).toMatchObject({ code: 0, stdout: '', stderr: '' });
    const planted = readFileSync(at('results.ndjson'), 'utf8');
    expect(secretsIn(planted, [...secrets, ...strangersSecrets]).length).toBeGreaterThan(10);
    expect(secretsIn(text, [...secrets, ...strangersSecrets])).toEqual([]);
  });

  it('has the shape of the target, without its addresses and ids', () => {
    expect(bundle.target).toMatchObject({
      isSecure: true,
      hasPathPrefix: true,
      roles: ['author'],
      hasWorkspace: true,
      hasChannel: false,
      settleMs: 250,
      headers: ['x-gateway-key'],
      hooks: { revoke: 'command' },
    });
    expect(text).not.toMatch(/internal\.example|5f0c3b1e|revoke\.sh/);
  });

  it('has the versions and the whole stream, of which every other report can be made', async () => {
    const [header] = runs['one failed with two exchanges'];
    expect(bundle.versions.node).toBe(process.version);
    expect(bundle.stream[0]).toEqual(header);
    const lines = bundle.stream.map(writeEvent);
    expect([...eventsOf(lines)]).toHaveLength(runs['one failed with two exchanges'].length);
    writeFileSync(at('again.ndjson'), lines.join(''));
    const { stdout, code } = await conform(['report', at('again.ndjson')]);
    expect(stdout).toMatch(/^# Does not conform\n/);
    expect(code).toBe(0);
  });
});
