import { availableParallelism, loadavg } from 'node:os';

/** What prints the rows of a table, its columns padded to these widths. */
export function tableOf(widths: readonly number[]): (cells: readonly string[]) => void {
  return (cells) => {
    const padded = cells.map((cell, index) => cell.padEnd(widths[index] ?? 0));
    process.stdout.write(`${padded.join(' ').trimEnd()}\n`);
  };
}

/** Says how busy the machine is, without which no figure means much. */
export function printLoad(): void {
  process.stdout.write(`load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} processors\n`);
}

/** Of several measurements the one in the middle; 0 of none. */
export function medianOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
