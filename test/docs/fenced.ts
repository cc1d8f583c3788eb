import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pages, root } from './pages.ts';

/** A line of a shell block, as its reader types it. */
export interface FencedLine {
  readonly page: string;
  readonly line: string;
}

/** Every line of every shell block, in order; comments and what is the body of a script aside. */
export const fencedLines: readonly FencedLine[] = pages.flatMap((page) =>
  linesOf(page).map((line) => ({ page, line })),
);

function linesOf(page: string): readonly string[] {
  const text = readFileSync(join(root, page), 'utf8');
  const blocks = Array.from(
    text.matchAll(/^ *```(?:sh|bash|console)\n([^]*?)^ *```/gm),
    ([, body = '']) => body,
  );
  return blocks
    .flatMap((body) =>
      body.trimStart().startsWith('#!') ? [body.trim()] : body.replaceAll('\\\n', ' ').split('\n'),
    )
    .map((line) => line.trim())
    .filter((line) => line !== '' && (line.startsWith('#!') || !line.startsWith('#')));
}
