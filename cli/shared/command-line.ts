import { headerVariable } from '../../harness/client/shell-words.ts';
import { isSecretHeader } from '../../harness/config/reading/read-headers.ts';
import { roleNames, tokenVariable } from '../../harness/config/roles.ts';
import { sourceOf, type TargetOptions } from './target-options.ts';

/** What narrows a run or the scenarios of a client, and what is for a whole one. */
const narrowing = new Set(
  '--check --clause --only --failed --beside-others --require --bail --max-p95 --order --scenario --task'.split(
    ' ',
  ),
);
/** What would write over the files of the run, and what is for that one alone: without a value, with one, and with any number. */
const ofThatRun: ReadonlyMap<string, number> = new Map(
  (
    [
      ['--quiet --verbose --json --list', 0],
      ['--write-baseline --write-require --snapshot --out --history --seed --corpus --fail-on', 1],
      ['--keep --keep-mb --metrics --replay --times', 1],
      ['--report --trace --watch', Infinity],
    ] as const
  ).flatMap(([names, values]) => names.split(' ').map((name) => [name, values] as const)),
);

/** A command that judges a server, a client, or what was recorded of them. */
type CommandName = 'run' | 'fuzz' | 'stress' | 'proxy' | 'judge' | 'client';

/**
 * The command and its options as far as they say which server it was, as whom, and how it was judged, so that another can be made of them:
 * what named the server without being named stands among them, and literal secrets have given way to variables.
 */
export function commandLine(
  name: CommandName,
  options: TargetOptions,
  { argv, env }: { readonly argv: readonly string[]; readonly env: NodeJS.ProcessEnv } = {
    argv: process.argv.slice(2),
    env: process.env,
  },
): readonly string[] {
  const args = argv[0] === name ? argv.slice(1) : argv;
  const kept = withoutOptions(args, (option) => ofThatRun.get(option));
  const [own, others] = apartAtDashes(kept);
  return [name, ...withoutSecretFlags(own), ...sourceIn(name, options, env), ...others];
}

/** The options of a run, or the words of a client, without those that select its checks. */
export function unnarrowed(options: readonly string[]): readonly string[] {
  return withoutOptions(options, (option) => (narrowing.has(option) ? Infinity : undefined));
}

/**
 * The arguments without some options and their values, read as the command reads them: `valuesOf` says how many values an option to
 * leave out has at most, and is undefined for others. What follows `--` is no option of this program.
 */
export function withoutOptions(
  args: readonly string[],
  valuesOf: (option: string) => number | undefined,
): readonly string[] {
  const [own, others] = apartAtDashes(args);
  const kept: string[] = [];
  let dropping = 0;
  for (const arg of own) {
    const [option = arg, value] = arg.split('=', 2);
    const values = arg.startsWith('--') ? valuesOf(option) : undefined;
    if (values !== undefined) dropping = value === undefined ? values : 0;
    else if (arg.startsWith('--') || dropping === 0) {
      dropping = 0;
      kept.push(arg);
    } else dropping -= 1;
  }
  return [...kept, ...others];
}

/** The arguments of this program, and from `--` on those that it hands on. */
export function apartAtDashes(
  args: readonly string[],
): readonly [own: readonly string[], others: readonly string[]] {
  const at = args.indexOf('--');
  return at < 0 ? [args, []] : [args.slice(0, at), args.slice(at)];
}

/** The option that names the server where none does; of what is judged by itself, the words name it. */
function sourceIn(name: CommandName, options: TargetOptions, env: NodeJS.ProcessEnv): readonly string[] {
  if (name === 'judge' || name === 'client') return [];
  const source = sourceOf(options, env);
  if (source.from === 'nothing') return options.reference === true ? [] : ['--reference'];
  if (source.from === 'file') return source.by === 'name' ? [] : ['--target', source.file];
  const option = name === 'proxy' ? '--target' : '--base-url';
  return options.baseUrl === undefined ? [option, env['CONFORM_BASE_URL'] ?? ''] : [];
}

function withoutSecretFlags(args: readonly string[]): string[] {
  return args.map((arg, index) => {
    const role = roleNames.find(
      (name) => args[index - 1] === `--${name}-token` || arg.startsWith(`--${name}-token=`),
    );
    if (role === undefined) return withHeaderVariable(arg, isOfHeader(args, index));
    if (/(?:^|=)(?:env|file):/.test(arg)) return arg;
    const reference = `env:${tokenVariable(role)}`;
    return arg.startsWith('--') ? `--${role}-token=${reference}` : reference;
  });
}

/** Whether an argument is a value of `--header`, which takes several. */
function isOfHeader(args: readonly string[], index: number): boolean {
  const option = args.slice(0, index).findLast((arg) => arg.startsWith('--'));
  return option === '--header' && !(args[index] ?? '').startsWith('--');
}

/** A literal header that holds a credential gives way to a variable of its name. */
function withHeaderVariable(arg: string, isHeader: boolean): string {
  const [, before = '', name = '', value = ''] = /^(--header=)?([^:=]+):\s*([^]*)$/.exec(arg) ?? [];
  if ((!isHeader && before === '') || !isSecretHeader(name, value) || /^(?:env|file):/.test(value))
    return arg;
  return `${before}${name}: env:${headerVariable(name)}`;
}
