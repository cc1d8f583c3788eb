import type { PreflightLine, ResultEvent } from '../harness/results/generated/events.ts';
import type { TerminalOutput } from '../harness/output/terminal.ts';
import { shownLine } from '../harness/output/printable.ts';
import { conclude } from './conclusion.ts';
import { isStrictRun, RunCollector } from './run-so-far.ts';

/** Prints of a run, a campaign or a stress run what it came to, in one line, and before that errors alone. */
export function verdictReporter(out: TerminalOutput): (event: ResultEvent) => void {
  const run = new RunCollector();
  const say = (lines: readonly PreflightLine[], origin: string): void => {
    for (const { severity, text } of lines)
      if (severity === 'error') out.write(shownLine(`${origin}error: ${text}`));
  };
  return (event) => {
    run.add(event);
    if (event.type === 'preflight') say(event.lines, 'preflight ');
    if (event.type === 'notice') say([event], '');
    if (event.type === 'footer') out.write(shownLine(conclude(run, isStrictRun(run)).text));
  };
}
