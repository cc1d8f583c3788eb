import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KeptHistories } from '../../cli/proxy/kept-histories.ts';
import { MessagingClient } from '../../examples/client/client.ts';
import { KnownSecrets } from '../../harness/output/known-secrets.ts';
import { targetOfReference } from '../../embedded/reference-hooks.ts';
import { type Reference, startReference, targetFileOf } from '../../reference/index.ts';
import { letAgentsWork } from '../../selftest/traffic/agents.ts';
import { Story } from '../history/fixtures.ts';
import { ownFolder } from '../fixtures/folder.ts';
import { listening } from '../fixtures/listening.ts';
import { conform, type Ended } from './conform.ts';
import { eventsIn, runIn } from '../fixtures/stream.ts';

const folder = ownFolder('proxy-');
const at = (name: string): string => join(folder, name);

/** Runs a proxy while something is done with it, then stops it. */
async function withProxy(
  args: readonly string[],
  use: (baseUrl: string, metrics: () => Promise<string>) => Promise<unknown>,
  { signal = 'SIGINT', before }: { readonly signal?: NodeJS.Signals; readonly before?: string } = {},
): Promise<Ended> {
  let failure: unknown;
  const ended = await conform(['proxy', '--metrics', '0', ...args], {
    ...(before === undefined ? {} : { before }),
    onStart: (child) => {
      let [out, err] = ['', ''];
      let isUsed = false;
      const look = (): void => {
        const [baseUrl] = /^http:\S+/.exec(out) ?? [];
        const [, url] = /metrics at (\S+);/.exec(err) ?? [];
        if (baseUrl === undefined || url === undefined || isUsed) return;
        isUsed = true;
        const metrics = async (): Promise<string> => (await fetch(url)).text();
        void use(baseUrl, metrics)
          .catch((error: unknown) => (failure = error))
          .finally(() => child.kill(signal));
      };
      child.stdout.on('data', (text: string) => ((out += text), look()));
      child.stderr.on('data', (text: string) => ((err += text), look()));
    },
  });
  if (failure !== undefined) throw failure;
  return ended;
}

async function talk(reference: Reference, baseUrl: string): Promise<void> {
  const { roles, channelId } = reference.world;
  const [author, reader] = [roles.author, roles.reader].map(
    ({ token }) => new MessagingClient(baseUrl, token),
  );
  for (const text of ['one', 'two', 'three'])
    await author?.append(channelId, `${text} of somebody who talks`);
  await reader?.messages(channelId, 0);
  await reader?.mentions(0);
}

describe('conform proxy', () => {
  it('judges what goes through: findings as they happen, counts, a stream, and histories without a secret', async () => {
    await using broken = await startReference({
      rules: {
        storedContent: (text) => `${text}~`,
        sizeBytes: (text) => Buffer.byteLength(text) + 1,
      },
    });
    writeFileSync(at('broken.yaml'), targetFileOf(broken));
    const clause = 'message.content.unaltered';
    // A chapter is not to end in the middle: what was sent long before its end is not carried on.
    const args = [
      '--target',
      at('broken.yaml'),
      '--every',
      '5s',
      '--keep',
      at('kept'),
      '--out',
      at('out.ndjson'),
    ];
    const { code, stdout } = await withProxy(args, async (baseUrl, metrics) => {
      await talk(broken, baseUrl);
      await expect
        .poll(metrics, { timeout: 60_000 })
        .toContain(`conform_findings_total{side="server",clause="${clause}"} 3`);
      const counts = await metrics();
      expect(counts).toContain('conform_exchanges_total{call="send",status="2xx"} 3');
      expect(counts).toContain('conform_exchange_seconds_count{call="send"} 3');
      expect(counts).toContain('conform_skipped_total 0');
    });
    expect(code).toBe(1);
    expect(stdout.indexOf(`F1 failed ${clause}`)).toBeLessThan(stdout.indexOf('TALLY'));
    const { isWhole, events } = await runIn(at('out.ndjson'));
    expect(isWhole).toBe(true);
    expect(events.filter(({ type }) => type === 'finding')).toMatchObject([{ clause }]);
    const histories = readdirSync(at('kept')).map((name) => join(at('kept'), name));
    const judged = await conform(['judge', ...histories]);
    expect([judged.code, judged.stdout.includes(clause)]).toEqual([1, true]);
    const { author, reader } = broken.world.roles;
    const all = [
      stdout,
      ...[at('out.ndjson'), ...histories].map((file) => readFileSync(file, 'utf8')),
    ].join();
    for (const secret of [author.token, reader.token, 'somebody who talks'])
      expect(all).not.toContain(secret);
  }, 120_000);

  it('judges clients as well, and tells which one it was', async () => {
    await using kept = await startReference();
    const { author, reader } = kept.world.roles;
    const clause = 'client.requests.limit-in-range';
    const name = `agent ${createHash('sha256').update(reader.token).digest('hex').slice(0, 16)}`;
    const keep = ['--keep', at('asked'), '--out', at('asked.ndjson')];
    const args = ['--target', kept.baseUrl, '--every', '500ms', ...keep];
    const { code, stdout } = await withProxy(args, async (baseUrl, metrics) => {
      await talk(kept, baseUrl);
      for (const { token } of [reader, reader, author])
        await fetch(`${baseUrl}/v0/mentions?limit=${token === reader.token ? 1000 : 100}`, {
          headers: { authorization: `Bearer ${token}` },
        });
      await expect
        .poll(metrics, { timeout: 60_000 })
        .toContain(`conform_findings_total{side="client",clause="${clause}"} 2`);
      expect(await metrics()).not.toContain('side="server"');
    });
    expect(code).toBe(1);
    expect(stdout).toMatch(new RegExp(`^F1 failed ${clause}\n.*\n  actual:   ${name}: `, 'm'));
    expect(stdout).not.toMatch(/^F2/m);
    expect(stdout).toContain(`proxy --target ${kept.baseUrl} --every 500ms\n`);
    expect(stdout).toMatch(/reads its mentions\s+\?limit=1000\s+->\s+400/);
    expect(eventsIn(at('asked.ndjson')).filter(({ type }) => type === 'finding')).toMatchObject([
      { clause, check: 'client.requests' },
    ]);
    const histories = readdirSync(at('asked')).map((file) => join(at('asked'), file));
    const judged = await conform(['judge', ...histories]);
    expect([judged.code, judged.stdout.includes(name)]).toEqual([1, true]);
    expect(judged.stdout).toMatch(/reads its mentions\s+\?limit=1000\s+->\s+400/);
  }, 120_000);

  it('finds nothing at a server that keeps the contract, also where processes share a credential, each with a cursor of its own', async () => {
    await using kept = await startReference();
    const { roles, channelId } = kept.world;
    const { code, stdout } = await withProxy(
      ['--target', kept.baseUrl, '--every', '500ms'],
      async (baseUrl) => {
        const follow = async (limit: number): Promise<void> => {
          const client = new MessagingClient(baseUrl, roles.reader.token);
          let [after, mentionsAfter] = [0, 0];
          for (let turn = 0; turn < 30; turn += 1) {
            ({ after } = await client.messages(channelId, after, limit));
            ({ after: mentionsAfter } = await client.mentions(mentionsAfter));
            await client.append(channelId, turn % 3 === 0 ? 'the same words' : `${limit} ${turn}`);
            await new Promise((resolve) => setTimeout(resolve, 5 * limit));
          }
        };
        const atWork = letAgentsWork(targetOfReference(kept), baseUrl, { agents: 8, forMs: 1_000 });
        await Promise.all([atWork, follow(1), follow(7), follow(3)]);
      },
    );
    expect(stdout).not.toMatch(/^F\d/m);
    expect([code, /nothing failed/.test(stdout)]).toEqual([0, true]);
  }, 120_000);

  it('holds nothing against a run of this suite, which asks what no client may', async () => {
    await using kept = await startReference();
    let ran: Ended | undefined;
    const { code, stdout } = await withProxy(['--target', kept.baseUrl], async (baseUrl) => {
      writeFileSync(at('through.yaml'), targetFileOf(kept).replace(kept.baseUrl, baseUrl));
      const run = 'run --check mentions.limit-of-101-is-refused mentions.limit-that-is-no-integer-is-refused';
      ran = await conform([...run.split(' '), '--target', at('through.yaml')]);
    });
    expect(ran?.code, ran?.stdout).toBe(0);
    expect(stdout).not.toMatch(/^F\d/m);
    expect(code).toBe(0);
  }, 240_000);

  it('says how many requests got no answer, of which it knows nothing', async () => {
    const gone = await startReference({});
    writeFileSync(at('gone.yaml'), targetFileOf(gone));
    const { stdout } = await withProxy(['--target', at('gone.yaml')], async (baseUrl) => {
      await talk(gone, baseUrl);
      await fetch(`${baseUrl}/status`);
      await gone[Symbol.asyncDispose]();
      for (const _ of 'two') await fetch(`${baseUrl}/v0/mentions`).catch(() => undefined);
    });
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'warning: 9 exchanges went through, 1 of them to no call of the contract, and 0 more unjudged; 3 got no whole answer',
    );
  });

  it('is killed, and its histories are readable to their last line', async () => {
    await using kept = await startReference();
    await withProxy(
      ['--target', kept.baseUrl, '--keep', at('killed')],
      async (baseUrl) => {
        await talk(kept, baseUrl);
        await expect.poll(() => readdirSync(at('killed')).length, { timeout: 60_000 }).toBe(1);
        await new Promise((resolve) => setTimeout(resolve, 300));
      },
      { signal: 'SIGKILL' },
    );
    const [name = ''] = readdirSync(at('killed'));
    const judged = await conform(['judge', join(at('killed'), name)]);
    expect(judged.stdout).toMatch(/recorded traffic: [1-9]\d* operations?/);
    expect(judged.stdout).not.toContain('breaks off');
  }, 120_000);

  it('goes on where its histories cannot be written any more, and says so', async () => {
    await using kept = await startReference();
    const { code, stdout } = await withProxy(
      ['--target', kept.baseUrl, '--keep', at('lost'), '--every', '300ms'],
      async (baseUrl, metrics) => {
        rmSync(at('lost'), { recursive: true });
        writeFileSync(at('lost'), 'no folder');
        await talk(kept, baseUrl);
        await expect.poll(metrics).toContain('conform_exchanges_total{call="send",status="2xx"} 3');
      },
    );
    expect(stdout).toMatch(/warning: \S*lost\S*\s+is\s+not\s+complete\s+\(E\w+\)/);
    expect(stdout).toContain('nothing failed');
    expect(code).toBe(0);
  }, 120_000);

  it('goes on where there is no more room, says so once, and leaves whole histories', async () => {
    await using kept = await startReference();
    let exchanges = 0;
    const { code, stdout } = await withProxy(
      ['--target', kept.baseUrl, '--keep', at('full'), '--every', '300ms'],
      async (baseUrl, metrics) => {
        const counted = async (): Promise<number> =>
          [...(await metrics()).matchAll(/^conform_exchanges_total.* (\d+)$/gm)].reduce(
            (sum, [, count]) => sum + Number(count),
            0,
          );
        await letAgentsWork(targetOfReference(kept), baseUrl, { agents: 8, forMs: 600 });
        const before = await counted();
        // On a busy machine it takes longer.
        for (let round = 0; exchanges <= 20 && round < 20; round += 1) {
          await letAgentsWork(targetOfReference(kept), baseUrl, { agents: 8, forMs: 600 });
          exchanges = (await counted()) - before;
        }
      },
      // No file may take more than 4 kB, as on a disk where so much is left.
      { before: 'trap "" XFSZ; ulimit -f 8' },
    );
    expect(exchanges).toBeGreaterThan(20);
    expect([code, /nothing failed/.test(stdout)]).toEqual([0, true]);
    expect(stdout.match(/warning: \S+\s+is\s+not\s+complete\s+\(EFBIG\)/g)).toHaveLength(1);
    const files = readdirSync(at('full')).map((name) => join(at('full'), name));
    expect(files.length).toBeGreaterThan(1);
    const judged = await conform(['judge', ...files]);
    expect(judged.stderr).toBe('');
    expect(judged.stdout).toMatch(/recorded traffic: [1-9]\d* operations?/);
  }, 120_000);

  it('keeps histories beside those of another one that began in the same second', () => {
    const { facts } = new Story().history;
    const operation = new Story().send();
    for (const _ of ['one', 'another']) {
      const kept = new KeptHistories(at('shared'), { mostBytes: 1e6, secrets: new KnownSecrets() });
      kept.begin(facts)(operation);
      kept.end();
    }
    expect(readdirSync(at('shared'))).toHaveLength(2);
  });

  it.each(['--port', '--metrics'])(
    'ends where the port of %s is taken',
    async (option) => {
      const taken = new URL(await listening(createServer())).port;
      const args = ['proxy', '--target', 'http://127.0.0.1:9', '--metrics', '0', option, taken];
      const { code, stderr } = await conform(args);
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining(`no listening at 127.0.0.1, port ${taken}`),
      ]);
    },
    30_000,
  );

  it('passes on and nothing else where it is not to judge', async () => {
    await using kept = await startReference();
    const ended = await conform(['proxy', '--no-judge', '--target', kept.baseUrl], {
      onStart: (child) => {
        child.stdout.once('data', (text: string) => {
          void talk(kept, text.trim()).finally(() => child.kill('SIGINT'));
        });
      },
    });
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^http:\S+\n$/) });
  }, 120_000);
});
