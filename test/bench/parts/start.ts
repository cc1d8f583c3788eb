import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { packageFile } from '../../../spec/package-file.ts';
import { cleanEnv } from '../../cli/conform.ts';
import { medianOf, type Part, type Row } from '../row.ts';

const main = packageFile('dist/cli/main.js');
const rounds = 7;

/** How long a command takes until something is seen of it. */
export const startUp: Part = {
  name: 'start',
  how: `From the start of a process, with its files in the cache: until \`--help\` has ended, and until a server has the first request of a
run or of a campaign. Medians of ${rounds}.`,
  isQuick: true,
  measure: async () => {
    const help = Array.from({ length: rounds }, () => {
      const startedMs = performance.now();
      spawnSync(process.execPath, [main, '--help'], { env: cleanEnv });
      return performance.now() - startedMs;
    });
    const rows: Row[] = [
      { what: '`--help`', value: medianOf(help), unit: 'ms', goal: { atMost: 120 } },
      { what: 'first request of a run', value: await firstRequest([]), unit: 'ms', goal: { atMost: 700 } },
      { what: 'first request of a campaign', value: await firstRequest(['fuzz']), unit: 'ms' },
    ];
    return rows;
  },
};

async function firstRequest(command: readonly string[]): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const times: number[] = [];
  while (times.length < rounds) times.push(await untilAsked(server, command));
  server.close();
  return medianOf(times);
}

async function untilAsked(server: Server, command: readonly string[]): Promise<number> {
  const { port } = server.address() as AddressInfo;
  const id = '00000000-0000-4000-8000-000000000001';
  const target = ['--base-url', `http://127.0.0.1:${port}`, '--channel', id, '--workspace', id];
  const env = { ...cleanEnv, CONFORM_AUTHOR_TOKEN: 'a-token' };
  const startedMs = performance.now();
  const child = spawn(process.execPath, [main, ...command, ...target], { env, stdio: 'ignore' });
  await once(server, 'request');
  const tookMs = performance.now() - startedMs;
  child.kill('SIGKILL');
  await once(child, 'close');
  server.closeAllConnections();
  return tookMs;
}
