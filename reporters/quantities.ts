import type { FindingEvent } from '../harness/results/generated/events.ts';

const groupedNumbers = new Intl.NumberFormat('en-US');

/** `12345` → `12,345`. */
export function formatCount(count: number): string {
  return groupedNumbers.format(count);
}

/** `1 clause`, `1,200 clauses`: the noun in the singular, its plural only where an `s` does not make it. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}

/** Decimal units, as `--max-bytes 5MB` has them: exact below 1,000 bytes, then one decimal. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return countOf(bytes, 'byte');
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = bytes / 1000;
  let unit = 0;
  // 999,950 would round to 1000.0 kB.
  while (value >= 999.95 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value.toFixed(1)} ${units[unit]}`;
}

/** `340 ms`, `41.3 s`, `3 min 12 s`, `2 h 5 min`: two units at most. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** What hangs on what else is there: whether its request shows it now and then nobody knows. */
const notAlone = 'not reproduced when tried alone';

/** How often the request of a finding showed it, in a few letters. */
export function oftenInWords({ times, of = 0 }: FindingEvent['seen']): string {
  if (of === 0) return 'not tried again';
  if (times === 0) return `${times}/${of}, ${notAlone}`;
  return times < of ? `${times}/${of}, intermittent` : `${times}/${of}`;
}

/** How often a finding was seen, out of what could have shown it. What only watches answers, recorded ones too, tries nothing again. */
export function seenInWords({ seen: { times, of }, metIn, check }: FindingEvent): string {
  if (of === undefined) return `${countOf(times, 'time')} in all that was sent and read`;
  if (metIn !== undefined || check.startsWith('wire.'))
    return `in ${formatCount(times)} of ${countOf(of, 'answer')} that could show it`;
  if (of === 0) return 'once; no try of it again could be judged';
  if (times === 0) return `${notAlone}, ${countOf(of, 'time')}`;
  if (times < of) return `reproduced ${times} of ${of}: intermittent`;
  return of === 1 ? 'once, not retried' : `reproduced ${times} of ${of}`;
}
