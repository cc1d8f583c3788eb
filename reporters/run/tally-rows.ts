import { type Column, columnNames, columns } from '../../harness/results/column.ts';
import type { FooterEvent, Tally } from '../../harness/results/generated/events.ts';
import { totalOf } from '../conclusion.ts';
import { gateInWords } from '../latency-gates.ts';
import { countOf, formatBytes, formatCount, formatDuration } from '../quantities.ts';
import { blank, prose, row, span, type Row, type Span, type Tone } from './rows.ts';
import { trafficRows } from './traffic-rows.ts';

/** Left out of a table in which nothing is there. */
const rare: readonly Column[] = ['known', 'notScored', 'notApplicable'];

const nameWidth = 12;
const totalColumn = 'total';

/**
 * How many of what: checks and clauses by verdict, then what the run cost the server and what trouble it met; how soon each call
 * answered, and which hook took how long, only for whoever wants it all.
 */
export function tallyRows(
  { checks, clauses, footprint, traffic, idleMs, hooks, durationMs, latencyGates }: FooterEvent,
  { isVerbose, isOfClient }: { readonly isVerbose: boolean; readonly isOfClient: boolean },
): Row[] {
  const tallies = [checks, clauses.must, clauses.inferred];
  const shown = columns.filter(
    (column) => !rare.includes(column) || tallies.some((tally) => (tally[column] ?? 0) > 0),
  );
  const heads = [...shown.map((column) => columnNames[column]), totalColumn].map((name) => right(name, name));
  return [
    row(span('strong', 'TALLY'.padEnd(nameWidth)), span('faint', heads.join(''))),
    tallyRow('checks', checks, shown),
    row('clauses'),
    tallyRow('  must', clauses.must, shown),
    tallyRow('  inferred', clauses.inferred, shown),
    ...asideRows('  silent', clauses.silent, 'only observed, never judged'),
    ...asideRows('  untestable', clauses.untestable, 'not testable by a client'),
    blank,
    footprintRow(footprint, durationMs, isOfClient),
    ...idleRows(idleMs ?? {}, durationMs),
    ...(hooks === undefined ? [] : [hooksRow(hooks, isVerbose)]),
    ...keptLatencyRows(latencyGates),
    ...(traffic === undefined ? [] : trafficRows(traffic, isVerbose)),
  ];
}

function tallyRow(name: string, tally: Tally, shown: readonly Column[]): Row {
  const numbers = shown.map((column): Span => {
    const count = tally[column] ?? 0;
    const heading = columnNames[column];
    const tone: Tone =
      column === 'known' || column === 'notScored' || column === 'notApplicable' ? 'strong' : column;
    return count === 0 ? span('faint', right('–', heading)) : span(tone, right(formatCount(count), heading));
  });
  return row(name.padEnd(nameWidth), ...numbers, right(formatCount(totalOf(tally)), totalColumn));
}

function asideRows(name: string, count: number, why: string): Row[] {
  if (count === 0) return [];
  return [row(name.padEnd(nameWidth), right(formatCount(count), 'passed'), span('faint', `  ${why}`))];
}

function footprintRow(
  { requests, longestChain, messages, bytesWritten }: FooterEvent['footprint'],
  durationMs: number,
  isOfClient: boolean,
): Row {
  const chain =
    longestChain === undefined ? '' : `, at most ${formatCount(longestChain)} of them in sequence`;
  const written =
    messages === 0
      ? 'nothing was written'
      : `wrote ${countOf(messages, 'message')} with ${formatBytes(bytesWritten)}, ${isOfClient ? 'to references that are gone' : 'which stay on the server'}`;
  return prose('', `${countOf(requests, 'request')} in ${formatDuration(durationMs)}${chain}; ${written}`);
}

function keptLatencyRows(gates: FooterEvent['latencyGates'] = []): Row[] {
  const kept = gates.filter(({ verdict }) => verdict === 'passed');
  const said = kept.map((gate) => `${gate.call} ${gateInWords(gate)}`).join('; ');
  return kept.length === 0 ? [] : [prose('', span('faint', 'fast enough: '), said)];
}

/** What the operator's hooks did, and how long they took. */
function hooksRow(hooks: NonNullable<FooterEvent['hooks']>, isVerbose: boolean): Row {
  const calls = hooks.reduce((sum, each) => sum + each.calls, 0);
  const durationMs = hooks.reduce((sum, each) => sum + each.durationMs, 0);
  const each = hooks.map((cost) => `${cost.hook} ${cost.calls} in ${formatDuration(cost.durationMs)}`);
  const which = isVerbose ? `: ${each.join(', ')}` : '';
  return prose('', `${countOf(calls, 'call')} of hooks, ${formatDuration(durationMs)} in total${which}`);
}

type IdleMs = NonNullable<FooterEvent['idleMs']>;

/** Waiting is mentioned from here on: as a share of the run, and in ms. */
const notableShare = 0.2;
const notableMs = 1_000;

/** What a run waits for while nothing is on its way. */
export const waitedFor: Readonly<Record<keyof IdleMs, string>> = {
  settle: 'for the settle time',
  arrival: 'for messages to appear',
  longPoll: 'in long polls',
  pause: 'before asking again',
  hook: 'for hooks',
};

/** Where the time went, when much of it went by while nothing was on its way. */
function idleRows(idleMs: IdleMs, durationMs: number): Row[] {
  const parts = (Object.keys(waitedFor) as (keyof IdleMs)[])
    .map((kind) => ({ kind, ms: idleMs[kind] ?? 0 }))
    .toSorted((one, other) => other.ms - one.ms);
  const totalMs = parts.reduce((sum, { ms }) => sum + ms, 0);
  if (totalMs < notableMs || totalMs < notableShare * durationMs) return [];
  const shown = parts.filter(({ ms }) => ms >= notableMs / 10);
  const said = shown.map(({ kind, ms }) => `${formatDuration(ms)} ${waitedFor[kind]}`).join(', ');
  return [prose('', `${formatDuration(totalMs)} of that was spent waiting: ${said}`)];
}

/** Under its heading, with two columns between. */
function right(text: string, heading: string): string {
  return text.padStart(heading.length + 2);
}
