import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { Command } from 'commander';
import { withWorkers } from '../../harness/run/waves.ts';
import { exitCodes } from '../../harness/verdict/exit-code.ts';
import { shuffled } from './sample.ts';
import { grouped } from '../../spec/groups.ts';

/** What every long proof of many things can be told. */
export interface ProofFlags {
  readonly only?: readonly string[];
  readonly sample?: string;
  readonly seed: string;
  readonly threads: string;
  readonly log?: string;
}

/** Something that is tried; of a clause where it is a mutant. */
interface Tried {
  readonly id: string;
  readonly clause?: string;
}

/** The command of a long proof, with the options that all of them have. */
export function proofCommand(
  name: string,
  description: string,
  { threads = '2', sample }: Partial<Pick<ProofFlags, 'threads' | 'sample'>> = {},
): Command {
  return new Command(name)
    .description(description)
    .option('--only <text...>', 'those whose id, clause or place holds one of these texts')
    .option('--sample <count>', 'so many of the mutants, drawn by the seed', sample)
    .option('--seed <number>', 'of whatever is drawn', '1')
    .option('--threads <count>', 'at one time', threads)
    .option('--log <file>', 'a line of JSON for each as soon as it is done; those in it are not tried again');
}

/** Those that the options choose; the command ends where there are none. */
export function chosenOf<Thing extends Tried>(command: Command, things: readonly Thing[]): readonly Thing[] {
  const { only, sample, seed } = command.opts<ProofFlags>();
  const meant = things.filter(
    ({ id, clause = '' }) => only?.some((text) => `${id} ${clause}`.includes(text)) ?? true,
  );
  if (meant.length === 0)
    command.error(`nothing is called ${only?.join(' or ')}`, { exitCode: exitCodes.usage });
  if (sample === undefined) return meant;
  const drawn = new Set(oneOfEachFirst(meant, seed).slice(0, Number(sample)));
  return meant.filter((each) => each.clause === undefined || drawn.has(each));
}

/** The mutants among some in an order that the seed decides: one of each clause before a second of any. */
function oneOfEachFirst<Thing extends Tried>(things: readonly Thing[], seed: string): readonly Thing[] {
  const mutants = things.filter(({ clause }) => clause !== undefined);
  const rounds = [...grouped(shuffled(mutants, seed), ({ clause = '' }) => clause).values()].flatMap((each) =>
    each.map((mutant, round) => ({ mutant, round })),
  );
  return rounds.toSorted((one, other) => one.round - other.round).map(({ mutant }) => mutant);
}

/**
 * Tries each of some that the log does not have, as many at one time as the options say; what came of all of them, but for those of which
 * nothing did.
 */
export async function proveEach<Thing extends Tried, Result extends { readonly id: string }>(
  things: readonly Thing[],
  { threads, log }: Pick<ProofFlags, 'threads' | 'log'>,
  prove: (thing: Thing) => Promise<Result | undefined>,
): Promise<readonly Result[]> {
  const known = new Map(resultsIn<Result>(log).map((each) => [each.id, each]));
  const left = things.filter(({ id }) => !known.has(id));
  await withWorkers(left, Number(threads), async (thing) => {
    const result = await prove(thing).catch((cause: unknown) => {
      throw new Error(`${thing.id}: ${String(cause)}`, { cause });
    });
    if (result === undefined) return;
    known.set(thing.id, result);
    keepResult(log, result);
  });
  return things.flatMap(({ id }) => known.get(id) ?? []);
}

/** The results of a log that a long proof wrote one by one, so that it goes on where it was interrupted. */
export function resultsIn<Result>(file: string | undefined): Result[] {
  if (file === undefined || !existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Result);
}

/** Adds a result to such a log, if there is one. */
export function keepResult(file: string | undefined, result: unknown): void {
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(result)}\n`);
}

/** Prints a line of a proof. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A table in a page that a proof writes. */
export function tableInMarkdown(head: Row, rows: readonly Row[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Cells of a table. */
export type Row = readonly (string | number)[];

/** The day, as pages say when they were written. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}
