import { runFuzz } from '../../../fuzz/campaign/run-fuzz.ts';
import { separateReference } from '../../cli/conform.ts';
import { fuzzedTarget } from '../fuzzed-target.ts';
import { growthVerdict, type Soak, tellMinutes } from './soak.ts';

const goals = {
  requestsPerMinute: 50_000,
  /** Later than this after its time is up a campaign may not end, in ms. */
  overtimeMs: 2_000,
};

/** A long campaign against the reference in a process of its own, with retention. */
export const soakCampaign: Soak = async (minutes, signal) => {
  await using reference = await separateReference(['--keep', '20000']);
  let sent = 0;
  const told = tellMinutes(
    () => process.memoryUsage.rss() / 1e6,
    () => `${sent} requests`,
  );
  try {
    const { result, footer } = await runFuzz(fuzzedTarget(reference.targetFile), {
      seed: Math.floor(Math.random() * 2 ** 31),
      timeMs: minutes * 60_000,
      concurrency: 32,
      signal,
      onEvent: (event) => {
        if (event.type === 'progress') sent = event.requests;
      },
      onFinding: ({ root, label }) => void process.stdout.write(`found ${root} by ${label}\n`),
    });
    sent = footer.footprint.requests;
    const overtimeMs = Math.max(0, (result?.durationMs ?? 0) - minutes * 60_000);
    return [
      ['ended', result?.end ?? 'not run', result?.end === 'complete'],
      ['findings', result?.findings.length ?? 0, result?.findings.length === 0],
      ['requests', sent, sent >= goals.requestsPerMinute * minutes],
      ['overtime ms', overtimeMs.toFixed(0), overtimeMs <= goals.overtimeMs],
      growthVerdict(told.end()),
    ];
  } finally {
    told.end();
  }
};
