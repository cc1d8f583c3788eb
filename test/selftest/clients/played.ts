import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KnownSecrets } from '../../../harness/output/known-secrets.ts';
import { scenarios } from '../../../scenarios/catalogue/index.ts';
import { runScenarios } from '../../../scenarios/playing/run-scenarios.ts';
import type { PlayedCheck } from '../../../scenarios/playing/run-scenarios.ts';
import type { Scenario } from '../../../scenarios/scenario.ts';
import { runFolder } from '../../run-folder.ts';
import { packageFile } from '../../../spec/index.ts';

/** The client with a switch, and what judges the traffic of a client. */
export const program = packageFile('dist/selftest/clients/client.js');
const behindFront = packageFile('dist/selftest/traffic/client-behind-front.js');
/** They wait most of the time. */
const atOnce = 6;

/** A scenario by its id. */
export function named(id: string): Scenario {
  const found = scenarios.find((each) => each.id === id);
  if (found === undefined) throw new Error(`there is no scenario ${id}`);
  return found;
}

/** Where the traffic of a client that is right comes close to what is a fault. */
export const nearFaults = [
  'read.gaps',
  'read.limited',
  'read.after-a-while',
  'read.restarted',
  'send.answers-lost',
  'send.limited',
  'echo.mentions',
].map(named);

/** A client of the self-test, and the ids of what is played with it. */
interface Cast {
  readonly name: string;
  readonly scenarios: readonly string[];
}

/** By client, the clauses that it breaks; what could not be decided stands there with a question mark. */
export function brokenByEach(casts: readonly Cast[]): Promise<ReadonlyMap<string, readonly string[]>> {
  return ofEach(casts, brokenBy);
}

/** By client, what is found out about it; several at a time. */
export async function ofEach<T extends { readonly name: string }>(
  casts: readonly T[],
  findOut: (cast: T) => Promise<readonly string[]>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  const queue = [...casts];
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift())
      found.set(next.name, await findOut(next));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return found;
}

/**
 * What the traffic of a client shows of either side while scenarios are played, as clauses, each once; with `isPlayed` also what its play
 * comes to.
 * @throws Error where it asks nothing in one of them
 */
export async function shownByTraffic(
  command: readonly string[],
  chosen: readonly Scenario[],
  { isPlayed = false }: { readonly isPlayed?: boolean } = {},
): Promise<readonly string[]> {
  const file = join(runFolder(), `traffic-${randomUUID()}`);
  writeFileSync(file, '');
  const played = await playedBy([process.execPath, behindFront, file, ...command], chosen);
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const clauses = lines.filter((line) => line !== 'exchange');
  if (lines.length - clauses.length < chosen.length) throw new Error(`${command.join(' ')} asks nothing`);
  return [...new Set([...clauses, ...(isPlayed ? brokenIn(played) : [])])];
}

async function brokenBy({ name, scenarios: ids }: Cast): Promise<readonly string[]> {
  return brokenIn(await playedBy([process.execPath, program, name], ids.map(named)));
}

function brokenIn(played: readonly PlayedCheck[]): readonly string[] {
  const told = played.flatMap(({ check }) =>
    check.clauses.flatMap(({ clause, verdict }) => {
      if (verdict === 'passed') return [];
      return [`${clause}${verdict === 'inconclusive' ? '?' : ''}`];
    }),
  );
  return [...new Set(told)];
}

function playedBy(command: readonly [string, ...string[]], chosen: readonly Scenario[]) {
  return runScenarios(chosen, {
    command,
    env: process.env,
    patienceMs: 6_000,
    concurrency: 1,
    secrets: new KnownSecrets(),
    signal: new AbortController().signal,
  });
}
