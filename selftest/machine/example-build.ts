import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidTarget, SuiteBug } from '../../harness/errors.ts';
import { packageFile } from '../../spec/index.ts';
import { allChecks } from '../../suites/index.ts';
import { type Build, keptOf, type MachineMutant } from './build.ts';
import {
  type ExampleServer,
  isServiceSource,
  NoProgram,
  python,
  pythonFolder,
  startExample,
  tool,
} from './example-server.ts';
import { judgeTarget } from './judge-mutant.ts';
import { openOperators, type SourceLanguage } from './operators.ts';

/** How it is found out which lines of an example a run comes by. */
interface Coverage {
  /** What builds and starts it so that it counts them. */
  readonly build?: readonly string[];
  readonly start?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Whether a place was come by, once the server has ended; what belongs to no code that is counted is met as it starts. */
  readonly reachedIn: (folder: string) => (mutant: MachineMutant) => boolean;
}

const counted: Readonly<Record<SourceLanguage, Coverage>> = {
  go: {
    build: ['go', 'build', '-cover', '-coverpkg=./...', '-o', 'server', './undertest'],
    env: { GOCOVERDIR: '.' },
    reachedIn: (folder) => {
      tool(['go', 'tool', 'covdata', 'textfmt', '-i', '.', '-o', 'counts.txt'], folder);
      const blocks = [...readFileSync(join(folder, 'counts.txt'), 'utf8').matchAll(goBlock)].map(
        ([, file, ...numbers]) => ({ file: `examples/go/messaging/${file}`, numbers: numbers.map(Number) }),
      );
      return ({ file, line, column }) => {
        const around = blocks.filter(
          ({ file: of, numbers: [fromLine = 0, fromColumn = 0, toLine = 0, toColumn = 0] }) =>
            of === file &&
            (line > fromLine || (line === fromLine && column >= fromColumn)) &&
            (line < toLine || (line === toLine && column < toColumn)),
        );
        return around.length === 0 || around.some(({ numbers }) => (numbers[4] ?? 0) > 0);
      };
    },
  },
  python: {
    start: [python, '-m', 'coverage', 'run', '--source=.', '-m', 'under_test'],
    reachedIn: (folder) => {
      tool([python, '-m', 'coverage', 'json', '-q', '-o', 'counts.json'], folder);
      const { files } = JSON.parse(readFileSync(join(folder, 'counts.json'), 'utf8')) as {
        files: Readonly<Record<string, { readonly missing_lines: readonly number[] }>>;
      };
      return ({ file, line }) =>
        files[file.slice('examples/python/'.length)]?.missing_lines.includes(line) !== true;
    },
  },
};

/** A block of code with where it begins and ends, and how often it ran; its statements are passed over. */
const goBlock = /\/messaging\/(\w+\.go):(\d+)\.(\d+),(\d+)\.(\d+) \d+ (\d+)/g;

/**
 * The mutants of an example as it is now, and those that a run comes by.
 * @throws InvalidTarget when this machine lacks what the example needs
 */
export async function openExampleBuild(name: SourceLanguage): Promise<Build> {
  const folder = packageFile(`examples/${name}`);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const sources = files
    .filter((file) => isServiceSource(name, file))
    .toSorted()
    .map((file) => [`examples/${name}/${file}`, readFileSync(join(folder, file), 'utf8')] as const);
  const mutantsOf = await openOperators(name);
  const mutants = sources
    .flatMap(([file, source]) => mutantsOf(file, source))
    .map((mutant, index) => ({ id: `${index}`, ...mutant }));
  if (name === 'python') installPython();
  const { hash, made: reached } = await keptOf([sources, mutants], () => reachedIn(name, mutants));
  return { hash, server: { example: name }, mutants, reached };
}

/** What the example needs, and what counts its lines: once. */
function installPython(): void {
  if (existsSync(join(pythonFolder, 'bin/coverage'))) return;
  const requirements = packageFile('examples/python/requirements.txt');
  try {
    tool(['python3', '-m', 'venv', pythonFolder], '.');
    tool([join(pythonFolder, 'bin/pip'), 'install', '--quiet', '-r', requirements, 'coverage==7.17.3'], '.');
  } catch (error) {
    if (!(error instanceof NoProgram)) throw error;
    throw new InvalidTarget(`the example in Python cannot be installed here: ${error.message}`);
  }
}

/** A restart would lose what has been counted. */
function withoutRestart({ target }: ExampleServer): ExampleServer['target'] {
  const { restart: _, ...hooks } = target.hooks;
  return { ...target, hooks };
}

async function reachedIn(
  name: SourceLanguage,
  mutants: readonly MachineMutant[],
): Promise<readonly string[]> {
  const { reachedIn: counts, ...how } = counted[name];
  const server = await startExample(name, how);
  try {
    const { outcome, why, clause } = await judgeTarget(withoutRestart(server), allChecks);
    if (outcome !== 'survived')
      throw new SuiteBug(`the example in ${name} without a mutant: ${outcome}: ${why ?? clause}`);
    await server.stop();
    const isReached = counts(server.folder);
    return mutants.filter(isReached).map(({ id }) => id);
  } finally {
    await server.close();
  }
}
