import type { ResultEvent } from '../../../harness/results/generated/events.ts';
import type { NamedRun } from '../../../reporters/compare/comparison.ts';
import { siteOn } from '../../../reporters/site/site.ts';
import { clauses, type ClauseId } from '../../../spec/index.ts';
import { header, readBack } from '../events.ts';
import { fullRun } from '../page/full-run.ts';

/** A stream, and whose it is. */
export type NamedStream = readonly [name: string, events: readonly ResultEvent[]];

/** The texts of a site by their paths, as it would be made of kept streams. */
export function siteOf(...streams: readonly NamedStream[]): ReadonlyMap<string, string> {
  return new Map([...siteOn(streams.map(namedRun))].map(({ path, text }) => [path, text]));
}

/** A run as it would be read from a kept stream. */
export function namedRun([name, events]: NamedStream): NamedRun {
  return { name, run: readBack(events) };
}

/** A run of every check on a day, with some clauses broken. */
export function runOn(day: string, ...broken: readonly ClauseId[]): readonly ResultEvent[] {
  const [, ...events] = fullRun({ broken });
  return [header({ checks: events.length, startedAt: `${day}T09:30:00.125Z` }), ...events];
}

const decided = clauses.flatMap(({ id, level, restates }) =>
  level === 'silent' || restates !== undefined ? [] : [id],
);

/** Thirteen servers, each of which breaks eight clauses of its own; one has a history. */
export const thirteen: readonly NamedStream[] = [
  ['server 1', runOn('2026-02-01', 'send.content-bytes')],
  ...Array.from({ length: 13 }, (_, index): NamedStream => [
    `server ${index + 1}`,
    runOn('2026-03-01', ...decided.slice(8 * index, 8 * index + 8)),
  ]),
];
