import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { readFailures } from '../../../fuzz/campaign/failure-file.ts';
import { clauseOf, contractPlace } from '../../../spec/index.ts';
import { front, type OpenedServer } from '../../fixtures/front.ts';
import { eventsIn } from '../../fixtures/stream.ts';
import { conform, type Ended } from '../conform.ts';
import { UsedReference } from '../use-reference.ts';

const used = new UsedReference();
const { folder } = used;
let server: OpenedServer;
let isBroken = true;
let isForgetful = false;
let answers = 0;

beforeAll(async () => {
  const open = front({
    changed: ({ body, ...rest }) => {
      answers += 1;
      const text = isBroken ? body.replace('{"error":', '{"extra":1,"error":') : body;
      // Every other answer has lost the end of each text.
      return {
        ...rest,
        body:
          isForgetful && answers % 2 === 0 ? text.replaceAll(/("content":"[^"\\]+)[^"\\]"/g, '$1"') : text,
      };
    },
  });
  server = await open({ baseUrl: used.target.base_url });
  // Each other agent would read every stream in each chapter.
  const { author } = used.target.roles;
  writeFileSync(
    join(folder, 'conform.yaml'),
    stringify({ ...used.target, roles: { author }, hooks: {}, base_url: server.baseUrl }),
  );
});
afterAll(() => server[Symbol.asyncDispose]());

function fuzz(...more: readonly string[]): Promise<Ended> {
  const args = ['fuzz', '--target', 'conform.yaml', '--only', 'mentions', '--cases', '40', '--seed', '1'];
  return conform([...args, '--corpus', 'corpus', ...more], { cwd: folder });
}

it(
  'a campaign lists what fails for a baseline, and fails by an entry of it that does not any more',
  { timeout: 120_000 },
  async () => {
    const first = await fuzz('--write-baseline', 'known.yaml');
    expect(first.code).toBe(1);
    expect(first.stdout).toContain('known.yaml lists the failures; give each a reason');
    // The finding shows its rule, and the body that breaks it.
    expect(first.stdout).toContain('failed: api-error.no-extra-fields');
    const { text: rule, source } = clauseOf('api-error.no-extra-fields');
    expect(first.stdout).toContain(`${rule}\n  contract: ${contractPlace(source)}\n`);
    expect(first.stdout).toMatch(/< +"extra": 1,\n +< +"error": \{/);
    // The files of a campaign say whether its last look showed them too.
    for (const kept of ['corpus', join('fuzz-results', 'failures')])
      for (const { found, root } of readFailures(join(folder, kept)))
        expect([root, found.again?.times]).toEqual([root, Math.max(1, found.again?.of ?? 0)]);
    const text = readFileSync(join(folder, 'known.yaml'), 'utf8');
    expect(text).toContain('- finding: api-error.no-extra-fields | ');

    const reasoned = text.replace('reason: ""', 'reason: the gateway adds a field');
    writeFileSync(join(folder, 'known.yaml'), reasoned);
    isBroken = false;
    const mended = await fuzz('--baseline', 'known.yaml');
    expect(mended.stdout).toContain('passed: remove the entry');
    expect(mended.stdout).toContain('0 failed, 0 warned');
    expect(mended.code).toBe(1);
  },
);

/** What the stream of the last campaign says of its history as a whole. */
function ofHistory() {
  return eventsIn(join(folder, 'fuzz-results', 'campaign.ndjson')).flatMap((event) =>
    event.type === 'finding' && event.case === undefined ? { check: event.check, known: event.known } : [],
  );
}

it('what is known of a campaign is known of its history as a whole', { timeout: 120_000 }, async () => {
  [isBroken, isForgetful] = [false, true];
  const history = ['--history', 'history.ndjson'];
  const first = await fuzz('--write-baseline', 'forgetful.yaml', '--report', 'junit=first.xml', ...history);
  expect(first.code).toBe(1);
  expect(first.stdout).toMatch(/^failed: message\.immutable in the whole history$/m);
  expect(first.stdout).toMatch(/^ {2}run again: .* fuzz .* --seed 1 --history history-again\.ndjson$/m);
  expect(ofHistory()).toContainEqual({ check: 'history.message', known: undefined });
  const ofWhole = /<testcase classname="history" name="history\.message"[^]*?<\/testcase>/;
  const report = readFileSync(join(folder, 'first.xml'), 'utf8');
  expect(ofWhole.exec(report)?.[0]).toContain('<failure message="message.immutable: ');
  const text = readFileSync(join(folder, 'forgetful.yaml'), 'utf8');
  // The corpus shows each finding again, the two that fail and one that only warns.
  writeFileSync(join(folder, 'forgetful.yaml'), text.replaceAll('reason: ""', 'reason: a cache'));
  const known = await fuzz('--baseline', 'forgetful.yaml', ...history);
  expect(ofHistory()).toContainEqual({ check: 'history.message', known: 'a cache' });
  expect(known.stdout).toContain('known: message.immutable: a cache\n');
  expect(known.code).toBe(0);
  const some = text.replace(/- finding: message\.immutable.*\n.*\n/, '').replaceAll('""', 'a cache');
  writeFileSync(join(folder, 'forgetful.yaml'), some);
  expect((await fuzz('--baseline', 'forgetful.yaml', ...history)).code).toBe(1);
  const old = await fuzz('--fail-on', 'new', '--report', 'junit=old.xml', ...history);
  expect(old.stdout).toContain('known: message.immutable: the corpus holds a case of it (--fail-on new)\n');
  expect(readFileSync(join(folder, 'old.xml'), 'utf8')).toMatch(/<testsuites [^>]*failures="0"/);
  expect(old.code).toBe(0);
});
