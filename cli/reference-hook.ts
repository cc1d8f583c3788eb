// The command that the target file of a served reference names for each of its hooks: it hands the call on to the
// process that serves. Its one argument is the file with the address and the token of that process.
import { readFileSync } from 'node:fs';
import type { OperatorAddress } from './operator-listener.ts';

try {
  const { url, token } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as OperatorAddress;
  const answer = await fetch(`${url}/${process.env['CONFORM_HOOK'] ?? ''}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: process.env['CONFORM_INPUT'] ?? '{}',
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`the reference answered ${answer.status}: ${text}`);
  process.stdout.write(text);
} catch (error) {
  process.stderr.write(
    `${error instanceof Error ? error.message : String(error)}; is the reference still served?\n`,
  );
  process.exitCode = 1;
}
