import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { FooterEvent } from '../../harness/results/generated/events.ts';
import { conform } from '../cli/conform.ts';
import { eventsIn } from '../fixtures/stream.ts';

/** How long a run took, and what it came to. */
export interface TimedRun {
  readonly seconds: number;
  readonly code: number | null;
  readonly footer: FooterEvent;
}

/** A run of the command line in a process of its own, at a target if there is one; its files go into the folder. */
export async function timedRun(folder: string, target?: object): Promise<TimedRun> {
  const [file, out] = [join(folder, 'target.yaml'), join(folder, 'out.ndjson')];
  if (target !== undefined) writeFileSync(file, stringify(target));
  const at = target === undefined ? [] : ['--target', file];
  const { code, durationMs } = await conform([...at, '--out', out], { isAlone: true });
  return { seconds: durationMs / 1000, code, footer: eventsIn(out).at(-1) as FooterEvent };
}
