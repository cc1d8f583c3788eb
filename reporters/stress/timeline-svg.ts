import { operationsAround, spanOf } from '../../history/anomalies/around.ts';
import type { Anomaly } from '../../history/judges/judge.ts';
import type { History, Operation } from '../../history/operation.ts';
import { operationLine } from '../history/operation-line.ts';
import { letterOf } from './letter-of.ts';

const leastWidth = 1_100;
/** Of a character of the text. */
const characterWidth = 7.4;
const nameWidth = 170;
const rowHeight = 26;
const barHeight = 16;
/** Lines of text above the rows. */
const lineHeight = 18;

const colours = { accepted: '#4a7fb5', refused: '#c9838f', indeterminate: '#d9a441', change: '#8a8a8a' };

/**
 * A picture of what clients did around an anomaly: one row for each client, operations by time, those of the witness with
 * their letters and a border, restarts as bands. It needs no other file; whoever points at an operation reads what it was.
 */
export function timelineSvg(
  { operations }: Pick<History, 'operations'>,
  { expected, actual, witness }: Pick<Anomaly, 'expected' | 'actual' | 'witness'>,
  title: string,
): string {
  const shown = operationsAround(operations, witness);
  const [sinceMs] = spanOf(shown);
  const words = [
    title,
    ...witness.map((operation, index) => `${letterOf(index)} = ${operationLine(operation, sinceMs)}`),
    `expected ${expected}`,
    `got ${actual}`,
  ];
  return new Picture(shown, witness, words).svg();
}

class Picture {
  readonly #sinceMs: number;
  readonly #endMs: number;
  readonly #words: readonly string[];
  readonly #width: number;
  readonly #operations: readonly Operation[];
  readonly #witness: readonly Operation[];
  readonly #rows: ReadonlyMap<string, number>;

  constructor(operations: readonly Operation[], witness: readonly Operation[], words: readonly string[]) {
    this.#words = words;
    const longest = Math.max(...words.map((line) => line.length));
    this.#width = Math.max(leastWidth, Math.ceil(longest * characterWidth) + 20);
    this.#operations = operations;
    this.#witness = witness;
    [this.#sinceMs, this.#endMs] = spanOf(operations);
    const clients = operations.filter(({ kind }) => kind !== 'change').map(({ client }) => client);
    const names = [...new Set(clients)].toSorted((one, other) =>
      one.localeCompare(other, 'en', { numeric: true }),
    );
    this.#rows = new Map(names.map((name, index) => [name, index]));
  }

  svg(): string {
    const [words, width] = [this.#words, this.#width];
    const top = (words.length + 1) * lineHeight;
    const height = top + (this.#rows.size + 2) * rowHeight;
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="monospace" font-size="12">`,
      `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
      ...words.map((line, index) => `<text x="10" y="${(index + 1) * lineHeight}">${escaped(line)}</text>`),
      ...this.#operations
        .filter(({ kind }) => kind === 'change')
        .map((each) => this.#band(each, top, height)),
      ...[...this.#rows].map(([name, row]) => this.#row(name, top + row * rowHeight)),
      ...this.#operations.flatMap((each) => this.#bar(each, top)),
      this.#axis(top + this.#rows.size * rowHeight),
      '</svg>\n',
    ].join('\n');
  }

  #row(name: string, y: number): string {
    const line = y + rowHeight - 2;
    return `<text x="10" y="${y + 15}">${escaped(name)}</text><path d="M${nameWidth} ${line}H${this.#width - 10}" stroke="#e0e0e0"/>`;
  }

  #band(operation: Operation, top: number, height: number): string {
    const [x, span] = this.#placeOf(operation);
    return `<rect x="${x}" y="${top}" width="${span}" height="${height - top}" fill="#eeeeee"><title>${escaped(operationLine(operation, this.#sinceMs))}</title></rect>`;
  }

  #bar(operation: Operation, top: number): string[] {
    const row = this.#rows.get(operation.client);
    if (operation.kind === 'change' || row === undefined) return [];
    const [x, span] = this.#placeOf(operation);
    const y = top + row * rowHeight + 3;
    const letter = this.#witness.indexOf(operation);
    const look =
      letter < 0
        ? `fill="${colours[operation.outcome]}" fill-opacity="0.45"`
        : `fill="${colours[operation.outcome]}" stroke="#b00020" stroke-width="2"`;
    const title = `<title>${escaped(`${operation.client}: ${operationLine(operation, this.#sinceMs)}`)}</title>`;
    const bar = `<rect x="${x}" y="${y}" width="${span}" height="${barHeight}" ${look}>${title}</rect>`;
    if (letter < 0) return [bar];
    return [bar, `<text x="${x}" y="${y - 2}" fill="#b00020" font-weight="bold">${letterOf(letter)}</text>`];
  }

  #axis(y: number): string {
    const spanMs = this.#endMs - this.#sinceMs;
    const marks = Array.from({ length: 6 }, (_, index) => index / 5);
    const texts = marks.map((share) => {
      const x = nameWidth + share * (this.#width - nameWidth - 60);
      return `<text x="${x.toFixed(1)}" y="${y + 18}" fill="#666666">${(share * spanMs).toFixed(1)} ms</text>`;
    });
    return texts.join('');
  }

  #placeOf({ startedMs, endedMs }: Operation): readonly [x: string, width: string] {
    const room = this.#width - nameWidth - 60;
    const scale = room / Math.max(this.#endMs - this.#sinceMs, 0.001);
    const x = nameWidth + (startedMs - this.#sinceMs) * scale;
    return [x.toFixed(1), Math.max((endedMs - startedMs) * scale, 2).toFixed(1)];
  }
}

/** Text that no reader of XML takes for anything else, or refuses. */
function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll(/[\p{Cc}\p{Surrogate}\uFFFE\uFFFF]/gu, '\uFFFD');
}
