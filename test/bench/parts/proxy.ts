import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { packageFile } from '../../../spec/index.ts';
import { peakMegabytes, withChildren } from '../peak-memory.ts';
import { medianOf, type Part } from '../row.ts';

const seconds = 5;
/** At the most that goes through, what counts begins once judging has made room. */
const [secondsBefore, secondsAtMost] = [8, 15];
const rounds = 5;
const goals = { share: 80, p50Ms: 1, p99Ms: 5, megabytes: 300 };
const steadyRate = 1_000;
const connections = 32;

/** Whatever ends this, they do not stay. */
const children: ChildProcess[] = [];
process.once('exit', () => children.forEach((child) => child.kill('SIGKILL')));

/** Answers as the service does, at next to no cost. */
function cheapServer(): ReturnType<typeof createServer> {
  return createServer({ keepAliveTimeout: 120_000 }, (incoming, outgoing) => {
    const after = Number(/after=(\d+)/.exec(incoming.url ?? '')?.[1]);
    const page = { messages: [], page: { next_after: after, has_more: false, high_watermark: after } };
    incoming.resume();
    incoming.once('end', () =>
      outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page)),
    );
  });
}

interface Proxy {
  readonly port: number;
  readonly child: ChildProcess;
  /** Exchanges that went through so far, and how many of them unjudged. */
  readonly counts: () => Promise<readonly [all: number, unjudged: number]>;
}

async function proxyBefore(baseUrl: string, isJudging: boolean): Promise<Proxy> {
  const args = ['proxy', '--target', baseUrl, ...(isJudging ? ['--metrics', '0'] : ['--no-judge'])];
  const child = spawn(process.execPath, [packageFile('dist/cli/main.js'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const [[where], [more]] = (await Promise.all([once(child.stdout, 'data'), once(child.stderr, 'data')])) as [
    [Buffer],
    [Buffer],
  ];
  const [, metrics = ''] = /metrics at (\S+);/.exec(more.toString()) ?? [];
  return {
    port: Number(new URL(where.toString().trim()).port),
    child,
    counts: async () => {
      const text = await (await fetch(metrics)).text();
      const sumOf = (name: string): number =>
        [...text.matchAll(new RegExp(`^${name}\\S* (\\d+)$`, 'gm'))].reduce(
          (sum, [, n]) => sum + Number(n),
          0,
        );
      return [sumOf('conform_exchanges_total'), sumOf('conform_skipped_total')];
    },
  };
}

const channel = '/v0/channels/0b9c1f6a-3d0e-4a55-9a53-3c1f1b6f2c11/messages';
let asked = 0;

/** Half of the requests are polls of an idle channel, and of the others none is like another. */
function nextPath(): string {
  asked += 1;
  return `${channel}?after=${asked % 2 === 0 ? asked : 7}&limit=100`;
}

function ask(port: number, agent: Agent): Promise<number> {
  const startedMs = performance.now();
  return new Promise((resolve, reject) => {
    request({ port, agent, path: nextPath(), headers: { authorization: 'Bearer t0ken' } }, (answer) => {
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
function megabytesOf({ child: { pid = 0 } }: Proxy): number {
  return withChildren(pid).reduce((sum, each) => sum + peakMegabytes(each), 0);
}

/** What judging costs whoever goes through `conform proxy`. */
export const proxyCost: Part = {
  name: 'proxy',
  how: `The same front with judging and without, in turn, before a server that answers at next to no cost: at the most that goes through
${connections} connections, and at ${steadyRate} requests a second; every other request is one that was made before. Medians of ${rounds} rounds of ${secondsAtMost} s, after ${secondsBefore} s that do not count, and of ${seconds} s.`,
  isQuick: true,
  measure: async () => {
    const server = cheapServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const [plain, judging] = [await proxyBefore(baseUrl, false), await proxyBefore(baseUrl, true)];
    const [shares, judged, p50, p99]: [number[], number[], number[], number[]] = [[], [], [], []];
    while (shares.length < rounds) {
      // In turn, so that what else the machine does meets both alike.
      await mostOf(plain.port, secondsBefore);
      const without = await mostOf(plain.port, secondsAtMost);
      await mostOf(judging.port, secondsBefore);
      const [allBefore, unjudgedBefore] = await judging.counts();
      const withIt = await mostOf(judging.port, secondsAtMost);
      const [all, unjudged] = await judging.counts();
      shares.push((100 * withIt) / without);
      judged.push(100 - (100 * (unjudged - unjudgedBefore)) / (all - allBefore));
      const [quick, slow] = [
        await latenciesOf(plain.port, seconds),
        await latenciesOf(judging.port, seconds),
      ];
      p50.push(at(slow, 0.5) - at(quick, 0.5));
      p99.push(at(slow, 0.99) - at(quick, 0.99));
    }
    const megabytes = megabytesOf(judging);
    children.forEach((child) => child.kill('SIGKILL'));
    server.close();
    server.closeAllConnections();
    return [
      {
        what: 'proxy, requests a second with judging',
        value: medianOf(shares),
        unit: '%',
        goal: { atLeast: goals.share },
      },
      { what: 'proxy, share of these that is judged', value: medianOf(judged), unit: '%' },
      {
        what: 'proxy, added by judging at p50',
        value: medianOf(p50),
        unit: 'ms',
        goal: { atMost: goals.p50Ms },
      },
      {
        what: 'proxy, added by judging at p99',
        value: medianOf(p99),
        unit: 'ms',
        goal: { atMost: goals.p99Ms },
      },
      { what: 'proxy, peak memory', value: megabytes, unit: 'MB', goal: { atMost: goals.megabytes } },
    ];
  },
};
