import { describe, expect, it } from 'vitest';
import { conform, type Ended } from './conform.ts';
import { UsedReference } from './use-reference.ts';

const reference = new UsedReference();

/** Runs a proxy while something is done with it, then stops it. */
async function withChaos(
  args: readonly string[],
  use: (baseUrl: string) => Promise<unknown>,
): Promise<Ended> {
  return conform(['chaos', ...args], {
    onStart: (child) => {
      child.stdout.once('data', (text: string) => void use(text.trim()).finally(() => child.kill('SIGINT')));
    },
  });
}

describe('conform chaos', () => {
  it('makes the trouble that it is asked for, says where, and counts it', async () => {
    const statuses: number[] = [];
    const args = ['--target', reference.targetPath, '--limited', '50', '--retry-after', '0', '--seed', '3'];
    const { stdout, stderr } = await withChaos(args, async (baseUrl) => {
      for (let count = 0; count < 40; count += 1)
        statuses.push((await fetch(`${baseUrl}/v0/mentions`)).status);
    });
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/);
    expect(stderr).toContain(`on the way to ${reference.target.base_url}: 429 to 50 %; seed 3`);
    const limited = statuses.filter((status) => status === 429).length;
    expect(stderr).toContain(`limited ${limited}`);
    expect([limited > 5, statuses.filter((status) => status === 401).length]).toEqual([true, 40 - limited]);
  });

  it('takes the base URL of a server as well as a target file', async () => {
    let status = 0;
    await withChaos(['--target', reference.target.base_url], async (baseUrl) => {
      status = (await fetch(`${baseUrl}/v0/mentions`)).status;
    });
    expect(status).toBe(401);
  });

  it('is what the clients of a stress run go through where that is asked for', async () => {
    const args = 'stress --time 1s --clients 4 --seed 4 --cut 3 --delay 20 --unavailable 3'.split(' ');
    const { stdout, code } = await conform(args);
    expect(stdout).toMatch(/on the way to http:\S+: cuts 3 %, 503 to 3 %, delays up to 20 ms, seed 4/);
    expect(stdout).toContain('conforms in what was judged: nothing failed');
    expect(code).toBe(0);
  });
});
