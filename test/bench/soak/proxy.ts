import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { letAgentsWork } from '../../../selftest/traffic/agents.ts';
import { conform, type Ended, separateReference } from '../../cli/conform.ts';
import { fuzzedTarget } from '../fuzzed-target.ts';
import { kilobytesOf, withChildren } from '../peak-memory.ts';
import { growthVerdict, type Soak, tellMinutes } from './soak.ts';

const mostMegabytes = 300;
const plain = { agents: 50, forMs: 60_000 };

/** What is asked of the server in turn; the seed is that of the turn. */
const commands = {
  run: ['run'],
  fuzz: ['fuzz', '--time', '60s'],
  stress: ['stress', '--time', '30s'],
} as const;

/**
 * `conform proxy` before the reference, which keeps the newest messages only and restarts when it is asked to. Through it go a run, a campaign,
 * concurrent clients and fifty agents at work, one after the other; the first time each command is given without the proxy, too.
 */
export const soakProxy: Soak = async (minutes, signal) => {
  const folder = mkdtempSync(join(tmpdir(), 'conform-soak-'));
  const reference = await separateReference(['--keep', '20000']);
  const direct = join(folder, 'direct.yaml');
  writeFileSync(direct, reference.targetFile);
  const proxy = await startProxy(['--target', direct, '--out', join(folder, 'out.ndjson')]);
  const through = join(folder, 'through.yaml');
  const throughFile = reference.targetFile.replace(/(?<=^base_url: ).*/m, proxy.baseUrl);
  writeFileSync(through, throughFile);
  const others: string[] = [];
  let turns = 0;
  const told = tellMinutes(
    () => megabytesOf(proxy.child),
    () => `${turns} turns`,
  );
  const endMs = performance.now() + minutes * 60_000;
  try {
    for (; performance.now() < endMs && !signal.aborted; turns += 1) {
      for (const [name, args] of Object.entries(commands)) {
        const seed = name === 'run' ? [] : ['--seed', `${turns}`];
        const ask = (file: string): Promise<Ended> =>
          conform([...args, ...seed, '--target', file], { isAlone: true });
        const own = await ask(through);
        const verdicts = [own, ...(turns === 0 ? [await ask(direct)] : [])].map(({ code }) => code);
        if (verdicts.some((code) => code !== 0))
          others.push(`${name} ${verdicts.join(' and ')}\n${own.stdout}`);
      }
      await letAgentsWork(fuzzedTarget(throughFile), proxy.baseUrl, plain);
    }
  } finally {
    told.end();
    proxy.child.kill('SIGINT');
    await reference.close();
  }
  const { code, stdout, stderr } = await proxy.ended;
  const all = told.end();
  const most = Math.max(0, ...all.map((minute) => minute.most));
  const found = stdout.match(/^F\d.*/gm) ?? [];
  process.stdout.write([...others, ...found, stdout.split('\n').slice(-6).join('\n'), stderr, ''].join('\n'));
  rmSync(folder, { recursive: true });
  return [
    ['turns', turns, turns > 0],
    ['commands that did not end with 0', others.length, others.length === 0],
    ['findings', found.length, found.length === 0],
    ['exit code', String(code), code === 0],
    ['most memory in MB', most.toFixed(0), most <= mostMegabytes],
    growthVerdict(all),
  ];
};

interface Proxy {
  readonly baseUrl: string;
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

function startProxy(args: readonly string[]): Promise<Proxy> {
  return new Promise((resolve) => {
    const ended: Promise<Ended> = conform(['proxy', ...args], {
      onStart: (child) =>
        child.stdout.once('data', (line: string) => {
          const [baseUrl = ''] = /^http:\S+/.exec(line) ?? [];
          // Once this has returned its result is there.
          setImmediate(() => resolve({ baseUrl, child, ended }));
        }),
    });
  });
}

/** Of the process that passes on, and of the one that judges; pages of the program itself, which both have, count once. */
function megabytesOf({ pid = 0 }: ChildProcess): number {
  const all = withChildren(pid);
  const own = all.reduce((sum, each) => sum + kilobytesOf(each, 'RssAnon'), 0);
  return (own + Math.max(...all.map((each) => kilobytesOf(each, 'RssFile')))) / 1e3;
}
