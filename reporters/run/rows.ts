import { styleText } from 'node:util';
import { columnsOf, printable, type Shown } from '../../harness/output/printable.ts';

type Format = Parameters<typeof styleText>[0];

const toneFormats = {
  strong: 'bold',
  faint: 'dim',
  passed: ['bold', 'green'],
  failed: ['bold', 'red'],
  warned: ['bold', 'yellow'],
  inconclusive: ['bold', 'cyan'],
  sent: 'magenta',
  received: 'blue',
} satisfies Readonly<Record<string, Format>>;

/** What a piece of text means; how that looks is decided here alone. */
export type Tone = 'plain' | keyof typeof toneFormats;

/** A piece of text in one tone; a plain string is plain. Whatever it holds, it is shown and never obeyed. */
export type Span = string | { readonly text: string; readonly tone: Tone };

/** One line of output, ready to be printed. */
export type Line = readonly Span[];

/** One line of thought that may take several lines of output. */
export interface Row {
  /** Stands before the text on its first line. */
  readonly lead: readonly Span[];
  /** Stands before the text on each further line. */
  readonly follow: string;
  readonly text: readonly Span[];
  /**
   * What happens to text that is too wide: `words` breaks it at blanks, `exact` breaks it at the edge and loses nothing,
   * `cut` ends it with `…`, `keep` leaves it as it is (commands: a broken one could not be pasted).
   */
  readonly fit: 'words' | 'exact' | 'cut' | 'keep';
}

export function span(tone: Tone, text: string): Span {
  return { text, tone };
}

/** A line as it stands, cut at the edge. */
export function row(...text: Span[]): Row {
  return { lead: [], follow: '', text, fit: 'cut' };
}

/** A section: its heading with what it is about, and below an empty line what it lists. One that lists nothing is left out. */
export function section(heading: Span, about: string, listed: readonly Row[]): Row[] {
  return listed.length === 0 ? [] : [row(heading, `  ${about}`), blank, ...listed];
}

/** One of what a section lists. */
export function entry(...text: Span[]): Row {
  return { lead: ['  '], follow: '    ', text, fit: 'words' };
}

/** Running text with a margin. */
export function prose(margin: string, ...text: Span[]): Row {
  return { lead: [margin], follow: margin, text, fit: 'words' };
}

/** A command to paste: whatever its length, it stays in one piece. */
export function command(margin: string, text: string): Row {
  return { lead: [margin, span('faint', '$ ')], follow: margin, text: [span('strong', text)], fit: 'keep' };
}

export const blank: Row = row();

/** Breaks or cuts rows so that each line fits into `columns`, but for those that are kept. */
export function layOut(rows: readonly Row[], columns: number): Line[] {
  return rows.flatMap((each) => layOutRow(each, columns));
}

/** The first lines, or all when there are no more than `max`; else the last of them says how many were left out. */
export function atMost(max: number, lines: readonly Line[], margin: string): readonly Line[] {
  if (lines.length <= max) return lines;
  const left = lines.length - max + 1;
  return [...lines.slice(0, max - 1), [margin, span('faint', `… ${left} more lines`)]];
}

/** The only way to the terminal: every piece is made printable, then coloured. Each line ends with a newline. */
export function paint(lines: readonly Line[], hasColor: boolean): Shown {
  return lines.map((line) => `${paintLine(line, hasColor)}\n`).join('') as Shown;
}

/** One line without a newline. */
export function paintLine(line: Line, hasColor: boolean): Shown {
  return withoutTrailingBlanks(line)
    .map((each) => {
      const { text, tone } = partsOf(each);
      const shown = printable(text);
      if (!hasColor || tone === 'plain' || shown === '') return shown;
      // The caller has decided about colour; the stream that styleText would ask is not ours.
      return styleText(toneFormats[tone], shown, { validateStream: false });
    })
    .join('') as Shown;
}

interface Cell {
  readonly character: string;
  readonly tone: Tone;
  readonly width: number;
}

function layOutRow({ lead, follow, text, fit }: Row, columns: number): Line[] {
  if (fit === 'keep') return [[...lead, ...text]];
  const cells = cellsOf(text);
  const roomAtFirst = Math.max(1, columns - widthOfCells(cellsOf(lead)));
  if (widthOfCells(cells) <= roomAtFirst) return [[...lead, ...text]];
  if (fit === 'cut') return [[...lead, ...spansOf(cells.slice(0, fitting(cells, 0, roomAtFirst - 1))), '…']];
  return broken(cells, fit, roomAtFirst, Math.max(1, columns - widthOfCells(cellsOf([follow])))).map(
    (part, index) => [...(index === 0 ? lead : [follow]), ...spansOf(part)],
  );
}

function broken(cells: readonly Cell[], fit: 'words' | 'exact', first: number, further: number): Cell[][] {
  const parts: Cell[][] = [];
  let start = 0;
  while (start < cells.length) {
    const edge = fitting(cells, start, parts.length === 0 ? first : further);
    const end = fit === 'words' && edge < cells.length ? breakBefore(cells, start, edge) : edge;
    parts.push(cells.slice(start, end));
    start = end;
    while (fit === 'words' && cells[start]?.character === ' ') start += 1;
  }
  return parts;
}

/** Index after the last cell from `start` on that fits into `room` columns; at least one does. */
function fitting(cells: readonly Cell[], start: number, room: number): number {
  let index = start;
  let used = 0;
  while (index < cells.length) {
    used += cells[index]?.width ?? 0;
    if (used > room) break;
    index += 1;
  }
  return Math.max(index, start + 1);
}

/** After the last blank up to the edge; or the edge, when the text has none there. */
function breakBefore(cells: readonly Cell[], start: number, edge: number): number {
  for (let index = edge; index > start; index -= 1) {
    if (cells[index]?.character === ' ') return index;
  }
  return edge;
}

function cellsOf(spans: readonly Span[]): Cell[] {
  return spans.flatMap((each) => {
    const { text, tone } = partsOf(each);
    return Array.from(printable(text), (character) => ({ character, tone, width: columnsOf(character) }));
  });
}

function spansOf(cells: readonly Cell[]): Span[] {
  const spans: { text: string; tone: Tone }[] = [];
  for (const { character, tone } of cells) {
    const last = spans.at(-1);
    if (last?.tone === tone) last.text += character;
    else spans.push({ text: character, tone });
  }
  return spans;
}

function widthOfCells(cells: readonly Cell[]): number {
  return cells.reduce((sum, { width }) => sum + width, 0);
}

function partsOf(each: Span): { readonly text: string; readonly tone: Tone } {
  return typeof each === 'string' ? { text: each, tone: 'plain' } : each;
}

function withoutTrailingBlanks(line: Line): Span[] {
  const spans = [...line];
  while (spans.length > 0) {
    const { text, tone } = partsOf(spans.pop() ?? '');
    const trimmed = text.replace(/ +$/, '');
    if (trimmed !== '') return [...spans, { text: trimmed, tone }];
  }
  return spans;
}

/** Columns of an output that does not say: the log of a CI job. */
export const usualColumns = 100;

/** Wider text is harder to read; in narrower windows the terminal breaks the lines itself, so that none is cut. */
const maxColumns = 120;
const minColumns = 60;

/** Columns that a report is laid out for. */
export function reportColumns(columns = usualColumns): number {
  return Math.min(maxColumns, Math.max(minColumns, columns));
}
