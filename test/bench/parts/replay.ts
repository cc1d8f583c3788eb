import { type Dispatcher, Pool } from 'undici';
import { parse } from 'yaml';
import type { PassedExchange } from '../../../harness/front/recorded.ts';
import { type Recording, recordedWhile } from '../../../selftest/degenerate/replay.ts';
import { separateReference } from '../../cli/conform.ts';
import { medianOf, type Part } from '../row.ts';
import { timedRun } from '../timed-run.ts';

const rounds = 3;
const connections = 128;

/** A run against the least that its own requests take. */
export const replayOfARun: Part = {
  name: 'replay',
  how: `A default run at a reference in a process of its own, and then its own requests once more by a bare pool of connections, without
judging: each as soon as all that had ended before it began has ended again, so that what hung on an answer still waits for one. What
was sent under a key is not stored again. Medians of ${rounds}, in turn.`,
  isQuick: true,
  measure: async (folder) => {
    const [runs, replays]: [number[], number[]] = [[], []];
    let count = 0;
    while (runs.length < rounds) {
      await using reference = await separateReference();
      const target = parse(reference.targetFile) as { base_url: string };
      runs.push((await timedRun(folder, target)).seconds);
      const recorded = await recordRun(folder, target);
      count = recorded.length;
      replays.push(await replay(target.base_url, recorded));
    }
    const [run, bare] = [medianOf(runs), medianOf(replays)];
    return [
      { what: 'run, a reference apart', value: run, unit: 's' },
      { what: 'its requests alone', value: bare, unit: 's', note: `${count} requests` },
      { what: 'run, of its requests alone', value: run / bare, unit: '×', goal: { atMost: 1.6 } },
    ];
  },
};

/** What a run asks, in the order in which it begins to. */
async function recordRun(folder: string, target: { base_url: string }): Promise<Recording> {
  const exchanges = await recordedWhile(target.base_url, (baseUrl) =>
    timedRun(folder, { ...target, base_url: baseUrl }),
  );
  return exchanges.toSorted((one, other) => one.startedMs - other.startedMs);
}

/** Sends it all again; how long that takes, in s. */
async function replay(baseUrl: string, exchanges: readonly PassedExchange[]): Promise<number> {
  const pool = new Pool(baseUrl, { connections, pipelining: 1 });
  const byEnd = exchanges.toSorted((one, other) => one.endedMs - other.endedMs);
  const ended = new Map<PassedExchange, Promise<void>>();
  // Of those that had ended by then, in the order of their ends: all of them.
  let before: Promise<unknown> = Promise.resolve();
  let next = 0;
  const startedMs = performance.now();
  for (const exchange of exchanges) {
    const fresh: Promise<void>[] = [];
    for (; (byEnd[next]?.endedMs ?? Infinity) <= exchange.startedMs; next += 1) {
      const own = ended.get(byEnd[next] as PassedExchange);
      if (own !== undefined) fresh.push(own);
    }
    if (fresh.length > 0) before = Promise.all([before, ...fresh]);
    ended.set(
      exchange,
      before.then(() => send(pool, exchange)),
    );
  }
  await Promise.all(ended.values());
  const seconds = (performance.now() - startedMs) / 1000;
  await pool.close();
  return seconds;
}

/** Headers that belong to the connection that it came by. */
const ofConnection = /^(?:connection|content-length|host|keep-alive|transfer-encoding|expect)$/i;

async function send(pool: Pool, { method, url, rawHeaders, body }: PassedExchange): Promise<void> {
  const headers = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 && !ofConnection.test(name) ? [name, rawHeaders[at + 1] ?? ''] : [],
  );
  const whole = body === undefined || body.length === 0 ? null : Buffer.concat(body);
  const answer = await pool
    .request({ path: url, method: method as Dispatcher.HttpMethod, headers, body: whole })
    // A few are such as no pool sends.
    .catch(() => undefined);
  await answer?.body.arrayBuffer().catch(() => undefined);
}
