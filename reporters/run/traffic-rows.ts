import type {
  CallLatency,
  LimitedBy,
  SlowCheck,
  TrafficSummary,
} from '../../harness/results/generated/events.ts';
import { countOf, formatCount, formatDuration } from '../quantities.ts';
import { prose, span, type Row } from './rows.ts';

/** Limits that are shown each in a line. */
const limitsShown = 3;

/** How the server answered: trouble and limits where there were any, and how soon if that was asked for. */
export function trafficRows(traffic: TrafficSummary, isVerbose: boolean): Row[] {
  const { limits, latencies, slowest } = traffic;
  return [
    ...limits.slice(0, limitsShown).map((limit) => prose('', span('strong', limitText(limit)))),
    ...textRow('also limited', othersText(limits.slice(limitsShown))),
    ...textRow('trouble', troubleText(traffic)),
    ...(isVerbose
      ? [
          ...textRow('latency (p50, p95)', latencies.map(latencyText).join('; ')),
          ...textRow('slowest', slowest.map(slowText).join(', ')),
        ]
      : []),
  ];
}

function textRow(title: string, text: string): Row[] {
  return text === '' ? [] : [prose('', span('faint', `${title}: `), text)];
}

/** Who was limited how often, and how many requests were let in all the same. */
export function limitText({ who, times, ratePerSecond, isEndless }: LimitedBy): string {
  const met = `${who} was limited (429) ${countOf(times, 'time')}`;
  if (isEndless) return `${met} without end: no longer waited for`;
  return ratePerSecond === undefined
    ? met
    : `${met}; from the first on about ${rateText(ratePerSecond)} let in, pauses included`;
}

function othersText(limits: readonly LimitedBy[]): string {
  const times = limits.reduce((sum, limit) => sum + limit.times, 0);
  return limits.length === 0 ? '' : `${countOf(limits.length, 'other')}, ${countOf(times, 'time')}`;
}

function rateText(ratePerSecond: number): string {
  const rounded = ratePerSecond < 10 ? Math.round(ratePerSecond * 10) / 10 : Math.round(ratePerSecond);
  return countOf(rounded, 'request').concat(' a second');
}

/** The count of server errors, with the first of them: whoever has a log looks there. */
export function serverErrorText(
  count: string,
  { firstServerError: first }: Pick<TrafficSummary, 'firstServerError'>,
): string {
  if (first === undefined) return count;
  return `${count} (the first a ${first.status} to ${first.request}, ${(first.sinceMs / 1_000).toFixed(1)} s after the beginning)`;
}

/** Of what a request was retried after, so many are named. */
const retriesShown = 2;

function retriesText({
  retries,
  retriedAfter = [],
}: Pick<TrafficSummary, 'retries' | 'retriedAfter'>): string {
  const named = retriedAfter
    .slice(0, retriesShown)
    .map(({ what, times }) => `${formatCount(times)} × ${what}`);
  return `${countOf(retries, 'request')} retried${named.length === 0 ? '' : ` (${named.join(', ')})`}`;
}

function troubleText({ limited, serverErrors, retries, ...more }: TrafficSummary): string {
  const counts = [
    [limited, `${formatCount(limited)} × 429`],
    [serverErrors, serverErrorText(`${formatCount(serverErrors)} × 5xx`, more)],
    [retries, retriesText({ retries, ...more })],
  ] as const;
  return counts
    .filter(([count]) => count > 0)
    .map(([, text]) => text)
    .join(', ');
}

function latencyText({ call, p50Ms, p95Ms }: CallLatency): string {
  return `${call} ${formatDuration(p50Ms)}, ${formatDuration(p95Ms)}`;
}

function slowText({ check, durationMs, heldMs }: SlowCheck): string {
  return `${check} ${formatDuration(durationMs - heldMs)}`;
}
