import { parseSync } from 'vite';

/** A comment or the text of a string, as it is written and without its quotes. */
interface SourceText {
  readonly text: string;
  readonly line: number;
  readonly isComment: boolean;
}

/** Comments and strings of a TypeScript source; the texts of template literals are strings, the paths of imports are not. */
export function textsOf(file: string, source: string): readonly SourceText[] {
  const { program, comments, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const lineOf = (at: number): number => source.slice(0, at).split('\n').length;
  const found = [
    ...comments.map(({ value, start }) => ({ start, text: value, isComment: true })),
    ...stringsIn(program).map(([start, text]) => ({ start, text, isComment: false })),
  ];
  return found
    .toSorted((one, other) => one.start - other.start)
    .map(({ start, text, isComment }) => ({ text, line: lineOf(start), isComment }));
}

type Found = readonly [start: number, text: string];

function stringsIn(node: unknown): readonly Found[] {
  if (Array.isArray(node)) return node.flatMap(stringsIn);
  if (typeof node !== 'object' || node === null) return [];
  const { type, start = 0, value } = node as { type?: string; start?: number; value?: unknown };
  if (type === 'Literal') return typeof value === 'string' ? [[start, value]] : [];
  if (type === 'TemplateElement') return [[start, (value as { raw: string }).raw]];
  return Object.entries(node).flatMap(([key, inner]) => (key === 'source' ? [] : stringsIn(inner)));
}
