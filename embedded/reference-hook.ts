// The command that the target file of a served reference may name for each of its hooks: it hands calls on to the process that
// serves. Its first argument is the file with the address and the token of that process; with `--stay` it reads calls as lines
// of JSON until its stdin ends, else the one that its environment holds.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { OperatorAddress } from './operator-listener.ts';

/** One line of stdin. */
interface HookRequest {
  readonly id: number;
  readonly hook: string;
  readonly input: unknown;
}

const [addressFile = '', mode] = process.argv.slice(2);

async function handOn(hook: string, input: string): Promise<string> {
  try {
    const { url, token } = JSON.parse(readFileSync(addressFile, 'utf8')) as OperatorAddress;
    const answer = await fetch(`${url}/${hook}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: input,
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`the reference answered ${answer.status}: ${text}`);
    return text;
  } catch (error) {
    throw new Error(`${errorMessageOf(error)}; is the reference still served?`, { cause: error });
  }
}

async function answer(line: string): Promise<void> {
  const { id, hook, input } = JSON.parse(line) as HookRequest;
  const outcome = await handOn(hook, JSON.stringify(input)).then(
    (text) => ({ id, output: JSON.parse(text) as unknown }),
    (error: unknown) => ({ id, error: errorMessageOf(error) }),
  );
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
}

function errorMessageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

if (mode === '--stay') {
  createInterface({ input: process.stdin }).on('line', (line) => void answer(line));
} else {
  try {
    process.stdout.write(
      await handOn(process.env['CONFORM_HOOK'] ?? '', process.env['CONFORM_INPUT'] ?? '{}'),
    );
  } catch (error) {
    process.stderr.write(`${errorMessageOf(error)}\n`);
    process.exitCode = 1;
  }
}
