// `npm run bench [-- PART…]`: how fast things are, as one table. Without a name all quick parts are measured one after the
// other, and docs/performance.md gets the table. Ends with 1 where a goal is missed.

import { writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { packageFile } from '../spec/package-file.ts';
import { campaignRate } from './parts/campaign.ts';
import { degenerateRuns } from './parts/degenerate.ts';
import { judging } from './parts/judges.ts';
import { proxyCost } from './parts/proxy.ts';
import { replayOfARun } from './parts/replay.ts';
import { reportFormats } from './parts/reports.ts';
import { defaultRuns } from './parts/runs.ts';
import { startUp } from './parts/start.ts';
import { cellsOf, isKept, type Part, type Row } from './row.ts';

const parts: readonly Part[] = [
  startUp,
  defaultRuns,
  replayOfARun,
  campaignRate,
  judging,
  reportFormats,
  proxyCost,
  degenerateRuns,
];
const head = ['what', 'measured', 'goal', '', ''];

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !parts.some((part) => part.name === name));
if (unknown.length > 0) {
  process.stderr.write(`bench: no part is called ${unknown.join(', ')}; there are ${names(parts)}\n`);
  process.exit(2);
}
const chosen = parts.filter(({ name, isQuick }) => (asked.length === 0 ? isQuick : asked.includes(name)));
const loadBefore = loadavg()[0] ?? 0;
const measured: (readonly [Part, readonly Row[]])[] = [];
for (const part of chosen) {
  process.stderr.write(`${part.name} …\n`);
  // Side by side they would slow one another down.
  measured.push([part, await part.measure()]);
}
const rows = measured.flatMap(([, each]) => each);
process.stdout.write(`${tableOf(rows)}\n${machine()}\n`);
if (asked.length === 0) writeFileSync(packageFile('docs/performance.md'), pageOf());
process.exit(rows.some((row) => isKept(row) === false) ? 1 : 0);

function names(all: readonly Part[]): string {
  return all.map(({ name }) => name).join(', ');
}

/** Says how busy the machine was, without which no figure means much. */
function machine(): string {
  return `${availableParallelism()} processors, Node ${process.versions.node}; the load was ${loadBefore.toFixed(1)} when it began`;
}

function tableOf(all: readonly Row[]): string {
  const cells = [head, ...all.map(cellsOf)];
  const widths = head.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  const lines = cells.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '));
  return lines.map((line) => line.trimEnd()).join('\n');
}

function pageOf(): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const table = (all: readonly Row[]): string =>
    [row(head), row(head.map(() => '---')), ...all.map((each) => row(cellsOf(each)))].join('\n');
  const sections = measured.map(([{ name, how }, each]) => `## ${name}\n\n${how}\n\n${table(each)}\n`);
  const date = new Date().toISOString().slice(0, 10);
  const slow = parts.filter(({ isQuick }) => !isQuick);
  return `# Performance

The figures of the last \`npm run bench\`, of ${date}: ${machine()}.
What is compared is measured in turn on one machine, so that
ratios say more than seconds do. \`npm run bench -- PART\` measures one part; what takes minutes, ${names(slow)}, only when it
is named.

${sections.join('\n')}`;
}
