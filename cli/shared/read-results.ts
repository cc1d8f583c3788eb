import { dirname } from 'node:path';
import { InvalidTarget } from '../../harness/errors.ts';
import { eventsOf, InvalidStream } from '../../harness/results/stream.ts';
import { BoundedFindings } from '../../reporters/formats/bounded-findings.ts';
import { RunCollector, type RunSoFar } from '../../reporters/run-so-far.ts';
import { linesOfFile } from './lines-of-file.ts';

/** A line of a result stream has some ten thousand characters; a file with one of this many is another kind of file. */
const longestLine = 16_000_000;

/**
 * The runs in kept result streams, in the order of the files; the evidence of all of them together is bounded.
 * @throws InvalidTarget when a file cannot be read, or is not a result stream; it names the line
 */
export function readResults(files: readonly string[]): readonly RunSoFar[] {
  const bounded = new BoundedFindings();
  return files.map((file) => runIn(file, bounded));
}

function runIn(file: string, bounded: BoundedFindings): RunSoFar {
  const run = new RunCollector(dirname(file));
  try {
    for (const event of eventsOf(textsOf(file))) run.add(bounded.bounded(event));
  } catch (cause) {
    if (cause instanceof InvalidStream)
      throw new InvalidTarget(`${file}: no result stream (as --out writes it): ${cause.message}`, { cause });
    if (cause instanceof Error && 'code' in cause)
      throw new InvalidTarget(`${file}: cannot be read (${String(cause.code)})`, { cause });
    throw cause;
  }
  return run;
}

function* textsOf(file: string): Generator<string> {
  for (const { text } of linesOfFile(file, longestLine)) yield text;
}
