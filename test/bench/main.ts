// `npm run bench [-- [--keep] PART…]`: how fast things are, as one table. Without a name all quick parts are measured one after the
// other, and docs/performance.md gets their figures; of parts that are named it gets them with `--keep`. Ends with 1 where a goal is missed.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableInMarkdown, today } from '../../selftest/run/proof.ts';
import { packageFile } from '../../spec/package-file.ts';
import { campaignRate } from './parts/campaign.ts';
import { degenerateRuns } from './parts/degenerate.ts';
import { judging } from './parts/judges.ts';
import { peers } from './parts/peers.ts';
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
  peers,
];
const head = ['what', 'measured', 'goal', '', ''];

const flags = process.argv.slice(2);
const asked = flags.filter((flag) => flag !== '--keep');
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
  measured.push([part, await measure(part)]);
}
const rows = measured.flatMap(([, each]) => each);
process.stdout.write(`${tableOf(rows)}\n${machine()}\n`);
const page = packageFile('docs/performance.md');
if (asked.length === 0 || flags.includes('--keep')) writeFileSync(page, pageOf(readFileSync(page, 'utf8')));
process.exit(rows.some((row) => isKept(row) === false) ? 1 : 0);

async function measure(part: Part): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), `bench-${part.name}-`));
  try {
    return await part.measure(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

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

/** The page with the sections of what was measured now; of the others it keeps what it has. */
function pageOf(before: string): string {
  const now = new Map(
    measured.flatMap(([{ name, how }, each]) =>
      each.length === 0
        ? []
        : [[name, `${how}\n\n${tableInMarkdown(head, each.map(cellsOf))}\n\n${today()}; ${machine()}.\n`]],
    ),
  );
  const kept = new Map(
    before
      .split(/^## /m)
      .map((section) => [section.split('\n')[0], section.slice(section.indexOf('\n') + 2)]),
  );
  const sections = parts.flatMap(({ name }) => {
    const section = now.get(name) ?? kept.get(name)?.trimEnd().concat('\n');
    return section === undefined ? [] : [`## ${name}\n\n${section}`];
  });
  const slow = parts.filter(({ isQuick }) => !isQuick);
  return `# Performance

What \`npm run bench\` measured last, each part with its day. What is compared is measured in turn on one machine, so that
ratios say more than seconds do. \`npm run bench -- PART\` measures one part, and with \`--keep\` puts it here; what takes minutes,
${names(slow)}, only when it is named.

${sections.join('\n')}`;
}
