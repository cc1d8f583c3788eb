import type { PassedExchange } from '../../harness/front/recorded.ts';
import type { Target } from '../../harness/config/target.ts';
import { Scoring } from '../../harness/gate/scoring.ts';
import { KnownSecrets } from '../../harness/output/known-secrets.ts';
import type { FindingEvent } from '../../harness/results/generated/events.ts';
import { JudgedTraffic } from '../../harness/traffic/judged-traffic.ts';
import { batchOf, Digests, exchangesOf } from '../../harness/traffic/exchange-batch.ts';
import { recordedWhile } from '../degenerate/replay.ts';
import type { Server } from '../servers/server.ts';
import { letAgentsWork } from './agents.ts';

/** What plain traffic shows of a server. */
interface ShownByTraffic {
  readonly findings: readonly FindingEvent[];
  readonly exchanges: number;
}

/** Longer than the reference, or a variant that lags on purpose, takes to show a message, in ms. */
const settleMs = 600;

/** Lets agents work at a server behind a front, and judges what went through. */
export async function judgeServer(
  server: Server,
  load: { readonly agents: number; readonly forMs: number },
): Promise<ShownByTraffic> {
  const { target, close } = await server.open();
  try {
    const passed = await recordedWhile(target.baseUrl, (baseUrl) => letAgentsWork(target, baseUrl, load));
    return { findings: judgedPassed(passed, target), exchanges: passed.length };
  } finally {
    await close();
  }
}

/** What was found of either side in what went past a front. */
export function judgedPassed(passed: readonly PassedExchange[], target: Target): readonly FindingEvent[] {
  const findings: FindingEvent[] = [];
  const traffic = new JudgedTraffic({
    target: { ...target, roles: {}, hooks: {} },
    settleMs,
    scoring: new Scoring({}, { isStrict: false }),
    secrets: new KnownSecrets(),
    onFinding: (finding) => findings.push(finding),
  });
  for (const exchange of exchangesOf(batchOf(passed, new Digests()), '', 0)) traffic.add(exchange);
  traffic.end();
  return findings;
}
