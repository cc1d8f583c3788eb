import { printable, widthOf } from '../../harness/output/printable.ts';
import { inline, table } from '../formats/markdown-text.ts';
import { html, ownText } from '../page/markup.ts';
import type { Markup } from '../page/markup.ts';
import type { Comparison } from './comparison.ts';
import type { ComparisonFormat } from './formats.ts';
import { comparisonInWords, sectionsOf } from './sections.ts';
import type { Section } from './sections.ts';

/** A comparison in a form; nothing in it that a terminal or a browser obeys. */
export function renderComparison(comparison: Comparison, format: ComparisonFormat): string {
  const sections = sectionsOf(comparison).map(shown);
  const summary = printable(comparisonInWords(comparison));
  if (format === 'text') return `${sections.map(textTable).join('\n\n')}\n\n${summary}\n`;
  if (format === 'markdown')
    return `# Comparison\n\n${inline(summary)}\n\n${sections.map(markdownTable).join('\n\n')}\n`;
  return page(summary, sections).text;
}

function shown({ title, head, rows }: Section): Section {
  return { title: printable(title), head, rows: rows.map((row) => row.map(printable)) };
}

/** A table that is wider is shown row by row: most terminals are no wider. */
const mostColumns = 100;

function textTable({ title, head, rows }: Section): string {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => widthOf(row[column] ?? ''))),
  );
  const wide = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0);
  const lines =
    wide > mostColumns
      ? rows.flatMap((row) => tallRow(head, row))
      : [head, ...rows].map((row) => aligned(row, widths));
  return [title.toUpperCase(), ...lines.map((line) => `  ${line.trimEnd()}`)].join('\n');
}

function aligned(row: readonly string[], widths: readonly number[]): string {
  return row.map((cell, column) => padded(cell, widths[column] ?? 0)).join('  ');
}

function tallRow(head: readonly string[], [subject = '', ...cells]: readonly string[]): readonly string[] {
  const width = Math.max(...head.slice(1).map(widthOf));
  return [subject, ...cells.map((cell, index) => `  ${padded(head[index + 1] ?? '', width)}  ${cell}`)];
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

function markdownTable({ title, head, rows }: Section): string {
  const cells = rows.map((row) => row.map(inline));
  return `## ${inline(title)}\n\n${table(head.map(inline), cells)}`;
}

const style = ownText(`<style>:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:70rem;margin:0 auto;padding:1rem}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%}
th,td{padding:.25rem .75rem .25rem 0;text-align:left;vertical-align:top;border-bottom:1px solid #8884}
td:first-child{font-family:ui-monospace,monospace;overflow-wrap:anywhere}</style>`);

function page(summary: string, sections: readonly Section[]): Markup {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
        <title>Comparison</title>
        ${style}
      </head>
      <body>
        <main>
          <h1>Comparison</h1>
          <p>${summary}</p>
          ${sections.map(sectionOf)}
        </main>
      </body>
    </html> `;
}

function sectionOf({ title, head, rows }: Section): Markup {
  return html`<h2>${title}</h2>
    <div class="wide" tabindex="0">
      <table>
        <thead>
          <tr>
            ${head.map((cell) => html`<th scope="col">${cell}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(rowOf)}
        </tbody>
      </table>
    </div> `;
}

function rowOf(row: readonly string[]): Markup {
  return html`<tr>
    ${row.map((cell) => html`<td>${cell}</td>`)}
  </tr> `;
}
