import { targetOfReference } from '../../embedded/reference-hooks.ts';
import { startReference } from '../../reference/index.ts';
import { runStress, type StressOptions, type StressResult } from '../../fuzz/stress/run/run-stress.ts';
import { openStage } from '../../fuzz/stress/scene/stage.ts';
import type { ConcurrencyMutant } from './concurrency-mutant.ts';

/** Longest that a mutant is looked for, in ms. */
const longestSearchMs = 30_000;

/** The server is restarted about so often, in ms, where only that brings a mutant out. */
const msPerRestart = 1_500;

/** What came of looking for a mutant. */
export interface Search {
  /** True when an anomaly was found that it is known to show. */
  readonly isFound: boolean;
  readonly durationMs: number;
  /** Names of everything that was found. */
  readonly names: readonly string[];
  readonly result: StressResult;
}

/** Puts a mutant under concurrent clients until it is found, or the time is over. */
export async function findMutant(
  mutant: ConcurrencyMutant,
  {
    clients = 12,
    seed = 1,
    timeMs = longestSearchMs,
    firstChapterMs = 2_000,
  }: Partial<Pick<StressOptions, 'clients' | 'seed' | 'timeMs' | 'firstChapterMs'>> = {},
): Promise<Search> {
  await using reference = await startReference(mutant.options());
  const found = new AbortController();
  const startedMs = performance.now();
  const names = new Set<string>();
  const stage = await openStage(targetOfReference(reference), { env: {}, signal: found.signal });
  if ('why' in stage) throw new Error(stage.why);
  const result = await runStress(stage, {
    clients,
    seed,
    timeMs,
    firstChapterMs,
    restarts: mutant.isOfRestart ? Math.ceil(timeMs / msPerRestart) : 0,
    onChapter: ({ judged }) => {
      for (const { name } of judged.anomalies) names.add(name);
      // One that is only warned of does not end the run by itself.
      if (mutant.shows.some((name) => names.has(name))) found.abort();
    },
  });
  await stage.close();
  return {
    isFound: mutant.shows.some((name) => names.has(name)),
    durationMs: performance.now() - startedMs,
    names: [...names],
    result,
  };
}
