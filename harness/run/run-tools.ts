import { HookCaller } from '../check/hook-caller.ts';
import { Client } from '../client/client.ts';
import type { EvidenceRules } from '../client/evidence.ts';
import { requestFactsOf } from '../config/request-facts.ts';
import type { Clean, KnownSecrets } from '../output/known-secrets.ts';
import { writtenTo } from '../record/history-lines.ts';
import { HistoryRecorder, noteHook } from '../record/history-recorder.ts';
import { KeptExchanges } from '../record/kept-exchanges.ts';
import type { RunState } from '../stream/run-state.ts';
import { ReceiptsWatch } from '../judging/absent-parts.ts';
import { InputMeter } from '../totals/input-meter.ts';
import type { GoodCredentials } from '../verdict/trouble.ts';
import { ServerErrors } from '../judging/repeated-errors.ts';
import { ServerWatch } from '../watch/server-watch.ts';
import { WireLedger } from '../wire/wire-ledger.ts';

/** What a run works with once preflight has passed. */
export interface RunTools {
  readonly run: RunState;
  readonly client: Client;
  readonly evidence: EvidenceRules;
  readonly watch: ServerWatch;
  readonly serverErrors: ServerErrors;
  readonly hooks: HookCaller;
  readonly wire: WireLedger;
  readonly recorder: HistoryRecorder;
  readonly exchanges: KeptExchanges;
  readonly inputs: InputMeter;
  readonly receipts: ReceiptsWatch;
}

/** What the tools have to know of the run. */
interface ToolOptions {
  /** Credentials that preflight saw accepted, and whether it could read the channel. */
  readonly good: GoodCredentials;
  readonly hasReadChannel: boolean;
  readonly signal: AbortSignal;
  readonly onLost: () => void;
  /** True when no time limit holds. */
  readonly isUnhurried: boolean;
  readonly limitPatienceMs: number | undefined;
  readonly env: NodeJS.ProcessEnv | undefined;
  /** Gets the lines of the history. */
  readonly onHistoryLines: ((lines: Clean) => void) | undefined;
  readonly secrets: KnownSecrets;
}

/** Longer than this an answer is not waited for on a near server; the round trip adds to it. */
const answerMs = 5_000;

/** Connects to the target of a run, and gets ready what listens there. */
export function openTools(run: RunState, options: ToolOptions): RunTools {
  const { target, roundTripMs } = run;
  const { good, hasReadChannel, signal, onLost, limitPatienceMs, isUnhurried, secrets } = options;
  const env = options.env === undefined ? {} : { env: options.env };
  const client = new Client({
    target,
    waits: run.whole.waits,
    repeatsWrites: true,
    timeouts: isUnhurried
      ? { connectMs: 0, answerMs: 0 }
      : { connectMs: answerMs, answerMs: answerMs + 20 * roundTripMs },
    ...(limitPatienceMs === undefined ? {} : { limitPatienceMs }),
    ...env,
  });
  const deleted = new Set<string>();
  const evidence = {
    secrets,
    deleted,
    runId: run.whole.id,
    baseUrl: target.baseUrl,
    credentials: target.roles,
    connection: target.connection,
  };
  const exchanges = new KeptExchanges(evidence);
  const facts = { runId: run.whole.id, settleMs: run.surelySettledMs, isDurable: false };
  const asked = requestFactsOf(target, good);
  const recorder = new HistoryRecorder(facts, target, {
    asked,
    onOperation: writtenTo(options.onHistoryLines, facts, secrets),
  });
  return {
    run,
    client,
    recorder,
    exchanges,
    inputs: new InputMeter(target.bindings),
    receipts: new ReceiptsWatch(target),
    evidence,
    watch: new ServerWatch({ target, good, hasReadChannel, roundTripMs, ...env, signal, client, onLost }),
    serverErrors: new ServerErrors(asked),
    hooks: new HookCaller(target, {
      env: options.env ?? process.env,
      secrets,
      onCall: (call) => {
        noteHook(recorder, call);
        if ('action' in call.input && call.input.action === 'delete') deleted.add(call.input.id);
      },
    }),
    wire: new WireLedger(
      {
        names: target.names,
        bindings: target.bindings,
        runId: run.whole.id,
        isTold: (id) => exchanges.sendOf({ id }) !== undefined,
      },
      { sendOf: (message) => exchanges.sendOf(message), asked },
    ),
  };
}
