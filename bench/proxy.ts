// `npm run bench:proxy`: what judging costs those whose requests go through a proxy: the same front with it and without, side by side, at
// the most that they take and at a thousand requests a second. An argument says how many seconds each part takes; five when there is none.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { packageFile } from '../spec/index.ts';
import { medianOf, printLoad, tableOf } from './table.ts';

const seconds = Number(process.argv[2] ?? 5);
const goals = { share: 0.8, p50Ms: 1, p99Ms: 5, megabytes: 300 };
const steadyRate = 1_000;
const connections = 32;

/** Whatever ends this, they do not stay. */
const children: ChildProcess[] = [];
process.once('exit', () => children.forEach((child) => child.kill('SIGKILL')));

/** Answers as the service does, at next to no cost. */
function cheapServer(): ReturnType<typeof createServer> {
  const page = JSON.stringify({ messages: [], page: { next_after: 7, has_more: false, high_watermark: 7 } });
  return createServer({ keepAliveTimeout: 120_000 }, (incoming, outgoing) => {
    incoming.resume();
    incoming.once('end', () => outgoing.writeHead(200, { 'content-type': 'application/json' }).end(page));
  });
}

interface Proxy {
  readonly port: number;
  readonly child: ChildProcess;
}

async function proxyBefore(baseUrl: string, isJudging: boolean): Promise<Proxy> {
  const args = ['proxy', '--target', baseUrl, ...(isJudging ? [] : ['--no-judge'])];
  const child = spawn(process.execPath, [packageFile('dist/cli/main.js'), ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  children.push(child);
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  return { port: Number(/:(\d+)/.exec(line.toString().replace('http://', ''))?.[1]), child };
}

const path = '/v0/channels/0b9c1f6a-3d0e-4a55-9a53-3c1f1b6f2c11/messages?after=7&limit=100';

function ask(port: number, agent: Agent): Promise<number> {
  const startedMs = performance.now();
  return new Promise((resolve, reject) => {
    request({ port, agent, path, headers: { authorization: 'Bearer t0ken' } }, (answer) => {
      answer.resume().once('end', () => resolve(performance.now() - startedMs));
    })
      .once('error', reject)
      .end();
  });
}

/** Requests a second that go through at the most. */
async function mostOf(port: number, forSeconds: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const endMs = performance.now() + forSeconds * 1_000;
  let count = 0;
  const client = async (): Promise<void> => {
    while (performance.now() < endMs) {
      await ask(port, agent);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  agent.destroy();
  return count / forSeconds;
}

/** How long answers take at a steady rate, in ms, sorted. */
async function latenciesOf(port: number, forSeconds: number): Promise<readonly number[]> {
  // As many as an event loop takes at once: a machine that stalls must not open a thousand.
  const agent = new Agent({ keepAlive: true, maxSockets: 2 * connections });
  const all: Promise<number>[] = [];
  const startedMs = performance.now();
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const due = ((performance.now() - startedMs) / 1_000) * steadyRate;
      while (all.length < due) all.push(ask(port, agent));
      if (all.length >= steadyRate * forSeconds) {
        clearInterval(timer);
        resolve();
      }
    }, 1);
  });
  const latencies = await Promise.all(all);
  agent.destroy();
  return latencies.toSorted((one, other) => one - other);
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
}

/** Of the process that passes on, and of the one that judges. */
function megabytesOf({ child: { pid } }: Proxy): number {
  const all = [pid, ...readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)];
  const peaks = all.map((each) => /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${each}/status`, 'utf8'))?.[1]);
  return peaks.reduce((sum, kilobytes) => sum + Number(kilobytes), 0) / 1e3;
}

const server = cheapServer().listen(0, '127.0.0.1');
await once(server, 'listening');
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const [plain, judging] = [await proxyBefore(baseUrl, false), await proxyBefore(baseUrl, true)];
const rounds = [1, 2, 3];
const shares: number[] = [];
const [p50, p99]: [number[], number[]] = [[], []];
for (const _ of rounds) {
  // In turn, so that what else the machine does meets both alike.
  const [without, withIt] = [await mostOf(plain.port, seconds), await mostOf(judging.port, seconds)];
  shares.push(withIt / without);
  const [quick, slow] = [await latenciesOf(plain.port, seconds), await latenciesOf(judging.port, seconds)];
  p50.push(at(slow, 0.5) - at(quick, 0.5));
  p99.push(at(slow, 0.99) - at(quick, 0.99));
  process.stdout.write(`${without.toFixed(0)} a second without judging, ${withIt.toFixed(0)} with it\n`);
}
const rows: readonly (readonly [string, number, boolean])[] = [
  ['share of requests a second', medianOf(shares), medianOf(shares) >= goals.share],
  ['added at p50, ms', medianOf(p50), medianOf(p50) <= goals.p50Ms],
  ['added at p99, ms', medianOf(p99), medianOf(p99) <= goals.p99Ms],
  ['peak memory, MB', megabytesOf(judging), megabytesOf(judging) <= goals.megabytes],
];
const print = tableOf([30, 10, 8]);
for (const [name, value, isKept] of rows) print([name, value.toFixed(2), isKept ? 'kept' : 'MISSED']);
printLoad();
server.close();
server.closeAllConnections();
process.exit(rows.every(([, , isKept]) => isKept) ? 0 : 1);
