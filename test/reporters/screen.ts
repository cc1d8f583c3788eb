import type { ResultEvent } from '../../harness/results/generated/events.ts';
import type { TerminalOutput } from '../../harness/output/terminal.ts';
import { RunTerminal, type TerminalOptions } from '../../reporters/run/terminal-reporter.ts';

/** An output that keeps all that was written. */
interface Screen extends TerminalOutput {
  readonly written: string[];
}

export function screen(output: Omit<TerminalOutput, 'write'> = { columns: 100, isTTY: false }): Screen {
  const written: string[] = [];
  return { ...output, written, write: (text) => written.push(text) };
}

export const plain: TerminalOptions = {
  color: false,
  live: false,
  strict: false,
  replayCommand: (file) => `npm run conform -- replay ${file}`,
  rerunCommand: (checks) =>
    checks.length === 0 ? 'npm run conform -- run' : `npm run conform -- --check ${checks.join(' ')}`,
};

/** What a run looks like in the end. */
export function shown(
  events: readonly ResultEvent[],
  options: Partial<TerminalOptions> = {},
  output?: Omit<TerminalOutput, 'write'>,
): string {
  const out = screen(output);
  const reporter = new RunTerminal(out, { ...plain, ...options });
  for (const event of events) reporter.event(event);
  reporter.end();
  return out.written.join('');
}
