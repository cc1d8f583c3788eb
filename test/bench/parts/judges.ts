import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MeasuredJudging } from '../judge-file.ts';
import type { Part, Row } from '../row.ts';

/** Of 10^6 operations on one core. */
const goalSeconds = 10;
const goalMegabytes = 2048;
/** Of 10 times the operations: n log n gives 12 at most, and a busy machine measures no closer. */
const mostGrowth = 20;
/** Of the fewer operations the median of so many rounds counts. */
const rounds = 3;
const sizes = [10_000, 100_000, 1_000_000];

/** How the time and the memory of the judges grow. */
export const judging: Part = {
  name: 'judges',
  how: `Synthetic histories, each read back from a file by a process of its own, as \`conform judge\` does: the time of its processor without the
reading, and the most memory that it held.`,
  isQuick: true,
  measure: (folder) => {
    const rows: Row[] = [];
    let before: number | undefined;
    for (const size of sizes) {
      const { seconds, megabytes, items } = judge(size, join(folder, `${size}.ndjson`));
      const what = `judging ${size.toLocaleString('en')} operations`;
      rows.push(
        { what, value: seconds, unit: 's', goal: { atMost: goalSeconds }, note: `${items} items of pages` },
        { what: `${what}, memory`, value: megabytes, unit: 'MB', goal: { atMost: goalMegabytes } },
      );
      if (before !== undefined)
        rows.push({
          what: `${what}, of a tenth`,
          value: seconds / before,
          unit: '×',
          goal: { atMost: mostGrowth },
        });
      before = seconds;
    }
    return Promise.resolve(rows);
  },
};

function judge(size: number, file: string): MeasuredJudging {
  inProcess('write', file, String(size));
  const all = Array.from(
    { length: size > 500_000 ? 1 : rounds },
    () => JSON.parse(inProcess('judge', file)) as MeasuredJudging,
  ).toSorted((one, other) => one.seconds - other.seconds);
  const median = all[all.length >> 1];
  if (median === undefined) throw new Error('nothing was measured');
  return median;
}

function inProcess(...args: readonly string[]): string {
  const file = fileURLToPath(new URL('../judge-file.js', import.meta.url));
  return execFileSync(process.execPath, [file, ...args], { encoding: 'utf8' });
}
