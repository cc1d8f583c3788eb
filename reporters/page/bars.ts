import { html, type Markup, tableParts } from './markup.ts';

/** A part of a bar: how much of the whole it takes, and how it looks. */
interface Segment {
  readonly share: number;
  readonly look: string;
}

const length = 1000;

/** A bar of segments one after the other. It repeats what stands beside it in words, so nobody has to hear of it. */
export function bar(segments: readonly Segment[]): Markup {
  let at = 0;
  const parts = segments.map(({ share, look }) => {
    const width = Math.max(0, Math.min(length - at, share * length));
    const part = html`<rect class="${look}" x="${at.toFixed(1)}" width="${width.toFixed(1)}" height="10" />`;
    at += width;
    return part;
  });
  return html`<svg class="bar" viewBox="0 0 ${length} 10" preserveAspectRatio="none" aria-hidden="true">
    ${parts}
  </svg>`;
}

/** A line of a plot: what it is about, its numbers in words, and its bar. */
interface PlotRow {
  readonly name: Markup;
  readonly words: string;
  readonly segments: readonly Segment[];
}

/** A plot as a table that everybody can read, with a bar in each row. */
export function plot(
  caption: string,
  heads: readonly [name: string, words: string],
  rows: readonly PlotRow[],
): Markup {
  const lines = rows.map(
    ({ name, words, segments }) =>
      html`<tr>
        <th scope="row">${name}</th>
        <td class="number">${words}</td>
        <td class="drawn">${bar(segments)}</td>
      </tr> `,
  );
  const [name, words] = heads;
  return html`<table class="plot">
    ${tableParts([name, [words, 'number'], ''], lines, caption)}
  </table> `;
}
