import { roleNames, tokenVariable } from '../../harness/config/roles.ts';
import { ownCommand } from './own-command.ts';

/** What narrows a run, and what is for a whole one or would write over what it left. */
const ofThatRun = new Set(
  '--check --clause --only --require --write-baseline --snapshot --out --report'.split(' '),
);

/** The command that runs some checks alone with the arguments of this run; literal secrets give way to their variables. */
export function rerunCommand(args: readonly string[], checks: readonly string[]): string {
  const kept = withoutSecrets(withoutItsOwn(args[0] === 'run' ? args.slice(1) : args));
  return [ownCommand(), '--check', ...checks, ...kept.map(quoted)].join(' ');
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
    if (role === undefined || /(?:^|=)(?:env|file):/.test(arg)) return arg;
    const reference = `env:${tokenVariable(role)}`;
    return arg.startsWith('--') ? `--${role}-token=${reference}` : reference;
  });
}

function quoted(arg: string): string {
  return /^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", String.raw`'\''`)}'`;
}
