import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry, Har } from 'har-format';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { targetOfReference } from '../../embedded/reference-hooks.ts';
import { streamFile } from '../../fuzz/merge/campaign-part.ts';
import { brokenClauses } from '../../harness/results/broken-clauses.ts';
import type { FindingEvent, ResultEvent } from '../../harness/results/generated/events.ts';
import { type Reference, startReference, targetFileOf } from '../../reference/index.ts';
import { formatNames } from '../../reporters/formats/format.ts';
import { spoilItems } from '../../selftest/mutants/base/spoil-answer.ts';
import { ownFolder } from '../fixtures/folder.ts';
import { reportOn } from '../reporters/formats/report.ts';
import { conform } from './conform.ts';
import { recordedTraffic } from './recorded-traffic.ts';
import { runIn } from '../fixtures/stream.ts';

/** Whoever reads a message finds it broken. */
const clause = 'message.channel-id.is-its-channel';
/** What none of them puts to the test. */
const untried = 'channel-read.survives-a-restart';
/** One check that reads messages, and one whose verdict does not change. */
const checks = [
  'message.texts-that-are-something-else-are-unaltered',
  'mentions.limit-that-is-no-integer-is-refused',
];

interface Engine {
  readonly name: string;
  readonly args: readonly string[];
  /** Where its stream is; a campaign keeps it in a folder. */
  readonly out: readonly [given: string, stream: string];
  /** A campaign has no checks, and so nothing that `--require` asks for. */
  readonly hasChecks: boolean;
  /** Whether it decides the same every time; what concurrent clients come to is drawn by time. */
  readonly isRepeatable: boolean;
}

function engine(name: string, line: string): Engine {
  const given = name.replaceAll(' ', '-');
  const isCampaign = line.startsWith('fuzz');
  const stream = isCampaign ? join(given, streamFile) : `${given}.ndjson`;
  return {
    name,
    args: line.split(' '),
    out: [isCampaign ? given : stream, stream],
    hasChecks: !isCampaign,
    isRepeatable: /^(?:run|judge)/.test(line),
  };
}

const engines = [
  engine('a run', `run --target broken.yaml --check ${checks.join(' ')}`),
  engine('a stress run', 'stress --target broken.yaml --time 300ms --clients 3 --seed 1 --budget-ms 12000'),
  engine('a judged history', 'judge history.ndjson'),
  engine('a judged HAR file', 'judge traffic.har'),
  engine('a campaign', 'fuzz --target author.yaml --only send --cases 8 --seed 1'),
];

const folder = ownFolder('one-stream-');
let broken: Reference;
let kept: Reference;

beforeAll(async () => {
  broken = await startReference(
    spoilItems('read', (message) => ({ ...message, channel_id: message['workspace_id'] })),
  );
  kept = await startReference();
  writeFileSync(join(folder, 'broken.yaml'), targetFileOf(broken));
  // Each of the others would look at every stream in each chapter.
  const others = /^ +(?:reader|peer|api_key): .*\n/gm;
  writeFileSync(join(folder, 'author.yaml'), targetFileOf(broken).replace(others, ''));
  writeFileSync(join(folder, 'kept.yaml'), targetFileOf(kept));
  for (const [name, reference] of Object.entries({ 'traffic.har': broken, 'kept.har': kept }))
    writeFileSync(join(folder, name), JSON.stringify(await recordedTraffic(targetOfReference(reference))));
  const run = ['run', '--target'];
  await conform([...run, 'broken.yaml', '--check', ...checks, '--history', 'history.ndjson'], {
    cwd: folder,
  });
  // Only the checks that bring about all that it is about show that the clause is kept.
  const keeping = ['--clause', clause, 'mentions.limit.type', '--out', 'kept.ndjson'];
  await conform([...run, 'kept.yaml', ...keeping], { cwd: folder });
});

afterAll(async () => void (await Promise.all([broken.close(), kept.close()])));

const inFolder = (...args: readonly string[]) => conform(args, { cwd: folder });

async function streamOf({ out: [, stream] }: Engine) {
  const read = await runIn(join(folder, stream));
  const findings = read.events.filter((event): event is FindingEvent => event.type === 'finding');
  return { ...read, broken: findings.flatMap(brokenClauses).map((each) => each.clause) };
}

/** What a report of each format says of a server that breaks the clause; of a badge, that it does; of code quality nothing without a file. */
const says = (format: string): string =>
  ({ badge: 'broken', 'badge-json': 'broken', har: '"version":"1.2"', codequality: '[' })[format] ?? clause;

describe.each(engines)('$name', (tried) => {
  const { name, args, hasChecks, isRepeatable } = tried;
  let first: readonly ResultEvent[] = [];
  const file = (format: string): string => `${name.replaceAll(' ', '-')}.${format}`;
  const baseline = `${name.replaceAll(' ', '-')}.yaml`;
  const decided = `${name.replaceAll(' ', '-')}.txt`;

  it('writes one whole stream of what it found, by its schema, and ends with its exit code', async () => {
    const reports = formatNames.map((format) => `${format}=${file(format)}`);
    const wanted = ['--out', tried.out[0], '--write-baseline', baseline, '--report', ...reports];
    const list = hasChecks ? ['--write-require', decided] : [];
    const { code, stdout } = await inFolder(...args, ...wanted, ...list);
    expect(stdout).toContain(clause);
    const { isWhole, footer, events, broken: found } = await streamOf(tried);
    first = events;
    expect({ isWhole, code, exitCode: footer?.exitCode }).toEqual({ isWhole: true, code: 1, exitCode: 1 });
    expect(found).toContain(clause);
  });

  it.each(formatNames)('is written as %s at its end, and later from its stream', (format) => {
    expect(readFileSync(join(folder, file(format)), 'utf8')).toContain(says(format));
    expect(reportOn(format, first)).toContain(says(format));
  });

  it('is held against another by compare', async () => {
    const { code, stdout } = await inFolder(
      'compare',
      'kept.ndjson',
      tried.out[1],
      '--fail-on',
      'regressions',
    );
    expect(stdout).toMatch(new RegExp(`REGRESSIONS SINCE A: \\d+ CLAUSE[^]*${clause}`));
    expect(code).toBe(1);
  });

  it.runIf(isRepeatable)('decides again what the list that it wrote requires', async () => {
    const required = ['--require', `@${decided}`];
    const { code, stdout, stderr } = await inFolder(...args, '--out', tried.out[0], ...required);
    expect(stderr).toBe('');
    expect(stdout).not.toContain('REQUIRED');
    expect(code).toBe(1);
  });

  it('takes the baseline that it wrote, once that has its reasons, and requires what is not put to the test', async () => {
    const text = readFileSync(join(folder, baseline), 'utf8').replaceAll('reason: ""', 'reason: soon');
    writeFileSync(join(folder, baseline), text);
    const required = hasChecks ? ['--require', untried] : [];
    const more = ['--out', tried.out[0], '--baseline', baseline, ...required];
    const { code, stdout } = await inFolder(...args, ...more);
    expect(new RegExp(`REQUIRED +1 clause[^]*${untried}`).test(stdout), stdout).toBe(hasChecks);
    // What is known would make it 1.
    expect(code, stdout).toBe(hasChecks ? 3 : 0);
    const { footer } = await streamOf(tried);
    expect(JSON.stringify(footer)).toContain('"known":');
  });
});

describe('a HAR file', () => {
  it('of a server that keeps the contract is no reason to fail it', async () => {
    const { code, stdout } = await inFolder('judge', 'kept.har');
    expect(stdout).toMatch(/recorded traffic: 9 operations \(3 sends, 6 reads/);
    expect(stdout).toMatch(/nothing failed, \d+ of \d+ must clauses shown/);
    expect(code).toBe(0);
  });

  it('is read without what nobody can tell an agent by', async () => {
    const text = readFileSync(join(folder, 'traffic.har'), 'utf8').replaceAll(
      /"bearer [^"]*"/g,
      '"Bearer REDACTED"',
    );
    writeFileSync(join(folder, 'redacted.har'), text);
    const { code, stdout } = await inFolder('judge', 'redacted.har');
    expect(stdout).toMatch(/warning: of 9 requests the form of the answer alone is judged/);
    // That they are well formed proves nothing by itself.
    expect(code).toBe(3);
  });

  it('shows answers that are no answers of the service, and no credential of whoever asked', async () => {
    const text = readFileSync(join(folder, 'traffic.har'), 'utf8');
    const nothing = { text: Buffer.from('null').toString('base64'), size: 4 };
    const entries = (JSON.parse(text) as Har).log.entries.map(({ response, ...entry }) => ({
      ...entry,
      response: {
        ...response,
        // The length is that of what stood there.
        headers: response.headers.filter(({ name }) => !/^content-length$/i.test(name)),
        content: { ...response.content, ...nothing },
      },
    }));
    writeFileSync(join(folder, 'null.har'), JSON.stringify({ log: { version: '1.2', entries } }));
    const { code, stdout } = await inFolder('judge', 'null.har');
    expect(stdout).toContain('channel-read.body-is-an-object');
    expect(code).toBe(1);
    for (const [, token = ''] of text.matchAll(/"bearer ([^"]+)"/g)) expect(stdout).not.toContain(token);
  });

  it('shows what a client asked, and leaves out what a run of this suite asked on purpose', async () => {
    const { log } = JSON.parse(readFileSync(join(folder, 'kept.har'), 'utf8')) as Har;
    const asked = log.entries.at(-1);
    if (asked === undefined) throw new Error('nothing was recorded');
    const { url, headers } = asked.request;
    const judged = async (own: Partial<Entry['request']>) => {
      const entry = { ...asked, request: { ...asked.request, url: `${url}&limit=1000`, ...own } };
      const file = join(folder, 'asked.har');
      writeFileSync(file, JSON.stringify({ log: { ...log, entries: [...log.entries, entry] } }));
      return inFolder('judge', file);
    };
    const { code, stdout } = await judged({});
    expect(stdout).toMatch(/client\.requests\.limit-in-range[^]*agent [0-9a-f]{16}: one that breaks/);
    expect(code).toBe(1);
    const own = { name: 'User-Agent', value: 'conform/1.0.0' };
    expect((await judged({ headers: [...headers, own] })).code).toBe(0);
    // A recorder that has left the content out, or cut it, says nothing of it.
    const [sent] = log.entries;
    const { postData: _, ...short } = sent?.request ?? asked.request;
    expect((await judged({ ...short })).code).toBe(0);
  });

  it('of several servers needs the one named', async () => {
    const [one, other] = ['traffic.har', 'kept.har'].map(
      (name) =>
        (JSON.parse(readFileSync(join(folder, name), 'utf8')) as { log: { entries: object[] } }).log.entries,
    );
    const log = { entries: [...(one ?? []), ...(other ?? [])] };
    writeFileSync(join(folder, 'both.har'), JSON.stringify({ log }));
    const refused = [
      [[], ': say which with --base-url'],
      [['--base-url', 'http://127.0.0.1:1'], ', and none to http://127.0.0.1:1 (--base-url)'],
    ] as const;
    for (const [named, words] of refused)
      expect(await inFolder('judge', 'both.har', ...named)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(words),
      });
    const [right, wrong] = await Promise.all(
      [`${kept.baseUrl}/`, broken.baseUrl].map((baseUrl) =>
        inFolder('judge', 'both.har', '--base-url', baseUrl, '--settle-ms', '70'),
      ),
    );
    expect([right?.code, wrong?.code]).toEqual([0, 1]);
    expect(wrong?.stdout).toContain(`judge both.har --base-url ${broken.baseUrl} --settle-ms 70`);
  });
});
