import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { conformProgram } from '../../cli/program.ts';
import { out } from '../../cli/shared/output.ts';
import { InvalidTarget } from '../../harness/errors.ts';
import type { HeaderEvent } from '../../harness/results/generated/events.ts';
import { writeEvent } from '../../harness/results/stream.ts';
import { refusalOf } from '../changed-value.ts';
import { ownFolder } from '../fixtures/folder.ts';
import { alteredSend } from '../fuzz/altered-send.ts';
import { check, clause, finding, footer, header, runs, tally } from '../reporters/events.ts';

const folder = ownFolder('refused-');
const failed = runs['one failed with two exchanges'].map(writeEvent).join('');

/** A stream of a history in which this check failed, by a clause that no check has. */
const failedOf = (id: string, profile: Pick<HeaderEvent['profile'], 'selection'>): string =>
  [
    header({ checks: 1, profile: { ...header().profile, ...profile } }),
    check(id, id, [clause('message.id.type', { verdict: 'failed' })]),
    finding({ check: id, clause: 'message.id.type' }),
    footer({ exitCode: 1, checks: tally(0, 1) }),
  ]
    .map(writeEvent)
    .join('');

/** A failure that a campaign kept, and the same with another request. */
const kept = alteredSend('{"content":"{the-mark-of-it} x"}', 'message.content.unaltered');
const { body: _body, ...read } = kept.request;
const withRequest = (request: object): string => JSON.stringify({ ...kept, request });

/** What stands in the folder of the files that lines name. */
const files: Readonly<Record<string, string | Buffer>> = {
  'mine.yaml': 'mine',
  'slip.yaml': 'base_url: http://127.0.0.1:9\nchanel: x\n',
  'failed.ndjson': failed,
  'client.ndjson': failedOf('read.mentions', { selection: ['client'] }),
  'wire.ndjson': failedOf('wire.message', { selection: ['judge'] }),
  'wrong.ndjson': '{"type":"header","format":1}\n',
  'good.yaml': 'base_url: http://127.0.0.1:9\n',
  'endless.yaml': 'base_url: http://127.0.0.1:9\nroles: {author: file:/dev/zero}\n',
  'list.yaml': '[]\n',
  'bracket.yaml': '{',
  'failure.json': JSON.stringify(kept),
  'read.json': withRequest({ ...read, call: 'channel-read', method: 'GET', earlier: [kept.request] }),
  'delete.json': withRequest({ ...kept.request, method: 'DELETE' }),
  'large.json': ' '.repeat(33 * 1024 * 1024),
  'no-text.json': Buffer.from([0xff, 0xfe, 0x00]),
  'plan.json': '{"stress":1,"plan":{"rounds":null}}',
  'folder/a.json': '{"request":{"call":"x"}}',
};

beforeAll(() => {
  mkdirSync(join(folder, 'folder'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  symlinkSync('loop.yaml', join(folder, 'loop.yaml'));
});

/** What is in the folder, and in the files that lines would write over. */
const left = (): readonly unknown[] => [
  readdirSync(folder, { recursive: true }),
  ...['mine.yaml', 'good.yaml', 'list.yaml'].map((name) => readFileSync(join(folder, name), 'utf8')),
];

const inFolder = (word: string): string =>
  /^(?:[\w-]+\.(?:yaml|ndjson|json)|folder(?:\/.*)?|nowhere\/.*)$/.test(word) ? join(folder, word) : word;

/** The line that a command is refused with; `undefined` where it is not, and `said` what it printed before. */
async function refusal(args: readonly string[]): Promise<{ line: string | undefined; said: string }> {
  const program = conformProgram();
  for (const each of [program, ...program.commands])
    each.exitOverride().configureOutput({ writeErr: () => {} });
  let said = '';
  const spies = (['say', 'write'] as const).map((name) =>
    vi.spyOn(out, name).mockImplementation((text: string) => void (said += text)),
  );
  const parsed = program.parseAsync(args, { from: 'user' }).catch((error: unknown) => {
    // Of what commander finds, the second line is what was meant.
    throw error instanceof CommanderError ? new InvalidTarget(error.message.split('\n')[0] ?? '') : error;
  });
  const line = await refusalOf(() => parsed).finally(() => spies.forEach((spy) => spy.mockRestore()));
  return { line, said };
}

const rate = 'a number of requests a second, 0.1 to 100000';
const count = 'a whole number, 1 to 1024';
const budget = 'a whole number of milliseconds, 1 to 2147483647';
const duration = 'a duration as 200ms, 30s, 10m or 2h, from 1ms to 555h';

const away = '--base-url http://127.0.0.1:9';
/** A run that does not say first what the target makes testable. */
const oneCheck = `${away} --check mentions.limit-of-101-is-refused`;
const afar = '--base-url https://service.example --author-token env:PATH';
const elsewhere = /needs the server that it is about: .*--target.*--base-url.*--reference/;

const missing = 'is in a folder that does not exist';
const isRead = 'is a file that this command reads';

const written = [
  '--out o.ndjson',
  '--report junit=j.xml',
  '--write-baseline w.yaml',
  '--write-require r.txt',
];
const together = (one: string, other: string): RegExp =>
  new RegExp(`option '${one}[^']*' cannot be used with option '${other.split(' ')[0]}`);

const matching = (words: string | RegExp): string =>
  (typeof words === 'string' ? expect.stringContaining(words) : expect.stringMatching(words)) as string;

/** Lines as they are typed, and what is said of them. */
const refused: Readonly<Record<string, readonly (readonly [line: string, words: string | RegExp])[]>> = {
  'a run': [
    ['--bas-url x', 'unknown option'],
    ['--check send.nothing', 'no check "send.nothing"'],
    ['--check mentions.limit-of-101-is-refusd', 'did you mean mentions.limit-of-101-is-refused'],
    ['--clause mentions.ascendin', 'did you mean mentions.ascending'],
    ['--trace no.such-check', 'no.such-check'],
    ['--base-url nonsense', 'base-url'],
    ['--target nowhere.yaml', 'nowhere.yaml'],
    ['--target slip.yaml', 'slip.yaml:2:1: unknown field `chanel` – did you mean `channel`?'],
    ['--reference --target slip.yaml', "option '--reference' cannot be used with option '--target"],
    [`--reference ${away}`, "option '--reference' cannot be used with option '--base-url"],
    ['--quiet --verbose', "option '--quiet' cannot be used with option"],
    ['--quiet --trace mentions.limit-of-101-is-refused', "option '--quiet' cannot be used with option"],
    ['--write-baseline mine.yaml', 'mine.yaml already exists'],
    ['--requirements 0.2', 'no requirement set "0.2"'],
    ['--report junit', '--report junit: it takes FORMAT=FILE'],
    ['--report pdf=a.pdf', 'pdf is no format of a report; there are junit, ctrf'],
    ['--failed failed.ndjson', elsewhere],
    ['--baseline known.yaml', elsewhere],
    [
      '--reference --failed client.ndjson',
      'clients are judged by `client`, and no run has the checks: read.mentions',
    ],
    [
      '--reference --failed wire.ndjson',
      'which any request may show; run the whole suite again: wire.message',
    ],
    ['--only nope', 'no area "nope"; there are population, message, '],
    [
      '--only channels-list',
      `no area "channels-list" of checks; --clause 'channels-list.*' takes the checks of its clauses`,
    ],
    [
      `${away} --quiet --history -`,
      '--history - does not go to standard output; name a file or folder, or write ./-',
    ],
    [`${away} --quiet --write-baseline -`, '--write-baseline - does not go to standard output'],
    ['--reference --out - --report junit=-', '--out - and --report junit=- go to standard output together'],
    [
      '--reference --report junit=- badge=-',
      '--report junit=- and --report badge=- go to standard output together',
    ],
    ['dotor', 'there is no command dotor; did you mean doctor?'],
    ['explain', 'there is no command explain; did you mean show?'],
    ['list', 'there is no command list; did you mean clauses?'],
    ['--reference --failed failed.ndjson', 'none of the checks that failed: mentions.page-keeps-its-limit'],
  ],
  'what it is given to read': [
    ['--target loop.yaml', 'cannot be read (ELOOP)'],
    ['--target /dev/zero', 'is larger than'],
    ['--target endless.yaml', 'is larger than'],
    [`${oneCheck} --baseline bracket.yaml`, 'bracket.yaml:1:2: something is missing here'],
    [`replay failure.json ${away} --read-only`, /failure\.json holds a send, and --read-only/],
    [`replay read.json ${away} --read-only`, /read\.json holds a send, and --read-only/],
    [`replay delete.json ${away}`, '`request.method`'],
    [`replay large.json ${away}`, 'is larger than'],
    [`replay no-text.json ${away}`, 'is not UTF-8 text'],
    [`fuzz ${away} --corpus folder --cases 10`, 'folder/a.json is not a failure file'],
    [`fuzz ${away} --corpus mine.yaml --cases 10`, 'mine.yaml is a file; name a folder of failure files'],
    [`stress ${away} --replay plan.json`, 'is no failure that the command stress has kept'],
  ],
  // The ways in which one cannot be written are in test/cli/shared/probe-outputs.
  'what it is to write': [
    [`${oneCheck} --history folder`, 'is a folder; name a file'],
    [`${oneCheck} --write-baseline folder`, 'already exists'],
    [`${oneCheck} --out nowhere/out.ndjson`, missing],
    [`${oneCheck} --write-baseline nowhere/known.yaml`, missing],
    [`${oneCheck} --snapshot nowhere/observed.yaml`, missing],
    [`${oneCheck} --out a.ndjson --history a.ndjson`, '--out and --history name the same file'],
    [`${oneCheck} --baseline list.yaml --out list.yaml`, isRead],
    [`${oneCheck} --author-token file:${folder}/mine.yaml --out mine.yaml`, isRead],
    [`fuzz ${away} --cases 5 --out mine.yaml`, 'mine.yaml is a file; name a folder'],
    [`fuzz ${away} --cases 5 --out folder --history folder/campaign.ndjson`, 'name the same file'],
    [`stress ${away} --time 1s --history nowhere/history`, missing],
    [`stress ${away} --time 1s --keep mine.yaml`, 'mine.yaml is a file; name a folder'],
    ['reference --data nowhere/data.db', missing],
    ['reference --data mine.yaml', 'is something else, and was not changed'],
  ],
  'a watch': [
    [`${away} --watch nowhere`, /^--watch nowhere: there is no such file or folder$/],
    ['--watch', '--watch needs a server of yours'],
    [`--watch ${away} --out o.ndjson`, /^--watch runs without end; leave out --out$/],
    [`--watch ${away} --write-require r.txt`, /^--watch runs without end; leave out --write-require$/],
  ],
  'a campaign': [
    ['fuzz --shard 3/2', '--shard takes i/n'],
    ['fuzz --only nothing', '--only takes send, read'],
    ['fuzz --fail-on some', 'Allowed choices are new, any'],
    [`fuzz ${afar}`, '--max-bytes'],
    [`fuzz ${away} --quiet --out - --cases 1`, '--out - does not go to standard output'],
    ['replay failure.json', elsewhere],
  ],
  'concurrent clients': [
    [`stress ${afar}`, 'set a limit with --max-bytes'],
    [`stress ${away} --restarts 2`, '--restarts needs hooks.restart'],
    [`stress ${away} --data file`, '--data is for the embedded reference'],
    ['stress --replay nothing.json --reference', 'nothing.json does not exist'],
    ['stress --replay plan.json', elsewhere],
    ['stress --times 3', '--times is for --replay'],
    ...[
      '--out o.ndjson',
      '--report junit=j.xml',
      '--history h.ndjson',
      '--write-require r.txt',
      '--require must',
      '--baseline b.yaml',
      '--clients 3',
      '--seed 3',
      '--restarts 3',
    ].map(
      (option) => [`stress --reference --replay plan.json ${option}`, together('--replay', option)] as const,
    ),
  ],
  'a number out of its range': (
    [
      ['run --rate-per-second 0', rate],
      ['fuzz --rate 0', rate],
      ['fuzz --rate 0.000001', rate],
      ['fuzz --rate -1', rate],
      ['fuzz --rate NaN', rate],
      ['run --concurrency 0', count],
      ['run --concurrency 1.5', count],
      ['run --concurrency 1e10', count],
      ['run --concurrency 0x10', count],
      ['fuzz --concurrency 10000000000', count],
      ['doctor --budget-ms 2147483648', budget],
      ['doctor --budget-ms 0', budget],
      ['run --budget-ms ', budget],
      ['run --settle-ms 9007199254740993', 'a whole number of milliseconds, 0 to 600000'],
      ['run --timeout Infinity', 'a whole number of milliseconds, 0 to 86400000'],
      ['fuzz --time 1000000h', duration],
      ['fuzz --time 0s', duration],
      ['fuzz --time soon', duration],
      ['stress --time long', duration],
      ['stress --clients 1.5', count],
      ['reference --port 65536', 'a whole number, 0 to 65535'],
    ] as const
  ).map(([line, range]) => [line, `${line.split(' ')[1]} takes ${range}`]),
  'a proxy': [
    ['chaos', 'needs'],
    [`chaos --target ${away.slice(11)} --cut 60 --limited 50`, 'together at most 100'],
    [
      `chaos --target ${away.slice(11)} --retry-after 0.5`,
      '--retry-after takes a whole number of seconds, 0 to 86400',
    ],
    [`chaos --target ${away.slice(11)} --delay long`, '--delay takes a whole number of milliseconds'],
    [`proxy --target ${away.slice(11)} --keep-mb 5`, '--keep-mb is for --keep'],
    [`chaos --target ${away.slice(11)} --port 1 --host 192.0.2.1`, 'no listening at 192.0.2.1, port 1'],
  ],
  'what judges nothing': [
    ...[
      '--strict',
      '--require must',
      '--baseline b.yaml',
      '--metrics 0',
      '--keep folder',
      '--keep-mb 5',
      '--settle-ms 5',
      '--every 5s',
      ...written,
    ].map(
      (option) =>
        [`proxy --target ${away.slice(11)} --no-judge ${option}`, together('--no-judge', option)] as const,
    ),
    ...written.map((option) => [`client --list ${option}`, together('--list', option)] as const),
    ['judge h.ndjson --json --quiet', together('--quiet', '--json')],
  ],
  'a reference': [
    ['reference --mutant limit-ends-at-101 --mutant limit-is-one-too-low', '--mutant takes one name'],
    [
      'reference --mutant limit-ends-at-110',
      'there is no mutant "limit-ends-at-110"; did you mean limit-ends-at-101?',
    ],
    ['reference --clock 2026-02-30T00:00:00Z', '--clock takes a time with its zone'],
    ['reference --frozen', '--frozen needs --clock'],
    ['reference --latency 5 --host 192.0.2.1', 'cannot listen at 192.0.2.1'],
  ],
  'kept results': [
    ['compare failed.ndjson', /^compare takes the results of two runs or more$/],
    ['report none.ndjson', /none\.ndjson: cannot be read \(ENOENT\)$/],
    ['report wrong.ndjson', /wrong\.ndjson: no result stream \(as --out writes it\): line 1: header: /],
    ['report failed.ndjson failed.ndjson --bundle b.json', '--bundle takes one result stream'],
    ['report failed.ndjson --bundle failed.ndjson', 'is a file that this command reads'],
    ['report failed.ndjson --target slip.yaml', '--target is for a --bundle'],
  ],
  'a client': [
    ['client --task foo', 'there is no task "foo"; there are read, echo, send'],
    ['client --task f*', 'no task matches "f*"; there are read, echo, send'],
    ['client --scenario x.y', 'there is no scenario "x.y"; `client --list` lists all'],
  ],
  'what is to be known': [
    ['clauses --area nope', 'there is no area "nope"'],
    ['clauses --clients --area send', 'there is no area "send"'],
    ['clauses --situations --area send', "option '--situations' cannot be used with option '--area"],
    ['doctor --target slip.yaml', 'did you mean `channel`'],
    ['show send.nothing', 'send.nothing'],
    [
      'init mine.yaml',
      'mine.yaml already exists and was not changed; give another name, or - to print the file',
    ],
    ['init nowhere/a.yaml', 'is in a folder that does not exist'],
    ['init folder', /is a folder|already exists/],
  ],
};

describe('the command line of', () => {
  const lines = Object.entries(refused).flatMap(([what, rows]) => rows.map((row) => [what, ...row] as const));

  it.each(lines)('%s is refused in one line before anything is done: %s', async (_, line, words) => {
    const before = left();
    expect(await refusal(line.split(' ').map(inFolder))).toEqual({ line: matching(words), said: '' });
    expect(left()).toEqual(before);
  });
});
