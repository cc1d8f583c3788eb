import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageFile } from '../spec/index.ts';
import {
  allImports,
  circlesIn,
  filesIn,
  folderAt,
  folderGraph,
  picture,
  sourceFiles,
  textOf,
  topFolders,
} from './house.ts';

/** What each top folder may import from, besides itself and packages. */
const allowed: Readonly<Record<(typeof topFolders)[number], readonly string[]>> = {
  spec: [],
  generators: ['spec'],
  history: ['spec'],
  reference: ['spec'],
  harness: ['spec', 'history'],
  embedded: ['spec', 'reference', 'harness'],
  suites: ['spec', 'generators', 'history', 'harness'],
  fuzz: ['spec', 'generators', 'history', 'harness'],
  reporters: ['spec', 'harness'],
  scenarios: ['spec', 'history', 'reference', 'harness', 'embedded'],
  cli: [
    'spec',
    'reference',
    'history',
    'harness',
    'embedded',
    'suites',
    'fuzz',
    'reporters',
    'scenarios',
    'selftest',
  ],
  adapters: ['spec', 'harness', 'embedded', 'suites', 'reporters', 'cli'],
  selftest: ['spec', 'reference', 'history', 'harness', 'embedded', 'suites', 'fuzz', 'scenarios'],
};

/** Above this a folder wants inner rooms. */
const mostFiles = 17;

const imports = allImports();

describe('the layers', () => {
  it.each(Object.entries(allowed))('%s imports only what it may', (folder, others) => {
    const strays = imports.filter(({ from, to }) => {
      const other = folderAt(to, 1);
      return folderAt(from, 1) === folder && other !== '' && other !== folder && !others.includes(other);
    });
    expect(strays).toEqual([]);
  });

  it('have a reference that shares no judgement with those who judge it', () => {
    const strays = imports.filter(
      ({ from, to }) => from.startsWith('reference/') && /^spec\/(?:calls|oracles)\//.test(to),
    );
    expect(strays).toEqual([]);
  });

  it('write files, and to the terminal, through one door alone', () => {
    const ways =
      /\bprocess\.(?:stdout|stderr)\b|\bconsole\.|\b(?:write|append|copy)File(?:Sync)?\b|\bwriteSync\b|\bcreateWriteStream\b/;
    const users = sourceFiles().filter((file) => ways.test(textOf(file)));
    const others = users.filter(
      (file) =>
        !/^(?:(?:spec|cli)\/generate|selftest|reference|embedded)\/|^suites\/release\/pin\.ts/.test(file),
    );
    expect(others).toEqual([
      'harness/output/clean-file.ts',
      // A target file of our own making.
      'cli/init.ts',
      // Only what becomes of a broken pipe.
      'cli/main.ts',
      // Only the width of a terminal.
      'cli/program.ts',
      'cli/reference.ts',
      'cli/shared/output.ts',
      // Line ends, to see whether a disk has room.
      'cli/shared/probe-outputs.ts',
      'cli/stress/killed-reference.ts',
    ]);
  });

  it.each<[what: string, words: RegExp, places: readonly string[]]>([
    [
      'what judges say of a history',
      /\bjudgeHistory\(/,
      ['fuzz/stress/run/chapter.ts', 'harness/chapter/patience.ts', 'harness/judging/judged-chapters.ts'],
    ],
    [
      'what becomes events of it',
      /\bnew Findings\(/,
      ['harness/run/judged-stream.ts', 'harness/run/run-report.ts'],
    ],
    [
      'what an event is',
      /\binterface (?:Header|Preflight|Notice|Check|Progress|Finding|Observation|Footer)Event\b/,
      ['harness/results/generated/events.ts'],
    ],
  ])('have one way from judges to events: %s', (_what, words, places) => {
    const users = sourceFiles().filter((file) => words.test(textOf(file)));
    expect(users.filter((file) => !/^(?:history|selftest)\//.test(file)).toSorted()).toEqual(places);
  });

  it('ask one oracle what a request is to be answered with, and what its body says', () => {
    const askers = sourceFiles().filter((file) => /\b(?:expectationOf|readSentBody)\(/.test(textOf(file)));
    expect(askers.filter((file) => !file.startsWith('spec/oracles/requests/'))).toEqual([
      'generators/spaces/wire/wire-body-space.ts',
      'harness/record/request-parts.ts',
      'harness/totals/input-meter.ts',
      'harness/wire/baseline-request.ts',
      'fuzz/setup/case-runner.ts',
    ]);
  });

  it.each<[what: string, words: RegExp, places: readonly string[]]>([
    ['what reads an answer as a page', /\['(?:next_after|high_watermark)'\]/, ['harness/stream/page.ts']],
    [
      'what records requests and answers as a history',
      /\bbuild(?:Read|Send|Report|Change)\(/,
      ['harness/record/history-recorder.ts'],
    ],
    [
      'what reads on from page to page',
      /\.nextAfter (?:>|<=) after\b|\bnext <= after\b/,
      ['harness/stream/walk.ts'],
    ],
    [
      'what looks whether a server is there',
      /\.silentMs\b|\blastAnswerMs\b|\bnew Socket\(|\bconnect\(this\./,
      [
        // Where it is measured.
        'harness/client/client.ts',
        'harness/watch/health.ts',
        'harness/watch/looks.ts',
        'harness/watch/server-presence.ts',
        'harness/watch/silence.ts',
      ],
    ],
    [
      'what a stream is held against',
      /result-event\.schema\.json/,
      ['harness/results/event-schema.ts', 'harness/results/generated/events.ts'],
    ],
  ])('have one of each: %s', (_what, words, places) => {
    const users = sourceFiles().filter((file) => words.test(textOf(file)));
    expect(
      users
        .filter((file) => !/^(?:history\/(?!clients)|selftest|spec\/(?!calls|oracles))/.test(file))
        .toSorted(),
    ).toEqual(places);
  });

  it('export nothing that no other file asks for', () => {
    const users = new Map<string, Set<string>>();
    for (const file of [...sourceFiles(), ...filesIn('test')])
      for (const [name] of textOf(file).matchAll(/\w+/g))
        users.set(name, (users.get(name) ?? new Set()).add(file));
    const exported = /^export (?:abstract |async )?(?:class|const|function\*?|interface|type) (\w+)/gm;
    const unused = sourceFiles()
      .filter((file) => !file.includes('/generated/'))
      .flatMap((file) => [...textOf(file).matchAll(exported)].map(([, name = '']) => ({ file, name })))
      .filter(({ name }) => users.get(name)?.size === 1);
    // What the inferred types of others name.
    const named = ['ViewedChannel', 'SeededHistory'];
    expect(unused.filter(({ name }) => !named.includes(name))).toEqual([]);
  });

  it('judge whole histories beside the thread that hears signals, never in it', () => {
    const users = imports.filter(({ to }) => to === 'cli/judge/judge-file.ts').map(({ from }) => from);
    expect(users.toSorted()).toEqual(['cli/campaign/whole-thread.ts', 'cli/judge/judge-thread.ts']);
  });

  it('have the self-test behind one file of the command line alone', () => {
    const users = imports.filter(
      ({ from, to }) => to.startsWith('selftest/') && !from.startsWith('selftest/'),
    );
    expect([...new Set(users.map(({ from }) => from))]).toEqual(['cli/serve/faults.ts']);
    const rooms = users.map(({ to }) => folderAt(to, 2));
    expect([...new Set(rooms)]).toEqual(['selftest/mutants', 'selftest/variants']);
  });

  it.each([
    ['vitest', ['adapters/vitest.ts']],
    ['node:test', ['adapters/node-test.ts']],
  ])('have %s in one place outside the tests', (runner, places) => {
    const users = sourceFiles().filter((file) => textOf(file).includes(`from '${runner}`));
    expect(users).toEqual(places);
  });
});

describe('folders', () => {
  it.each([1, 2, 3, 4, 5])('at depth %d do not import each other in a circle', (depth) => {
    expect(circlesIn(folderGraph(imports, depth))).toEqual([]);
  });

  it('would be seen to import each other in a circle', () => {
    const circle = [
      { from: 'harness/one/a.ts', to: 'harness/two/b.ts' },
      { from: 'harness/two/c.ts', to: 'harness/three/d.ts' },
      { from: 'harness/three/e.ts', to: 'harness/one/f.ts' },
    ];
    expect(circlesIn(folderGraph(circle, 2))).toEqual(['harness/one ⇄ harness/three ⇄ harness/two']);
    expect(circlesIn(folderGraph(circle, 1))).toEqual([]);
  });

  it(`hold at most ${mostFiles} files side by side`, () => {
    const counts = new Map<string, number>();
    for (const file of sourceFiles()) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > mostFiles)).toEqual([]);
  });

  it('and the rooms of harness are each described in CONTRIBUTING', () => {
    const rooms = readdirSync(dirname(packageFile('harness/errors.ts')), { withFileTypes: true });
    const names = [...topFolders, ...rooms.filter((each) => each.isDirectory()).map(({ name }) => name)];
    const page = textOf('CONTRIBUTING.md');
    expect(names.filter((name) => !page.includes(`\n| \`${name}/\` `))).toEqual([]);
  });

  it('are drawn in docs/architecture.md as they are', () => {
    expect(textOf('docs/architecture.md')).toContain(`\`\`\`\n${picture()}\n\`\`\``);
  });
});
