import { describe, expect, it } from 'vitest';
import { againCommands, stressReplayCommand } from '../../../cli/shared/again-commands.ts';
import { conformProgram } from '../../../cli/program.ts';
import { commandLine } from '../../../cli/shared/command-line.ts';
import type { TargetOptions } from '../../../cli/shared/target-options.ts';
import { header } from '../../reporters/events.ts';

const named: TargetOptions = { target: 'conform.yaml' };
const own = 'npx conform';

function kept(
  name: Parameters<typeof commandLine>[0],
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

describe('what is kept of a command that judges by itself', () => {
  it.each<[Parameters<typeof commandLine>[0], string, string]>([
    [
      'judge',
      'h.ndjson --strict --baseline b.yaml --settle-ms 7',
      'h.ndjson --strict --baseline b.yaml --settle-ms 7',
    ],
    ['judge', '--out o.ndjson h.ndjson --quiet g.ndjson --json i.ndjson', 'h.ndjson g.ndjson i.ndjson'],
    ['judge', '--out=o.ndjson h.ndjson --report junit=j sarif=s --strict', 'h.ndjson --strict'],
    [
      'client',
      '--strict --verbose --patience 3s -- ./bad.sh --quiet --reader-token t',
      '--strict --patience 3s -- ./bad.sh --quiet --reader-token t',
    ],
    [
      'proxy',
      '--target r9.yaml --strict --keep k --keep-mb 5 --metrics 0 --every 5s',
      '--target r9.yaml --strict --every 5s',
    ],
  ])('has what changes verdicts, and the words of the command: %s %s', (name, argv, words) => {
    const options = name === 'proxy' ? { target: 'r9.yaml' } : {};
    expect(kept(name, [name, ...argv.split(' ')], options)).toBe(`${name} ${words}`);
  });

  it('names the server before which a proxy stood as that takes it', () => {
    expect(kept('proxy', ['proxy', '--strict'], {}, { CONFORM_BASE_URL: 'http://127.0.0.1:1' })).toBe(
      'proxy --strict --target http://127.0.0.1:1',
    );
  });

  it('knows of each option that it leaves out how many values it takes', () => {
    const names: readonly string[] = ['run', 'fuzz', 'stress', 'proxy', 'judge', 'client'];
    const options = conformProgram()
      .commands.filter((command) => names.includes(command.name()))
      .flatMap((command) => command.options);
    for (const { long, required, optional, variadic } of options) {
      const name = long ?? '';
      const left = kept('judge', ['judge', name, 'one', 'two'], {}).split(' ').slice(1);
      if (left.includes(name)) continue;
      const takes = variadic ? [] : required || optional ? ['two'] : ['one', 'two'];
      expect([name, ...left]).toEqual([name, ...takes]);
    }
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

  it('what a client did is its scenario, at the same client and judged as before', () => {
    const client = 'client --task read --scenario read.* --strict --require must --patience 3s';
    const words = ['--', './bad.sh', '--task', 'own'];
    expect(
      againCommands.rerunCommand(['read.mentions'], header({ command: [...client.split(' '), ...words] })),
    ).toBe(`${own} client --strict --patience 3s --scenario read.mentions -- ./bad.sh --task own`);
    const plain = ['client', './bad.sh', '--strict'];
    expect(againCommands.rerunCommand(['read.mentions'], header({ command: plain }))).toBe(
      `${own} client ./bad.sh --strict --scenario read.mentions`,
    );
  });

  it('a finding of a stream without its command names the address', () => {
    const { command: _, ...old } = header();
    expect(againCommands.rerunCommand(['send.x'], old)).toBe(
      `${own} --check send.x --base-url ${old.baseUrl}`,
    );
  });
});
