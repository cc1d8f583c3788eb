import { isRecord } from '../../spec/calls/index.ts';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse, stringify } from 'yaml';
import { InvalidTarget } from '../errors.ts';
import type { ObservationEvent, SnapshotChange } from '../results/generated/events.ts';
import { readTextFile } from '../config/bounded-file.ts';
import type { RunScope } from './baseline.ts';

/** Check → name of what it observed → value. Several values under one name are one, sorted. */
export type KeptObservations = Readonly<Record<string, Readonly<Record<string, string>>>>;

const maxSnapshotBytes = 4_194_304;
const snapshotHead = `# What the server does where the contract is silent, as a run with --snapshot saw it; informational only.
# Remove this file to take a new snapshot.
`;

/**
 * Reads what an earlier run kept; `undefined` when there is no such file yet.
 * @throws InvalidTarget when the file exists and is no snapshot
 */
export function readSnapshot(file: string, cwd: string): KeptObservations | undefined {
  const path = resolve(cwd, file);
  if (!existsSync(path)) return undefined;
  const read = readTextFile(path, maxSnapshotBytes);
  if ('fault' in read) throw new InvalidTarget(`${file}: the snapshot ${read.fault}`);
  let kept: unknown;
  try {
    kept = parse(read.text, { maxAliasCount: 0, logLevel: 'error' });
  } catch (cause) {
    throw new InvalidTarget(`${file}: the snapshot is not YAML; remove the file to take a new one`, {
      cause,
    });
  }
  if (!isKept(kept))
    throw new InvalidTarget(`${file}: this is not a snapshot: it contains more than texts by check and name`);
  return kept;
}

/** The text of a snapshot: sorted, so that two runs that saw the same write the same. */
export function snapshotText(observations: readonly ObservationEvent[]): string {
  return snapshotHead + stringify(keptOf(observations), { lineWidth: 0 });
}

/** How many observations are kept. */
export function countKept(kept: KeptObservations): number {
  return Object.values(kept).reduce((sum, names) => sum + Object.keys(names).length, 0);
}

/** What is otherwise than it was kept, sorted. In a narrowed run what was not observed may just not have been asked. */
export function snapshotChanges(
  kept: KeptObservations,
  observations: readonly ObservationEvent[],
  { isNarrowed }: RunScope,
): readonly SnapshotChange[] {
  const seen = keptOf(observations);
  const checks = [...new Set([...Object.keys(kept), ...Object.keys(seen)])].toSorted();
  const changes = checks.flatMap((check) => {
    const names = [
      ...new Set([...Object.keys(kept[check] ?? {}), ...Object.keys(seen[check] ?? {})]),
    ].toSorted();
    return names.map((name) => changeOf(check, name, { was: kept[check]?.[name], is: seen[check]?.[name] }));
  });
  return changes.filter(({ was, is }) => was !== is && (is !== undefined || !isNarrowed));
}

function changeOf(
  check: string,
  name: string,
  { was, is }: { was: string | undefined; is: string | undefined },
): SnapshotChange {
  return { check, name, ...(was === undefined ? {} : { was }), ...(is === undefined ? {} : { is }) };
}

function keptOf(observations: readonly ObservationEvent[]): KeptObservations {
  const values = new Map<string, Map<string, Set<string>>>();
  for (const { check, name, value } of observations) {
    const ofCheck = values.get(check) ?? new Map<string, Set<string>>();
    values.set(check, ofCheck.set(name, (ofCheck.get(name) ?? new Set()).add(asInFile(value))));
  }
  return sortedMap(values, (ofCheck) => sortedMap(ofCheck, (each) => [...each].toSorted().join(' | ')));
}

/** Half of a surrogate pair would come back from a file as another character. */
function asInFile(value: string): string {
  return Buffer.from(value).toString();
}

function sortedMap<V, T>(map: ReadonlyMap<string, V>, valueOf: (value: V) => T): Record<string, T> {
  const names = [...map.keys()].toSorted();
  return Object.fromEntries(names.map((name) => [name, valueOf(map.get(name) as V)]));
}

function isKept(value: unknown): value is KeptObservations {
  return (
    isRecord(value) &&
    Object.values(value).every((names) => isRecord(names) && Object.values(names).every(isText))
  );
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}
