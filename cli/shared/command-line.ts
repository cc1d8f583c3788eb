import { headerVariable } from '../../harness/client/shell-words.ts';
import { isSecretHeader } from '../../harness/config/reading/read-headers.ts';
import { roleNames, tokenVariable } from '../../harness/config/roles.ts';
import { sourceOf, type TargetOptions } from './target-options.ts';

/** What narrows a run, and what is for a whole one. */
const narrowing = new Set(
  '--check --clause --only --failed --beside-others --require --bail --max-p95 --order'.split(' '),
);
/** What would write over the files of the run, and what is for that one alone. */
const ofThatRun = new Set(
  [
    '--write-baseline --write-require --snapshot --out --report --history --trace --watch --quiet --verbose --seed --corpus',
    '--fail-on --keep --replay --times',
  ].flatMap((names) => names.split(' ')),
);

/** A command that judges a server. */
type CommandName = 'run' | 'fuzz' | 'stress';

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
  const kept = withoutOptions(args, (option) => ofThatRun.has(option));
  return [name, ...withoutSecretFlags(kept), ...sourceIn(options, env)];
}

/** The options of a run without those that select its checks. */
export function unnarrowed(options: readonly string[]): readonly string[] {
  return withoutOptions(options, (option) => narrowing.has(option));
}

/** The arguments without some options and their values. */
export function withoutOptions(
  args: readonly string[],
  isLeftOut: (option: string) => boolean,
): readonly string[] {
  const kept: string[] = [];
  let isDropping = false;
  for (const arg of args) {
    if (arg.startsWith('--')) isDropping = isLeftOut(arg.split('=')[0] ?? arg);
    if (!isDropping) kept.push(arg);
  }
  return kept;
}

/** The option that names the server where none does. */
function sourceIn(options: TargetOptions, env: NodeJS.ProcessEnv): readonly string[] {
  const source = sourceOf(options, env);
  if (source.from === 'nothing') return options.reference === true ? [] : ['--reference'];
  if (source.from === 'file') return source.by === 'name' ? [] : ['--target', source.file];
  return options.baseUrl === undefined ? ['--base-url', env['CONFORM_BASE_URL'] ?? ''] : [];
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
