import { type Example, tool } from './example.ts';
import { ExamplePage } from './page.ts';

/** The oldest one that the example is for. */
const leastMinor = 10;

/** What pip says when nobody answers, beside which it claims that there is no such package. */
const unreachable = /Retrying|ConnectionError|Temporary failure|timed out|unreachable/;

const pipOptions = {
  PIP_QUIET: '1',
  PIP_NO_COMPILE: '1',
  PIP_NO_INPUT: '1',
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  PIP_RETRIES: '1',
  PIP_DEFAULT_TIMEOUT: '15',
};

/** What this machine lacks to run the example in Python; types what its page has before the start. */
export function lacksPython(folder: string): string | undefined {
  const { setUp } = new ExamplePage('python');
  const version = tool('python3', ['--version']);
  const minor = Number(/Python 3\.(\d+)/.exec(version.output)?.[1]);
  if (!version.isDone) return `python3 is not installed: ${version.output}`;
  if (minor < leastMinor) return `python3 is older than 3.${leastMinor}: ${version.output}`;
  const installed = tool('sh', ['-ec', setUp], { cwd: folder, env: pipOptions });
  if (installed.isDone) return undefined;
  if (unreachable.test(installed.output)) return `the package index is out of reach: ${installed.output}`;
  if (/ensurepip|No module named/.test(installed.output))
    return `python3 makes no virtual environment: ${installed.output}`;
  throw new Error(installed.output);
}

/** The oldest one that the example is for. */
const leastGoMinor = 24;

/** What this machine lacks to run the example in Go; builds it once, so that servers which are started side by side find it built. */
export function lacksGo(folder: string): string | undefined {
  const version = tool('go', ['version']);
  const minor = Number(/go1\.(\d+)/.exec(version.output)?.[1]);
  if (!version.isDone) return `go is not installed: ${version.output}`;
  if (minor < leastGoMinor) return `go is older than 1.${leastGoMinor}: ${version.output}`;
  const built = tool('go', ['run', './undertest', '--help'], { cwd: folder });
  if (!built.isDone && !built.output.includes('-target')) throw new Error(built.output);
  return undefined;
}

/** The example servers, by their folders. */
export const examples: Readonly<Record<string, Example>> = {
  // Receipts, which it has none of.
  go: { prepare: lacksGo, mostInconclusive: 30 },
  python: { prepare: lacksPython, mostInconclusive: 4 },
};
