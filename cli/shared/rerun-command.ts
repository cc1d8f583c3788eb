import { roleNames, tokenVariable } from '../../harness/config/roles.ts';
import { ownCommand } from './own-command.ts';
import { headerVariable } from '../../harness/client/shell-words.ts';
import { isSecretHeader } from '../../harness/config/reading/read-headers.ts';
import { asWord } from '../../harness/output/in-shell.ts';
import { KnownSecrets } from '../../harness/output/known-secrets.ts';

/** What narrows a run, and what is for a whole one or would write over what it left. */
const ofThatRun = new Set(
  '--check --clause --only --require --write-baseline --snapshot --out --report'.split(' '),
);

/** The command that runs some checks alone with the arguments of this run; literal secrets give way to their variables. */
export function rerunCommand(
  args: readonly string[],
  checks: readonly string[],
  secrets = new KnownSecrets(),
): string {
  const kept = withoutSecrets(withoutItsOwn(args[0] === 'run' ? args.slice(1) : args));
  // What is left of a secret is no plain word: it has to be cleaned before it is quoted.
  return [
    ownCommand(),
    '--check',
    ...checks.map(asWord),
    ...kept.map((arg) => asWord(secrets.clean(arg))),
  ].join(' ');
}

function withoutItsOwn(args: readonly string[]): string[] {
  const kept: string[] = [];
  let isDropping = false;
  for (const arg of args) {
    if (arg.startsWith('--')) isDropping = ofThatRun.has(arg.split('=')[0] ?? arg);
    if (!isDropping) kept.push(arg);
  }
  return kept;
}

function withoutSecrets(args: readonly string[]): string[] {
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
