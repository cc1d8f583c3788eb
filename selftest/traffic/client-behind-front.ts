// Puts a front before the service that a client is told of, and judges what goes through: `node client-behind-front.js FILE COMMAND…`.
// As it ends it adds a line to the file for each exchange, `exchange`, and one for each finding, its clause.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { startFront } from '../../front/front.ts';
import type { PassedExchange } from '../../front/recorded.ts';
import { readTarget } from '../../harness/config/reading/read-target.ts';
import { judgedPassed } from './judge-server.ts';

const [file = '', program = '', ...args] = process.argv.slice(2);
const baseUrl = process.env['CONFORM_BASE_URL'] ?? '';
const { target } = readTarget({ flags: { baseUrl }, env: {}, cwd: '/' });
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
    const clauses = judgedPassed(passed, target).map(({ clause }) => clause);
    appendFileSync(file, [...passed.map(() => 'exchange'), ...clauses, ''].join('\n'));
    process.exit(code ?? 0);
  });
});
