// Judges traffic beside the process that passes it on.
import { on } from 'node:events';
import { constants, setPriority } from 'node:os';
import type { Target } from '../../harness/config/target.ts';
import { lostFiles } from '../../harness/output/clean-file.ts';
import { KnownSecrets } from '../../harness/output/known-secrets.ts';
import type { FindingEvent, ResultEvent } from '../../harness/results/generated/events.ts';
import { type Breach, JudgedTraffic } from '../../harness/traffic/judged-traffic.ts';
import type { ResultOptions } from '../shared/report-options.ts';
import { judgedScoring } from '../shared/results.ts';
import { KeptHistories } from './kept-histories.ts';
import { type Batch, exchangesOf } from '../../harness/traffic/exchange-batch.ts';
import { KnownParts } from '../../harness/traffic/recorded-exchange.ts';

/** What the process is given when it starts. */
export interface JudgingInput {
  /** Without credentials. */
  readonly target: Target;
  readonly prefix: string;
  readonly settleMs: number;
  readonly chapterMs: number;
  readonly options: ResultOptions;
  /** What processes before it have told. */
  readonly earlier?: readonly FindingEvent[];
  readonly keep: { readonly folder: string; readonly mostBytes: number } | undefined;
}

/** What the process is told, after its input. */
export type ToJudge = { readonly batch: Batch } | { readonly gap: true } | { readonly end: true };

/** What the process says. */
export type FromJudge =
  /** What has been handed over is taken; so much of it, and of what came before, is not judged yet. */
  | { readonly unjudged: number }
  /** Of so many exchanges a body was not kept, or is in no form that anybody reads here: they are not judged. */
  | { readonly unread: number }
  /** All that has been taken is judged, and what was found has been said. */
  | { readonly judged: true }
  | { readonly event: FindingEvent }
  | { readonly breach: Breach }
  | { readonly lost: readonly [file: string, lost: string] }
  | { readonly ended: readonly ResultEvent[] }
  /** It cannot go on. */
  | { readonly failed: string };

beSecond();
process.once('uncaughtException', ({ message }) =>
  process.send?.({ failed: message }, () => process.exit(1)),
);
// Whoever passes on decides when it ends, and ends it in whichever way that one ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.once('disconnect', () => process.exit());
// It keeps what comes until it is asked for.
const messages = on(process, 'message') as AsyncIterableIterator<[JudgingInput | ToJudge]>;
const { value } = (await messages.next()) as IteratorYieldResult<[JudgingInput]>;
const [{ target, prefix, settleMs, chapterMs, options, keep, earlier = [] }] = value;
const secrets = new KnownSecrets();
const kept = keep && new KeptHistories(keep.folder, { mostBytes: keep.mostBytes, secrets });
const scoring = await judgedScoring(options, 'server and clients');
const traffic = new JudgedTraffic({
  target,
  settleMs,
  scoring,
  secrets,
  earlier,
  onFinding: (event) => say({ event }),
  onJudged: () => {
    unjudged = 0;
    say({ judged: true });
  },
  onBreach: (breach) => say({ breach }),
  ...(kept === undefined ? {} : { onChapter: (facts) => kept.begin(facts) }),
});
const known = new KnownParts();
let count = 0;
let unjudged = 0;
let unread = 0;
let judgedMs = performance.now();
let isFresh = false;
let isGone = false;
let isLosing = false;

// Traffic that stops is judged as well.
setInterval(() => {
  if (performance.now() - judgedMs >= chapterMs) judge();
}, chapterMs / 2);
for await (const [told] of messages) take(told as ToJudge);

function take(told: ToJudge): void {
  if ('end' in told) {
    const ended = traffic.end();
    kept?.end();
    sayLost();
    sayUnread();
    return say({ ended });
  }
  if ('gap' in told) return traffic.cut();
  for (const exchange of exchangesOf(told.batch, prefix, count, known)) {
    count += 1;
    const { kind } = exchange.fault ?? {};
    // A server that cannot be reached may come back as another one: what it said before holds no longer.
    if (kind === 'refused' && !isGone) traffic.cut();
    isGone = kind === 'refused';
    isFresh = true;
    if (isGone) continue;
    if (kind === 'truncated' && exchange.request.call !== 'other') unread += 1;
    else unjudged += 1;
    traffic.add(exchange);
  }
  say({ unjudged });
  if (performance.now() - judgedMs >= chapterMs) judge();
}

function judge(): void {
  judgedMs = performance.now();
  if (!isFresh) return;
  isFresh = false;
  traffic.judge();
  sayLost();
  sayUnread();
}

function sayUnread(): void {
  if (unread > 0) say({ unread });
  unread = 0;
}

/** Says it once of files that are lost one after another. */
function sayLost(): void {
  const [lost] = lostFiles;
  if (lost !== undefined && !isLosing) say({ lost });
  isLosing = lost !== undefined;
  lostFiles.clear();
}

function say(said: FromJudge): void {
  process.send?.(said);
}

/** Where processors are scarce passing goes before judging. */
function beSecond(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It is a favour to those who wait, and no more.
  }
}
