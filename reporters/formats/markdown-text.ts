import { printable } from '../../harness/output/printable.ts';

/** Text within a line of Markdown, none of it markup. */
export function inline(text: string): string {
  return markdownHtml(printable(text)).replaceAll(/[\\`*_[\]|~#]/g, String.raw`\$&`);
}

/** Text within HTML that Markdown has in it. */
export function markdownHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Text as code within a line. */
export function code(text: string): string {
  return `\`${printable(text).replaceAll(/[`|]/g, "'")}\``;
}

/** Lines as they are, in a fence that none of them ends. */
export function fenced(lines: readonly string[]): string {
  const longest = Math.max(
    2,
    ...lines.flatMap((line) => (line.match(/`+/g) ?? []).map(({ length }) => length)),
  );
  const fence = '`'.repeat(longest + 1);
  return [`${fence}text`, ...lines, fence].join('\n');
}

/** A table; the first column is on the left, others as `align` says. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  align: readonly ('left' | 'right')[] = [],
): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, column) => (align[column] === 'right' ? ' ---: |' : ' --- |'));
  return [line(head), `|${rule.join('')}`, ...rows.map(line)].join('\n');
}
