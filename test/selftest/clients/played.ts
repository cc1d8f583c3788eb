import { KnownSecrets } from '../../../harness/output/known-secrets.ts';
import { scenarios } from '../../../scenarios/catalogue/index.ts';
import { runScenarios } from '../../../scenarios/playing/run-scenarios.ts';
import { packageFile } from '../../../spec/index.ts';

const program = packageFile('dist/selftest/clients/client.js');
/** They wait most of the time. */
const atOnce = 6;

/** A client of the self-test, and the ids of what is played with it; none for all. */
interface Cast {
  readonly name: string;
  readonly scenarios: readonly string[];
}

/** By client, the clauses that it breaks; what could not be decided stands there with a question mark. */
export async function brokenByEach(casts: readonly Cast[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const broken = new Map<string, readonly string[]>();
  const queue = [...casts];
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift())
      broken.set(next.name, await brokenBy(next));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return broken;
}

async function brokenBy({ name, scenarios: ids }: Cast): Promise<readonly string[]> {
  const played = await runScenarios(
    scenarios.filter(({ id }) => ids.length === 0 || ids.includes(id)),
    {
      command: [process.execPath, program, name],
      env: process.env,
      patienceMs: 6_000,
      concurrency: 1,
      secrets: new KnownSecrets(),
      signal: new AbortController().signal,
    },
  );
  const told = played.flatMap(({ check }) =>
    check.clauses.flatMap(({ clause, verdict }) => {
      if (verdict === 'passed') return [];
      return [`${clause}${verdict === 'inconclusive' ? '?' : ''}`];
    }),
  );
  return [...new Set(told)];
}
