import { inconclusive, type Judgement } from '../values/judgement.ts';

/** The text read back is the text that was sent, code unit by code unit. A text that is missing decides nothing. */
export function judgeUnaltered(sent: string, read: string | undefined): Judgement {
  if (read === undefined) return inconclusive;
  if (read === sent) return { judged: 1, problems: [] };
  return { judged: 1, problems: [differenceOf(sent, read)] };
}

/** UTF-16 units shown on either side of where two texts part. */
const shownAround = 12;

/** Where two texts that are not the same part: the first position, what stands there and around it, and both lengths. */
export function differenceOf(sent: string, read: string): Judgement['problems'][number] {
  const position = firstDifference(sent, read);
  return {
    expected: `${unitAt(sent, position)} at UTF-16 position ${position} of ${lengthOf(sent)}: ${around(sent, position)}`,
    actual: `${unitAt(read, position)} there, and ${lengthOf(read)}: ${around(read, position)}`,
  };
}

/** Where two texts part that are not the same: at the end of the shorter one at the latest. */
function firstDifference(sent: string, read: string): number {
  let position = 0;
  while (sent[position] === read[position]) position += 1;
  return position;
}

function unitAt(text: string, position: number): string {
  const unit = text.charCodeAt(position);
  return Number.isNaN(unit) ? 'the end' : `U+${unit.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** The text around a position, which is marked: `…ne ⟦é⟧toile…`. */
function around(text: string, position: number): string {
  const from = Math.max(0, position - shownAround);
  const to = position + 1 + shownAround;
  const [before, after] = [text.slice(from, position), text.slice(position + 1, to)];
  return `${from > 0 ? '…' : ''}${before}⟦${text.charAt(position)}⟧${after}${to < text.length ? '…' : ''}`;
}

function lengthOf(text: string): string {
  return `${text.length} units (${Buffer.byteLength(text)} bytes)`;
}
