// Judges a history beside the thread that hears signals and timers.
import { threadWork } from '../shared/time/in-thread.ts';
import { judgedFile } from './judge-file.ts';
import type { JudgeOptions } from './judge-file.ts';

threadWork(({ file, options }: { readonly file: string; readonly options: JudgeOptions }) =>
  judgedFile(file, options),
);
