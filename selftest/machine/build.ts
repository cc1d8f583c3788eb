import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseSync } from 'vite';
import { targetOfReference } from '../../embedded/reference-hooks.ts';
import { InvalidTarget, SuiteBug } from '../../harness/errors.ts';
import type { startReference } from '../../reference/index.ts';
import { packageFile } from '../../spec/index.ts';
import { allChecks } from '../../suites/index.ts';
import { judgeTarget } from './judge-mutant.ts';
import type { SourceLanguage } from './operators.ts';

/** One change of one place of a server. */
export interface MachineMutant {
  /** Its number in the build. */
  readonly id: string;
  /** From the root of the repository. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** What is declared around it at the top of the file. */
  readonly within: string;
  /** Which kind of change it is, by the name that the instrumenter of the reference has for it, if it has one. */
  readonly operator: string;
  readonly original: string;
  readonly replacement: string;
}

/** A server with all its mutants. */
export interface Build {
  /** Says which sources it was made of, and by what. */
  readonly hash: string;
  /** What starts one of them. */
  readonly server: MutatedServer;
  readonly mutants: readonly MachineMutant[];
  /** Ids of those that a default run comes by. */
  readonly reached: readonly string[];
}

/** The reference with all its mutants in it, each switched on by its number, by the URL of `reference/index`; or an example. */
export type MutatedServer = { readonly module: string } | { readonly example: SourceLanguage };

/** The version that `npm run mutate:servers` installs. */
export const instrumenterVersion = '9.6.1';
const instrumenterName: string = '@stryker-mutator/instrumenter';

/** What is used of the instrumenter, which is no dependency. */
interface InstrumenterPackage {
  readonly Instrumenter: new (log: Readonly<Record<string, () => boolean>>) => {
    readonly instrument: (
      files: readonly { readonly name: string; readonly content: string; readonly mutate: true }[],
      options: object,
    ) => Promise<{
      readonly files: readonly { readonly name: string; readonly content: string }[];
      readonly mutants: readonly InstrumentedMutant[];
    }>;
  };
}

interface Position {
  readonly line: number;
  readonly column: number;
}

interface InstrumentedMutant {
  readonly id: string;
  readonly fileName: string;
  readonly mutatorName: string;
  readonly replacement: string;
  /** Lines and columns count from 0. */
  readonly location: { readonly start: Position; readonly end: Position };
}

type Sources = Readonly<Record<string, string>>;

/** What is made of something given, once: it is kept in a folder of `.conform/machine` that says by its name of what. */
export async function keptOf<Made>(
  given: unknown,
  make: (folder: string) => Promise<Made>,
): Promise<{ readonly hash: string; readonly folder: string; readonly made: Made }> {
  const hash = createHash('sha256').update(JSON.stringify(given)).digest('hex').slice(0, 16);
  const folder = packageFile(`.conform/machine/${hash}`);
  const file = join(folder, 'made.json');
  if (existsSync(file)) return { hash, folder, made: JSON.parse(readFileSync(file, 'utf8')) as Made };
  mkdirSync(folder, { recursive: true });
  const made = await make(folder);
  writeFileSync(file, JSON.stringify(made));
  return { hash, folder, made };
}

/**
 * The build of the reference as it is now.
 * @throws InvalidTarget when it has to be made and the instrumenter is not installed
 */
export async function openReferenceBuild(): Promise<Build> {
  const sources = sourcesOfReference();
  const moduleIn = (folder: string): string => pathToFileURL(join(folder, 'built/reference/index.js')).href;
  const { hash, folder, made } = await keptOf(
    [instrumenterVersion, Object.entries(sources)],
    async (into) => {
      const mutants = await instrument(sources, into);
      compile(into);
      return { mutants, reached: await reachedIn(moduleIn(into)) };
    },
  );
  return { hash, server: { module: moduleIn(folder) }, ...made };
}

function sourcesOfReference(): Sources {
  const files = readdirSync(packageFile('reference'), { recursive: true, encoding: 'utf8' });
  const names = files.filter((file) => file.endsWith('.ts')).map((file) => join('reference', file));
  return Object.fromEntries(
    names.toSorted().map((name) => [name, withoutAssertions(name, readFileSync(packageFile(name), 'utf8'))]),
  );
}

/** Blanks `as …` and `satisfies …`, so that all else stays in its place: the instrumenter changes nothing within such an expression. */
export function withoutAssertions(name: string, source: string): string {
  const blank = (text: string, { from, to }: { readonly from: number; readonly to: number }): string =>
    text.slice(0, from) + text.slice(from, to).replaceAll(/\S/g, ' ') + text.slice(to);
  return assertionsIn(parseSync(name, source).program).reduce(blank, source);
}

function assertionsIn(node: unknown): readonly { readonly from: number; readonly to: number }[] {
  if (typeof node !== 'object' || node === null) return [];
  const { type, expression, end = 0 } = node as { type?: string; expression?: { end: number }; end?: number };
  const isAssertion = type === 'TSAsExpression' || type === 'TSSatisfiesExpression';
  const own = isAssertion && expression !== undefined ? [{ from: expression.end, to: end }] : [];
  return [...own, ...Object.values(node).flatMap(assertionsIn)];
}

/** Writes the sources with every mutant in them, and lists those. */
async function instrument(sources: Sources, folder: string): Promise<readonly MachineMutant[]> {
  const { Instrumenter } = (await import(instrumenterName).catch((cause: unknown) => {
    const hint = 'start it as `npm run mutate:servers`, which installs it';
    throw new InvalidTarget(`the mutants are made by ${instrumenterName}, which is not here: ${hint}`, {
      cause,
    });
  })) as InstrumenterPackage;
  const isSilent = (): boolean => false;
  const log = { debug: isSilent, info: isSilent, warn: isSilent, isDebugEnabled: isSilent };
  const { files, mutants } = await new Instrumenter(log).instrument(
    Object.entries(sources).map(([name, content]) => ({ name, content, mutate: true })),
    { plugins: null, excludedMutations: [], ignorers: [] },
  );
  for (const { name, content } of files) {
    const path = join(folder, 'source', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  return mutants.map(({ id, fileName: file, mutatorName: operator, replacement, location }) => {
    const { line, column } = location.start;
    const source = sources[file] ?? '';
    const [within, original] = [declaredAround(source, line), textAt(source, location)];
    return { id, file, line: line + 1, column: column + 1, within, operator, original, replacement };
  });
}

function textAt(source: string, { start, end }: InstrumentedMutant['location']): string {
  const lines = source.split('\n').slice(start.line, end.line + 1);
  const last = lines.length - 1;
  lines[last] = lines[last]?.slice(0, end.column) ?? '';
  lines[0] = lines[0]?.slice(start.column) ?? '';
  return lines.join('\n');
}

function declaredAround(source: string, line: number): string {
  const declared = /^(?:export )?(?:async )?(?:function\*?|const|class) (\w+)/;
  const above = source.split('\n').slice(0, line + 1);
  return above.flatMap((each) => declared.exec(each)?.[1] ?? []).at(-1) ?? '';
}

/** Types are not looked at: of what mutants make, many are wrong. */
function compile(folder: string): void {
  const compilerOptions = { noEmit: false, noCheck: true, rootDir: 'source', outDir: 'built' };
  const project = { extends: packageFile('tsconfig.json'), compilerOptions, include: ['source'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project));
  const compiler = packageFile('node_modules/typescript/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
  if (status !== 0) throw new SuiteBug(`the instrumented reference does not compile:\n${stdout}`);
}

/** The mutants that a default run of the reference comes by, those included that are met when it is loaded. */
async function reachedIn(module: string): Promise<readonly string[]> {
  const build = (await import(module)) as { readonly startReference: typeof startReference };
  const reference = await build.startReference();
  const { outcome, why } = await judgeTarget(targetOfReference(reference), allChecks);
  await reference.close();
  if (outcome !== 'survived') throw new SuiteBug(`the reference without a mutant: ${outcome}: ${why}`);
  const { __stryker__: space } = globalThis as { __stryker__?: { mutantCoverage?: { static: object } } };
  return Object.keys(space?.mutantCoverage?.static ?? {});
}
