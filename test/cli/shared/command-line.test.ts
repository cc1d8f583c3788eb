import { describe, expect, it } from 'vitest';
import { againCommands, stressReplayCommand } from '../../../cli/shared/again-commands.ts';
import { commandLine } from '../../../cli/shared/command-line.ts';
import type { TargetOptions } from '../../../cli/shared/target-options.ts';
import { header } from '../../reporters/events.ts';

const named: TargetOptions = { target: 'conform.yaml' };
const own = 'npx conform';

function kept(
  name: 'run' | 'fuzz' | 'stress',
  argv: readonly string[],
  options = named,
  env: NodeJS.ProcessEnv = {},
): string {
  return commandLine(name, options, { argv, env }).join(' ');
}

describe('what is kept of a command line', () => {
  it.each<[string, readonly string[], string]>([
    [
      'has where and as whom',
      ['run', '--target', 'conform.yaml', '--strict'],
      'run --target conform.yaml --strict',
    ],
    ['has what narrowed the run', ['--only', 'send', 'auth', '--strict'], 'run --only send auth --strict'],
    [
      'lacks what would write over its files, and what never ends',
      '--out r.ndjson --snapshot o.yaml --history h --watch a b --baseline b.yaml'.split(' '),
      'run --baseline b.yaml',
    ],
    [
      'has the variable of a literal secret',
      ['--author-token', 's3cret'],
      'run --author-token env:CONFORM_AUTHOR_TOKEN',
    ],
  ])('%s', (_, argv, words) => {
    expect(kept('run', argv)).toBe(words);
  });

  it.each<[string, TargetOptions, NodeJS.ProcessEnv, string]>([
    ['a variable', {}, { CONFORM_BASE_URL: 'http://127.0.0.1:1' }, '--base-url http://127.0.0.1:1'],
    ['another variable', {}, { CONFORM_TARGET: 'own.yaml' }, '--target own.yaml'],
    ['nothing', {}, {}, '--reference'],
  ])('names the server that %s named', (_, options, env, words) => {
    expect(kept('fuzz', ['fuzz', '--only', 'limit'], options, env)).toBe(`fuzz --only limit ${words}`);
  });
});

describe('the command that shows again', () => {
  const command = ['run', '--target', 'conform.yaml', '--strict', '--header', 'x: y'];

  it('a finding of checks runs them at the same server', () => {
    expect(againCommands.rerunCommand(['send.x', 'mentions.y'], header({ command }))).toBe(
      `${own} --check send.x mentions.y --target conform.yaml --strict --header 'x: y'`,
    );
  });

  it('a finding of some checks lacks what narrowed the run, and one of all of them has it', () => {
    const narrowed = ['run', '--only', 'send', 'auth', '--check=a.b', '--require', 'must', '--reference'];
    expect(againCommands.rerunCommand(['send.x'], header({ command: narrowed }))).toBe(
      `${own} --check send.x --reference`,
    );
    expect(againCommands.rerunCommand([], header({ command: narrowed }))).toBe(
      `${own} run --only send auth --check=a.b --require must --reference`,
    );
  });

  it('a request of a campaign takes only what says where and as whom', () => {
    const fuzz = ['fuzz', '--cases', '9', '--target', 'conform.yaml', '--max-bytes', '5', '--seed', '7'];
    expect(againCommands.replayCommand('f.json', header({ command: fuzz }))).toBe(
      `${own} replay f.json --target conform.yaml --max-bytes 5`,
    );
  });

  it('what concurrent clients found is a command of theirs', () => {
    const stress = ['stress', '--clients', '8', '--reference', '--seed', '7'];
    expect(againCommands.rerunCommand(['stress.x'], header({ command: stress }))).toBe(
      `${own} stress --clients 8 --reference --seed 7`,
    );
    expect(stressReplayCommand('plan.json', stress)).toBe(
      `${own} stress --replay plan.json --clients 8 --reference --seed 7`,
    );
  });

  it('a finding of a stream without its command names the address', () => {
    const { command: _, ...old } = header();
    expect(againCommands.rerunCommand(['send.x'], old)).toBe(
      `${own} --check send.x --base-url ${old.baseUrl}`,
    );
  });
});
