import { spawnSync } from 'node:child_process';
import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { EvidenceExchange, ResultEvent } from '../../../harness/results/generated/events.ts';
import { writeEvent } from '../../../harness/results/stream.ts';
import { formatNames } from '../../../reporters/formats/format.ts';
import { packageFile } from '../../../spec/package-file.ts';
import { check, clause, finding, header, send } from '../../reporters/events.ts';
import { Chromium, executable, whyNot } from '../../reporters/page/chromium.ts';
import { medianOf, type Part, type Row } from '../row.ts';

const printPeak = new URL('../print-peak.js', import.meta.url).href;
const reportGoalSeconds = 3;
const reportGoalMegabytes = 400;
const openGoalMs = 1000;
/** A page is opened so many times; the median counts. */
const opens = 5;
const checks = 400;
const longText = 'a text that a server sent '.repeat(80);

const findings = 10_000;

/** The formats of a report, and its pages in a browser. */
export const reportFormats: Part = {
  name: 'reports',
  how: `Each format of a report for a kept stream of ${findings} findings with their exchanges, made by a process of its own; then how long a
browser takes to open each page made of it, the median of ${opens}.`,
  isQuick: true,
  measure: async (folder) => {
    const stream = join(folder, 'results.ndjson');
    writeStream(stream);
    return [
      ...formatNames.flatMap((format) => madeOf(stream, folder, format)),
      ...(await opened(stream, folder)),
    ];
  },
};

function madeOf(stream: string, folder: string, format: string): Row[] {
  const file = join(folder, fileOf(format));
  const args = [packageFile('dist/cli/main.js'), 'report', stream, '--format', format, '--out', file];
  const startedMs = performance.now();
  const { stderr } = spawnSync(process.execPath, ['--import', printPeak, ...args], { encoding: 'utf8' });
  const value = (performance.now() - startedMs) / 1000;
  const note = `${(statSync(file).size / 1e6).toFixed(1)} MB`;
  return [
    { what: `report as ${format}`, value, unit: 's', goal: { atMost: reportGoalSeconds }, note },
    {
      what: `report as ${format}, memory`,
      value: Number(stderr),
      unit: 'MB',
      goal: { atMost: reportGoalMegabytes },
    },
  ];
}

/** A browser goes by the ending. */
function fileOf(format: string): string {
  return `report.${format}`;
}

/** The page of the run, of two of them side by side, and of a site of them. */
async function opened(stream: string, folder: string): Promise<Row[]> {
  const [comparison, site] = [join(folder, 'comparison.html'), join(folder, 'site')];
  const compare = [packageFile('dist/cli/main.js'), 'compare', `one=${stream}`, `other=${stream}`];
  spawnSync(process.execPath, [...compare, '--format', 'html', '--out', comparison]);
  spawnSync(process.execPath, [...compare, '--site', site]);
  if (executable === undefined) {
    process.stderr.write(`pages in a browser${whyNot}\n`);
    return [];
  }
  const browser = new Chromium();
  const rows: Row[] = [];
  for (const [name, at, path] of [
    ['run', folder, fileOf('html')],
    ['comparison', folder, 'comparison.html'],
    ['site', site, 'index.html'],
  ] as const) {
    const times: number[] = [];
    while (times.length < opens) {
      const { page } = await browser.openIn(at, path);
      times.push(
        (await page.evaluate('performance.getEntriesByType("navigation")[0].loadEventEnd')) as number,
      );
      await page.context().close();
    }
    rows.push({
      what: `page of a ${name}`,
      value: medianOf(times),
      unit: 'ms',
      goal: { atMost: openGoalMs },
    });
  }
  await browser.close();
  return rows;
}

function writeStream(path: string): void {
  const file = openSync(path, 'w');
  for (const event of events()) writeSync(file, writeEvent(event));
  closeSync(file);
}

function* events(): Iterable<ResultEvent> {
  yield header({ checks });
  for (let number = 0; number < checks; number += 1)
    yield check(checkOfNumber(number), 'a title of some length, as titles are', [
      clause(clauseOfNumber(number), { verdict: 'failed' }),
    ]);
  for (let number = 0; number < findings; number += 1)
    yield finding({
      id: `F${number + 1}`,
      clause: clauseOfNumber(number),
      check: checkOfNumber(number),
      actual: `what stands there, ${number}`,
      exchanges: [exchange(2 * number, 'POST'), exchange(2 * number + 1, 'GET')],
    });
}

function exchange(id: number, method: string): EvidenceExchange {
  const excerpt = { text: longText, totalBytes: 2 * longText.length, isCut: true };
  return {
    ...send,
    id,
    request: { ...send.request, method, body: excerpt },
    response: { status: 200, headers: { 'content-type': ['application/json'] }, body: excerpt },
    curl: `curl -sS 'http://127.0.0.1:1/v0/channels/1/messages' --data '${longText.slice(0, 300)}'`,
  };
}

function checkOfNumber(number: number): string {
  return `area-${number % 10}.check-${number % checks}`;
}

function clauseOfNumber(number: number): string {
  return `area-${number % 10}.clause-${number % checks}`;
}
