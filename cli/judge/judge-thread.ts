// Judges a history beside the thread that hears signals and timers.
import type { ResultOptions } from '../shared/report-options.ts';
import { judgedScoring } from '../shared/results.ts';
import { threadWork } from '../shared/time/in-thread.ts';
import { judgedFile } from './judge-file.ts';

threadWork(async ({ file, options }: { readonly file: string; readonly options: ResultOptions }) =>
  judgedFile(file, { scoring: await judgedScoring(options), isStrict: options.strict === true }),
);
