import { afterAll, beforeAll, describe, test } from 'vitest';
import { brokenClauses } from '../harness/results/broken-clauses.ts';
import { columnOfCheck } from '../harness/results/column.ts';
import type { CheckEvent, FindingEvent, FooterEvent, ResultEvent } from '../harness/results/events.ts';
import type { Target } from '../harness/config/target.ts';
import { areaOf } from '../harness/check/check.ts';
import type { Check } from '../harness/check/check.ts';
import { runChecks } from '../harness/run/run-checks.ts';
import type { RunOptions } from '../harness/run/run-checks.ts';
import { runWideChecks } from '../harness/judging/run-wide-checks.ts';

/** A target, and how to let go of it when the run has ended. */
export interface HostedTarget {
  readonly target: Target;
  readonly close?: () => Promise<void>;
}

/**
 * Shows checks to vitest users as tests: one test a check, in the file that calls this. The engine runs them as it always
 * does, side by side; each test only waits for its own check. Inconclusive checks are skipped with their reason.
 */
export function describeChecks(
  checks: readonly Check[],
  openTarget: () => HostedTarget | Promise<HostedTarget>,
  options: Omit<RunOptions, 'onEvent'> = {},
): void {
  const ended = new Map([...checks, ...runWideChecks].map(({ id }) => [id, deferred<CheckEvent>()]));
  const findings: FindingEvent[] = [];
  let run: Promise<FooterEvent> | undefined;
  let hosted: HostedTarget | undefined;

  beforeAll(async () => {
    hosted = await openTarget();
    const onEvent = (event: ResultEvent): void => {
      if (event.type === 'check') ended.get(event.check)?.resolve(event);
      if (event.type === 'finding') findings.push(event);
      if (event.type === 'preflight' && !event.isOk) giveUp(event.lines.map(({ text }) => text).join('; '));
      if (event.type === 'footer') giveUp(event.reason ?? 'the run ended before this check');
    };
    const giveUp = (reason: string): void => {
      for (const each of ended.values()) each.reject(new Error(reason));
    };
    run = runChecks(checks, hosted.target, { ...options, onEvent });
  });

  afterAll(async () => {
    await run;
    await hosted?.close?.();
  });

  for (const [area, ofArea] of byArea(checks)) {
    describe(area, () => {
      for (const { id, title } of ofArea) {
        // A test only waits; the run has a budget of its own.
        test.concurrent(`${id}: ${title}`, { timeout: 0, retry: 0 }, async ({ skip }) => {
          const event = await ended.get(id)?.promise;
          if (event !== undefined) report(event, findings, skip);
        });
      }
    });
  }
}

function report(event: CheckEvent, findings: readonly FindingEvent[], skip: (note: string) => never): void {
  const column = columnOfCheck(event);
  if (column === 'failed') throw new Error(describeFailures(event, findings));
  if (column === 'known')
    skip(`known to fail: ${event.clauses.flatMap(({ known }) => known ?? []).join(' | ')}`);
  if (column === 'notScored') skip(`not scored: ${event.verdict}`);
  if (column !== 'inconclusive') return;
  const inconclusive = event.clauses.filter(({ verdict }) => verdict === 'inconclusive');
  const reasons = new Set(
    inconclusive.map(({ reason, enable }) => [reason, enable].filter(Boolean).join('; ')),
  );
  skip([...reasons].join(' | '));
}

function describeFailures({ check, clauses }: CheckEvent, findings: readonly FindingEvent[]): string {
  const broken = clauses
    .filter(({ verdict, known }) => verdict === 'failed' && known === undefined)
    .map(({ clause }) => clause);
  const lines = broken.map((clause) => {
    const finding = findings.find((each) => brokenClauses(each).some((broken) => broken.clause === clause));
    return finding === undefined
      ? clause
      : `${clause}: ${finding.text} (${finding.source})\n  expected ${finding.expected}\n  got ${finding.actual}\n  ${finding.exchanges.map(({ curl }) => curl).join('\n  ')}`;
  });
  return `${check} failed\n${lines.join('\n')}`;
}

function byArea(checks: readonly Check[]): Map<string, Pick<Check, 'id' | 'title'>[]> {
  const areas = new Map<string, Pick<Check, 'id' | 'title'>[]>();
  for (const check of checks) areas.set(areaOf(check), [...(areas.get(areaOf(check)) ?? []), check]);
  for (const { area, id, title } of runWideChecks)
    areas.set(area, [...(areas.get(area) ?? []), { id, title }]);
  return areas;
}

interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  // Nobody may be waiting yet, or ever, when a run gives up.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
