import { areaOf, check } from '../../harness/check/check.ts';
import type { RunOptions } from '../../harness/run/run-checks.ts';
import { HistoryReader } from '../../history/ndjson-reader.ts';
import { allChecks } from '../../suites/index.ts';
import { judgedAlone } from '../harness/judging/judged-alone.ts';
import { startAilingServer, type Fate } from './ailing-server.ts';
import { runOn, type ReferenceOptions } from './run-suite.ts';

/** Reads until the run ends: no other check waits for it. */
const endless = check(
  'population.never-ends',
  { title: 'Something goes on', clauses: ['channel-read.ascending'], needs: ['author', 'channel'] },
  async ({ author, channel, sleep }) => {
    for (;;) {
      const { fault } = await author.readChannel(channel.id, { after: 0, limit: 1 });
      if (fault !== undefined) return;
      await sleep(20);
    }
  },
);

const sending = allChecks.filter((each) => areaOf(each) === 'population' && !each.isExclusive);

/** Nobody but the history sees that of three targets two are shown; `hid` is called each time. */
function twoTargets(hid: () => void): ReferenceOptions {
  return {
    rules: {
      presentTargets: (targets) => {
        if (targets.length > 2) hid();
        return targets.slice(0, 2);
      },
    },
  };
}

export interface Cut {
  readonly budgetMs?: number;
  readonly interruptMs?: number;
  /** Interrupted so many requests after the broken server has hidden so many targets: the answers have come by then. */
  readonly interruptAfterHidden?: number;
  /** From so many ms after the first request on. */
  readonly fate?: readonly [ms: number, fate: Fate];
}

/** A run that is cut short, of a good server or a broken one, and what its history alone comes to. */
export async function cutShort(cut: Cut, isBroken: boolean) {
  const { budgetMs, interruptMs, interruptAfterHidden, fate } = cut;
  let beganMs: number | undefined;
  let [hidden, requestsSinceHidden] = [0, 0];
  const interrupted = new AbortController();
  const options = isBroken
    ? twoTargets(() => {
        hidden += 1;
      })
    : {};
  await using server = await startAilingServer(() => {
    beganMs ??= performance.now();
    if (interruptAfterHidden !== undefined && hidden >= interruptAfterHidden) requestsSinceHidden += 1;
    if (requestsSinceHidden === interruptAfterHidden) interrupted.abort();
    return fate !== undefined && performance.now() - beganMs > fate[0] ? fate[1] : 'pass';
  }, options);
  const reader = new HistoryReader();
  const onHistoryLines: RunOptions['onHistoryLines'] = (lines) => {
    for (const line of lines.split('\n')) reader.add(line);
  };
  const signal = interruptMs === undefined ? interrupted.signal : AbortSignal.timeout(interruptMs);
  const target = { ...server.target, budgetMs };
  const run = await runOn([...sending, endless], target, {
    signal,
    onHistoryLines,
    checkTimeoutMs: 60_000,
  });
  return { ...run, judgedCode: judgedAlone(reader.history()).footer.exitCode };
}
