import { tool } from './example.ts';

/** The oldest one that the example is for. */
const leastMinor = 24;

/** What this machine lacks to run the example in Go; builds it once, so that servers which are started side by side find it built. */
export function lacksGo(folder: string): string | undefined {
  const version = tool('go', ['version']);
  const minor = Number(/go1\.(\d+)/.exec(version.output)?.[1]);
  if (!version.isDone) return `go is not installed: ${version.output}`;
  if (minor < leastMinor) return `go is older than 1.${leastMinor}: ${version.output}`;
  const built = tool('go', ['run', './undertest', '--help'], { cwd: folder });
  if (!built.isDone && !built.output.includes('-target')) throw new Error(built.output);
  return undefined;
}
