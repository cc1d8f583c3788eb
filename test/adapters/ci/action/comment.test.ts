import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ResultEvent } from '../../../../harness/results/generated/events.ts';
import { packageFile } from '../../../../spec/package-file.ts';
import { cleanEnv } from '../../../cli/conform.ts';
import { ownFolder } from '../../../fixtures/folder.ts';
import { ascend, brokenLimit, check, clause, finding, footer, header } from '../../../reporters/events.ts';
import { keepStream } from '../../../fixtures/stream.ts';

interface Comment {
  readonly id: number;
  readonly user: { readonly type: string };
  body: string;
}

const folder = ownFolder('conform-comment-');
const [before, after] = [join(folder, 'before'), join(folder, 'after')];
const [event, summary] = [join(folder, 'event.json'), join(folder, 'summary')];

/** What stands in for the comments of GitHub: those of pull request 7, and what was asked, in its order. */
const platform = { comments: [] as Comment[], asked: [] as string[], refusesWrites: 0 };
const server = createServer((request, response) => void answer(request, response));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url = '', headers } = request;
  let text = '';
  for await (const piece of request.setEncoding('utf8')) text += String(piece);
  const address = new URL(url, 'http://platform');
  platform.asked.push(`${method} ${address.pathname}`);
  const send = (status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  if (headers.authorization !== 'Bearer of-the-job') return send(401, {});
  if (method === 'GET') {
    const first = (Number(address.searchParams.get('page')) - 1) * 100;
    return send(200, platform.comments.slice(first, first + 100));
  }
  if (platform.refusesWrites > 0) return send(platform.refusesWrites, {});
  const { body } = JSON.parse(text) as { body: string };
  const id = Number(address.pathname.split('/').at(-1));
  const own = platform.comments.find((each) => each.id === id);
  if (own === undefined) platform.comments.push({ id: 900, user: { type: 'Bot' }, body });
  else own.body = body;
  return send(200, {});
}

let api = '';
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const path of [before, after]) mkdirSync(path);
  writeFileSync(event, JSON.stringify({ pull_request: { number: 7 } }));
});

afterAll(() => {
  server.close();
  server.closeAllConnections();
});

beforeEach(() => {
  Object.assign(platform, { comments: [], asked: [], refusesWrites: 0 });
  writeFileSync(summary, '');
  keep(before, good);
});

const keptLimit = check(brokenLimit.check, brokenLimit.title, [
  clause('mentions.limit'),
  clause('mentions.ascending'),
]);
const tally = { passed: 2, failed: 0, warned: 0, inconclusive: 0 };
const good = [header({ checks: 2 }), ascend, keptLimit, footer({ exitCode: 0, checks: tally })];
const bad = [
  header({ checks: 2 }),
  ascend,
  brokenLimit,
  finding(),
  footer({ exitCode: 1, checks: { ...tally, passed: 1, failed: 1 } }),
];

function keep(path: string, events: readonly ResultEvent[]): void {
  keepStream(join(path, 'results.ndjson'), events);
}

/** Runs the step for a pull request whose run came to these results. */
async function pushed(events: readonly ResultEvent[], env: Record<string, string> = {}) {
  keep(after, events);
  const child = spawn(process.execPath, [packageFile('adapters/ci/action/comment.js')], {
    env: {
      ...cleanEnv,
      GITHUB_API_URL: api,
      GITHUB_REPOSITORY: 'us/repo',
      GITHUB_BASE_REF: 'main',
      GITHUB_EVENT_PATH: event,
      GITHUB_STEP_SUMMARY: summary,
      RUNNER_TEMP: folder,
      COMMENT_NAME: 'contract',
      COMMENT_BEFORE: before,
      COMMENT_REPORT: after,
      COMMENT_TOKEN: 'of-the-job',
      ...env,
    },
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (output += piece));
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (output += piece));
  const [code] = (await once(child, 'close')) as [number | null];
  const asked = platform.asked.splice(0).filter((each) => !each.startsWith('GET'));
  return { code, output, asked, bodies: platform.comments.map(({ body }) => body) };
}

const ofIssue = '/repos/us/repo/issues';

describe('the comment of the action', () => {
  it('is written once, updated where that says another thing, and tells when all is as before again', async () => {
    const first = await pushed(bad);
    expect(first.asked).toEqual([`POST ${ofIssue}/7/comments`]);
    expect(first.bodies).toEqual([
      expect.stringMatching(/^<!-- conform: contract -->\n### Contract: 1 clause newly broken\n/),
    ]);
    expect((await pushed(bad)).asked).toEqual([]);
    const mended = await pushed(good);
    expect(mended.asked).toEqual([`PATCH ${ofIssue}/comments/900`]);
    expect(mended.bodies).toEqual([expect.stringContaining('### Contract: nothing changed')]);
    expect([first.code, mended.code, first.output]).toEqual([0, 0, '']);
  });

  it('is not written where nothing changed', async () => {
    expect(await pushed(good)).toMatchObject({ code: 0, output: '', asked: [], bodies: [] });
    keep(before, bad);
    expect((await pushed(bad)).asked).toEqual([]);
  });

  it('is found behind many others, and is that of its own name, by a robot', async () => {
    const body = '<!-- conform: contract -->\nmine';
    const others = Array.from({ length: 130 }, (_, id) => ({ id, user: { type: 'User' }, body }));
    const another = { id: 500, user: { type: 'Bot' }, body: '<!-- conform: staging -->\n' };
    platform.comments.push(...others, another, { id: 501, user: { type: 'Bot' }, body });
    expect((await pushed(bad)).asked).toEqual([`PATCH ${ofIssue}/comments/501`]);
  });

  it('is told of, and shown in the summary, where the job may not write it', async () => {
    platform.refusesWrites = 403;
    const { code, output } = await pushed(bad);
    expect(output).toMatch(/^::notice title=conform::no comment: the job may not.*pull-requests: write.*\n$/);
    expect(readFileSync(summary, 'utf8')).toMatch(/^### Contract: 1 clause newly broken\n/);
    expect(code).toBe(0);
  });

  it('leaves a job as it is where the platform does not answer', async () => {
    const { code, output } = await pushed(bad, { GITHUB_API_URL: 'http://127.0.0.1:9' });
    expect(output).toMatch(/^::warning title=conform::no comment: .*\n$/);
    expect(code).toBe(0);
  });

  it('is not written where the base branch has kept no results yet', async () => {
    rmSync(join(before, 'results.ndjson'));
    const { code, output, asked } = await pushed(bad);
    expect(output).toMatch(/^::notice title=conform::no comment: there are no results of main yet/);
    expect([code, asked]).toEqual([0, []]);
  });
});
