// Judges a history beside the thread that hears signals and timers.
import { judgedScoring } from '../shared/results.ts';
import { threadWork } from '../shared/time/in-thread.ts';
import { judgedFile } from './judge-file.ts';
import type { JudgeCommandOptions } from './run-judge.ts';

threadWork(async ({ file, options }: { readonly file: string; readonly options: JudgeCommandOptions }) =>
  judgedFile(file, {
    scoring: await judgedScoring(options),
    isStrict: options.strict === true,
    baseUrl: options.baseUrl,
    settleMs: options.settleMs,
  }),
);
