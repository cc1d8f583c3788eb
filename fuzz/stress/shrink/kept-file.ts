import { join } from 'node:path';
import { JsonFiles, listSchema, objectSchema } from '../../../harness/config/json-file.ts';
import { writeCleanFile } from '../../../harness/output/clean-file.ts';
import type { KnownSecrets } from '../../../harness/output/known-secrets.ts';
import { wrongOf, type Chapter, type Wrong } from '../run/chapter.ts';
import {
  contentKinds,
  cursorNames,
  limits,
  partKinds,
  targetKinds,
  trespasses,
  type Plan,
} from '../scene/plan.ts';
import type { Shrunk } from './shrink.ts';

/** When a turn of the plan was on its way, in ms since the first began. */
interface Scheduled {
  readonly round: number;
  readonly turn: number;
  readonly startedMs: number;
  readonly endedMs: number;
}

/** A failure as it is kept: what to run again, and what it showed. */
export interface KeptFailure extends Wrong {
  readonly stress: 1;
  readonly clauses: readonly string[];
  readonly expected: string;
  readonly actual: string;
  /** Of the run that found it. */
  readonly seed: number;
  readonly clients: number;
  readonly repeats: { readonly times: number; readonly of: number };
  readonly plan: Plan;
  /** As it was when the plan last showed it. */
  readonly schedule: readonly Scheduled[];
}

/** What is kept of a failure. */
export function keptFailureOf(
  { plan, chapter, anomaly, repeats }: Shrunk,
  { seed, clients }: Pick<KeptFailure, 'seed' | 'clients'>,
): KeptFailure {
  const { name, verdict } = wrongOf(anomaly);
  const { expected, actual } = anomaly;
  const alike = chapter.judged.anomalies.filter((each) => each.name === name);
  const clauses = [...new Set([anomaly, ...alike].map(({ clause }) => clause))];
  const schedule = chapter.plans.length === 1 ? scheduleOf(chapter) : [];
  return { stress: 1, name, verdict, clauses, expected, actual, seed, clients, repeats, plan, schedule };
}

/** Writes it into a folder; gives the path. */
export function writeKept(folder: string, kept: KeptFailure, secrets: KnownSecrets): string {
  const file = join(folder, `${kept.name}.json`);
  writeCleanFile(file, secrets.clean(`${JSON.stringify(secrets.cleaned(kept), undefined, 1)}\n`));
  return file;
}

/**
 * Reads a kept failure.
 * @throws InvalidTarget naming what is wrong with the file
 */
export function readKept(file: string): KeptFailure {
  files ??= new JsonFiles({ isNot: 'is no failure that the command stress has kept', mostBytes, schema });
  return files.read(file);
}

let files: JsonFiles<KeptFailure> | undefined;
/** A plan of ten thousand turns has less. */
const mostBytes = 64 * 1024 * 1024;

function scheduleOf({ history, placeOf }: Chapter): readonly Scheduled[] {
  const placed = history.operations.flatMap((operation) => {
    const place = placeOf.get(operation);
    return place === undefined ? [] : [{ operation, place }];
  });
  const sinceMs = Math.min(...placed.map(({ operation }) => operation.startedMs));
  return placed.map(({ operation: { startedMs, endedMs }, place: { round, turn } }) => ({
    round,
    turn,
    startedMs: tenths(startedMs - sinceMs),
    endedMs: tenths(endedMs - sinceMs),
  }));
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}

const index = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };

const from = { anyOf: [{ enum: cursorNames }, index] };
const message = {
  channel: index,
  text: objectSchema({ kind: { enum: contentKinds }, bytes: { ...index, maximum: 500_000 } }),
  targets: listSchema(objectSchema({ kind: { enum: targetKinds }, agent: index }), 20),
};
const carried = { parts: listSchema(objectSchema({ part: { enum: partKinds }, index }), 20) };
const steps = [
  { do: { const: 'read' }, stream: { anyOf: [{ const: 'feed' }, index] }, from, limit: { enum: limits } },
  {
    do: { const: 'send' },
    ...message,
    key: {
      anyOf: [{ enum: ['fresh', 'twice'] }, objectSchema({ again: index }), objectSchema({ changed: index })],
    },
  },
  { do: { const: 'poll' }, channel: index, from, wait: { ...index, maximum: 60 } },
  { do: { const: 'report' }, channel: index },
  { do: { const: 'trespass' }, what: { enum: trespasses }, channel: index, who: index },
  { do: { const: 'drop' }, ...message, cut: { anyOf: [{ const: 'answer' }, index] } },
];
const turn = objectSchema({
  client: index,
  delay: { ...index, maximum: 10_000 },
  step: { anyOf: steps.map((step) => objectSchema(step, 'text' in step ? carried : {})) },
});

/** What is read back; the rest is for people. */
const schema = objectSchema({
  stress: { const: 1 },
  name: { type: 'string', minLength: 1 },
  verdict: { enum: ['failed', 'warned'] },
  seed: { type: 'number' },
  clients: { type: 'integer', minimum: 1, maximum: 1_000 },
  repeats: objectSchema({ times: index, of: index }),
  plan: objectSchema({
    channels: { ...index, minimum: 1 },
    agents: { ...index, minimum: 1 },
    rounds: listSchema(objectSchema({ par: listSchema(turn, 10_000) }), 10_000),
    faults: listSchema(objectSchema({ round: index, delay: { ...index, maximum: 10_000 } }), 100),
  }),
});
