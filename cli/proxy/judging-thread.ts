// Judges traffic beside the thread that passes it on.
import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { Target } from '../../harness/config/target.ts';
import { lostFiles } from '../../harness/output/clean-file.ts';
import { KnownSecrets } from '../../harness/output/known-secrets.ts';
import type { FindingEvent, ResultEvent } from '../../harness/results/generated/events.ts';
import { type Breach, JudgedTraffic } from '../../harness/traffic/judged-traffic.ts';
import type { ResultOptions } from '../shared/report-options.ts';
import { judgedScoring } from '../shared/results.ts';
import { KeptHistories } from './kept-histories.ts';
import { type Batch, exchangesOf } from '../../harness/traffic/posted.ts';

/** What the thread is given when it starts. */
export interface JudgingInput {
  /** Without credentials. */
  readonly target: Target;
  readonly prefix: string;
  readonly settleMs: number;
  readonly chapterMs: number;
  readonly options: ResultOptions;
  /** What threads before it have told. */
  readonly earlier?: readonly FindingEvent[];
  readonly keep: { readonly folder: string; readonly mostBytes: number } | undefined;
}

/** What the thread is told. */
export type ToJudge = { readonly batch: Batch } | { readonly gap: true } | { readonly end: true };

/** What the thread says. */
export type FromJudge =
  /** So many exchanges of so many bytes have been taken. */
  | { readonly taken: number }
  | { readonly event: FindingEvent }
  | { readonly breach: Breach }
  | { readonly lost: readonly [file: string, code: string] }
  | { readonly ended: readonly ResultEvent[] };

beSecond();
const { target, prefix, settleMs, chapterMs, options, keep, earlier = [] } = workerData as JudgingInput;
const secrets = new KnownSecrets();
const kept = keep && new KeptHistories(keep.folder, { mostBytes: keep.mostBytes, secrets });
const scoring = await judgedScoring(options);
const traffic = new JudgedTraffic({
  target,
  settleMs,
  scoring,
  secrets,
  earlier,
  onFinding: (event) => say({ event }),
  onBreach: (breach) => say({ breach }),
  ...(kept === undefined ? {} : { onChapter: (facts) => kept.begin(facts) }),
});
let count = 0;
let judgedMs = performance.now();
let isFresh = false;
let isGone = false;
let isLosing = false;

parentPort?.on('message', (told: ToJudge) => {
  if ('end' in told) {
    const ended = traffic.end();
    kept?.end();
    sayLost();
    return say({ ended });
  }
  if ('gap' in told) return traffic.cut();
  for (const exchange of exchangesOf(told.batch, prefix, count)) {
    count += 1;
    const { kind } = exchange.fault ?? {};
    // A server that cannot be reached may come back as another one: what it said before holds no longer.
    if (kind === 'refused' && !isGone) traffic.cut();
    isGone = kind === 'refused';
    if (!isGone) traffic.add(exchange);
    isFresh = true;
  }
  say({ taken: told.batch.exchanges.length });
  if (performance.now() - judgedMs >= chapterMs) judge();
});
// Traffic that stops is judged as well.
setInterval(() => {
  if (performance.now() - judgedMs >= chapterMs) judge();
}, chapterMs / 2);

function judge(): void {
  judgedMs = performance.now();
  if (!isFresh) return;
  isFresh = false;
  traffic.judge();
  sayLost();
}

/** Says it once of files that are lost one after another. */
function sayLost(): void {
  const [lost] = lostFiles;
  if (lost !== undefined && !isLosing) say({ lost });
  isLosing = lost !== undefined;
  lostFiles.clear();
}

function say(said: FromJudge): void {
  parentPort?.postMessage(said);
}

/** Where processors are scarce passing goes before judging; other systems than Linux have one priority for a whole process. */
function beSecond(): void {
  try {
    setPriority(
      Number(/\/task\/(\d+)$/.exec(readlinkSync('/proc/thread-self'))?.[1]),
      constants.priority.PRIORITY_LOW,
    );
  } catch {
    // It is a favour to those who wait, and no more.
  }
}
