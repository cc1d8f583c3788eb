import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize } from 'node:v8';
import type { PassedExchange } from '../../../harness/front/recorded.ts';
import { readTarget } from '../../../harness/config/reading/read-target.ts';
import { KnownSecrets } from '../../../harness/output/known-secrets.ts';
import { withWorkers } from '../../../harness/run/waves.ts';
import { scenarios } from '../../../scenarios/catalogue/index.ts';
import { type PlayedCheck, runScenarios } from '../../../scenarios/playing/run-scenarios.ts';
import type { Scenario } from '../../../scenarios/scenario.ts';
import { judgedPassed } from '../../../selftest/traffic/judge-server.ts';
import { packageFile } from '../../../spec/index.ts';
import { runFolder } from '../../run-folder.ts';

const program = packageFile('dist/selftest/clients/client.js');
const behindFront = packageFile('dist/selftest/traffic/client-behind-front.js');
/** They wait most of the time. */
const atOnce = 6;

/** A scenario by its id. */
export function named(id: string): Scenario {
  const found = scenarios.find((each) => each.id === id);
  if (found === undefined) throw new Error(`there is no scenario ${id}`);
  return found;
}

/** What a client shows while scenarios are played with it, as clauses, each once. */
export interface Shown {
  /** What it breaks by what it does; what could not be decided stands there with a question mark. */
  readonly byPlay: readonly string[];
  /** What its traffic alone shows of either side. */
  readonly byTraffic: readonly string[];
}

export const nothing: Shown = { byPlay: [], byTraffic: [] };

/** The client of the self-test with a switch, and what is played with it. */
export interface Cast {
  readonly name: string;
  readonly played: readonly Scenario[];
}

/** What clients of the self-test show; several at a time. */
export async function shownByEach(casts: readonly Cast[]): Promise<ReadonlyMap<Cast, Shown>> {
  const found = withWorkers(casts, atOnce, async (cast) => {
    const command = [process.execPath, program, cast.name];
    return [cast, await shownBy(command, cast.played)] as const;
  });
  return new Map(await found);
}

/**
 * What a client shows that is started behind a front by each scenario.
 * @throws Error where it asks nothing in one of them
 */
export async function shownBy(command: readonly string[], chosen: readonly Scenario[]): Promise<Shown> {
  const folder = mkdtempSync(join(runFolder(), 'traffic-'));
  const played = await runScenarios(chosen, {
    command: [process.execPath, behindFront, folder, ...command],
    env: process.env,
    patienceMs: 6_000,
    concurrency: 1,
    secrets: new KnownSecrets(),
    signal: new AbortController().signal,
  });
  const left = readdirSync(folder).map((file) => deserialize(readFileSync(join(folder, file))) as Passed);
  const exchanges = left.reduce((sum, { passed }) => sum + passed.length, 0);
  if (exchanges < chosen.length) throw new Error(`${command.join(' ')} asks nothing`);
  return { byPlay: [...new Set(played.flatMap(brokenIn))], byTraffic: [...new Set(left.flatMap(shownIn))] };
}

/** What a front before a client leaves. */
interface Passed {
  readonly baseUrl: string;
  readonly passed: readonly PassedExchange[];
}

function shownIn({ baseUrl, passed }: Passed): readonly string[] {
  const { target } = readTarget({ flags: { baseUrl }, env: {}, cwd: '/' });
  return judgedPassed(passed, target).map(({ clause }) => clause);
}

function brokenIn({ check }: PlayedCheck): readonly string[] {
  return check.clauses.flatMap(({ clause, verdict }) =>
    verdict === 'passed' ? [] : [`${clause}${verdict === 'inconclusive' ? '?' : ''}`],
  );
}
