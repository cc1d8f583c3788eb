import { writeEvent, eventsOf } from '../../../harness/results/stream.ts';
import type { ResultEvent } from '../../../harness/results/generated/events.ts';
import { reportFormats } from '../../../reporters/formats/index.ts';
import type { TargetPlace } from '../../../reporters/formats/format.ts';
import { RunCollector } from '../../../reporters/run-so-far.ts';

/** A report on streams, as it would be made from kept ones. */
export function reportOn(name: string, ...streams: readonly (readonly ResultEvent[])[]): string {
  return reportAt(undefined, name, ...streams);
}

/** The same, where the target file names the server in this place. */
export function reportAt(
  place: TargetPlace | undefined,
  name: string,
  ...streams: readonly (readonly ResultEvent[])[]
): string {
  const format = reportFormats.find((each) => each.name === name);
  if (format === undefined) throw new Error(`no format ${name}`);
  const runs = streams.map((events) => {
    const run = new RunCollector();
    for (const event of eventsOf(events.map(writeEvent))) run.add(event);
    return run;
  });
  const rerunCommand = (checks: readonly string[]): string =>
    checks.length === 0 ? 'conform run' : `conform --check ${checks.join(' ')}`;
  const replayCommand = (file: string): string => `conform replay ${file}`;
  return [...format.write(runs, { rerunCommand, replayCommand, targetPlace: () => place })].join('');
}
