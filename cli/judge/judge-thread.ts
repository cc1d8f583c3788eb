// Judges a history beside the thread that hears signals and timers.
import { judgedScoring } from '../shared/results.ts';
import { threadWork } from '../shared/time/in-thread.ts';
import { judgedFiles } from './judge-file.ts';
import type { JudgeCommandOptions } from './run-judge.ts';

interface Input {
  readonly files: readonly string[];
  readonly options: JudgeCommandOptions;
  readonly command: readonly string[];
}

threadWork(async ({ files, options, command }: Input) =>
  judgedFiles(files, {
    scoring: await judgedScoring(options, 'server and clients'),
    isStrict: options.strict === true,
    command,
    baseUrl: options.baseUrl,
    settleMs: options.settleMs,
  }),
);
