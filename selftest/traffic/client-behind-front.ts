// Puts a front before the service that a client is told of: `node client-behind-front.js FOLDER COMMAND…`. As it ends it leaves a file of
// its own in the folder, with what went through. Judging that is for whoever reads it: it would take most of the time of a client.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { startFront } from '../../harness/front/front.ts';
import type { PassedExchange } from '../../harness/front/recorded.ts';

const [folder = '', program = '', ...args] = process.argv.slice(2);
const baseUrl = process.env['CONFORM_BASE_URL'] ?? '';
const passed: PassedExchange[] = [];
const front = await startFront({ baseUrl }, { onExchange: (exchange) => passed.push(exchange) });
const client = spawn(program, args, {
  env: { ...process.env, CONFORM_BASE_URL: front.baseUrl },
  stdio: 'inherit',
});
// It is of the same group, and hears of the end itself.
process.on('SIGTERM', () => undefined);
client.once('close', (code) => {
  void front.close().then(() => {
    writeFileSync(join(folder, `${process.pid}`), serialize({ baseUrl, passed }));
    process.exit(code ?? 0);
  });
});
