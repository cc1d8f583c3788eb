// `npm run bench:reports [-- findings]`: how long each format of a report takes for a kept stream of 10,000 findings with their
// exchanges, and how much memory, in a process of its own; then how long a browser takes to open each page made of it. Ends with 1
// when one of them misses its goal.

import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EvidenceExchange, ResultEvent } from '../harness/results/generated/events.ts';
import { writeEvent } from '../harness/results/stream.ts';
import { formatNames } from '../reporters/formats/format.ts';
import { packageFile } from '../spec/package-file.ts';
import { Chromium, executable, whyNot } from '../test/reporters/page/chromium.ts';
import { medianOf, printLoad, tableOf } from './table.ts';

/** Has a process say what it held at most, in kB. */
const peak = 'data:text/javascript,process.on("exit",()=>console.error(process.resourceUsage().maxRSS))';
const reportGoalSeconds = 3;
const reportGoalMegabytes = 400;
const openGoalMs = 1000;
/** A page is opened so many times; the median counts. */
const opens = 5;
const checks = 400;
const longText = 'a text that a server sent '.repeat(80);

const printReport = tableOf([12, 9, 9, 10, 0]);
const findings = Number(process.argv[2] ?? 10_000);
const reportsFolder = mkdtempSync(join(tmpdir(), 'reports-'));
const stream = join(reportsFolder, 'results.ndjson');
writeStream();
printReport(['format', 'seconds', 'MB', 'report MB', '']);
for (const format of formatNames) {
  const file = join(reportsFolder, fileOf(format));
  const args = [packageFile('dist/cli/main.js'), 'report', stream, '--format', format, '--out', file];
  const startedMs = performance.now();
  const { stderr } = spawnSync(process.execPath, ['--import', peak, ...args], { encoding: 'utf8' });
  const seconds = (performance.now() - startedMs) / 1000;
  const megabytes = Number(stderr) / 1024;
  const isKept = seconds < reportGoalSeconds && megabytes < reportGoalMegabytes;
  if (!isKept) process.exitCode = 1;
  printReport([
    format,
    seconds.toFixed(2),
    megabytes.toFixed(0),
    (statSync(file).size / 1e6).toFixed(1),
    isKept ? 'kept' : 'missed',
  ]);
}
await openPages();
rmSync(reportsFolder, { recursive: true });
printLoad();

/** A browser goes by the ending. */
function fileOf(format: string): string {
  return `report.${format}`;
}

/** The page of the run, of two of them side by side, and of a site of them. */
async function openPages(): Promise<void> {
  const [comparison, site] = [join(reportsFolder, 'comparison.html'), join(reportsFolder, 'site')];
  const compare = [packageFile('dist/cli/main.js'), 'compare', `one=${stream}`, `other=${stream}`];
  spawnSync(process.execPath, [...compare, '--format', 'html', '--out', comparison]);
  spawnSync(process.execPath, [...compare, '--site', site]);
  if (executable === undefined) return console.log(`pages in a browser${whyNot}`);
  const browser = new Chromium();
  printReport(['page', 'ms', '', '', '']);
  for (const [name, folder, path] of [
    ['run', reportsFolder, fileOf('html')],
    ['comparison', reportsFolder, 'comparison.html'],
    ['site', site, 'index.html'],
  ] as const) {
    const times: number[] = [];
    for (let open = 0; open < opens; open += 1) {
      const { page } = await browser.openIn(folder, path);
      times.push(
        (await page.evaluate('performance.getEntriesByType("navigation")[0].loadEventEnd')) as number,
      );
      await page.context().close();
    }
    const ms = medianOf(times);
    if (ms >= openGoalMs) process.exitCode = 1;
    printReport([name, ms.toFixed(0), '', '', ms < openGoalMs ? 'kept' : 'missed']);
  }
  await browser.close();
}

function writeStream(): void {
  const file = openSync(stream, 'w');
  for (const event of events()) writeSync(file, writeEvent(event));
  closeSync(file);
}

function* events(): Iterable<ResultEvent> {
  yield {
    type: 'header',
    format: 1,
    suiteVersion: '0.1.0',
    contractVersion: '0.1.0-preview',
    registerDigest: '0'.repeat(64),
    baseUrl: 'http://127.0.0.1:1',
    targetDigest: '0'.repeat(64),
    profile: { strict: false, readOnly: false, selection: [] },
    checks,
    startedAt: '2026-01-01T00:00:00.000Z',
  };
  for (let number = 0; number < checks; number += 1) {
    yield {
      type: 'check',
      check: checkOfNumber(number),
      title: 'a title of some length, as titles are',
      area: `area-${number % 10}`,
      verdict: 'failed',
      clauses: [{ clause: clauseOfNumber(number), level: 'must', verdict: 'failed', judged: 3 }],
      requests: 5,
      judged: 3,
      attempts: 2,
      durationMs: 40,
    };
  }
  for (let number = 0; number < findings; number += 1) {
    yield {
      type: 'finding',
      id: `F${number + 1}`,
      clause: clauseOfNumber(number),
      level: 'must',
      verdict: 'failed',
      text: 'What the clause says, in one sentence of some length.',
      source: 'Message, row author',
      check: checkOfNumber(number),
      expected: 'what should stand there',
      actual: `what stands there, ${number}`,
      seen: { times: 2, of: 2 },
      exchanges: [exchange(2 * number, 'POST'), exchange(2 * number + 1, 'GET')],
    };
  }
}

function exchange(id: number, method: string): EvidenceExchange {
  const excerpt = { text: longText, totalBytes: 2 * longText.length, isCut: true };
  return {
    id,
    actor: 'author',
    request: {
      method,
      path: '/v0/channels/1/messages',
      headers: { accept: 'application/json' },
      body: excerpt,
    },
    response: { status: 200, headers: { 'content-type': ['application/json'] }, body: excerpt },
    durationMs: 3,
    curl: `curl -sS 'http://127.0.0.1:1/v0/channels/1/messages' --data '${longText.slice(0, 300)}'`,
  };
}

function checkOfNumber(number: number): string {
  return `area-${number % 10}.check-${number % checks}`;
}

function clauseOfNumber(number: number): string {
  return `area-${number % 10}.clause-${number % checks}`;
}
