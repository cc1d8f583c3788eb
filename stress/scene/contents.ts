import type { ContentKind, Text } from '../plan/plan.ts';

/** What fills a content of each kind, over and over. */
const fillers: Readonly<Record<ContentKind, string>> = {
  plain: ' what concurrent clients say',
  wide: ' größer 漢字 😀 ’s',
  escaped: ' "quoted" \\ \t</b>\u0001\n',
};

/** A content of a kind that begins with its marker and has as many bytes as asked for, if the marker leaves room. */
export function contentOf(marker: string, { kind, bytes }: Text): string {
  const filler = fillers[kind];
  const room = bytes - Buffer.byteLength(marker);
  if (room <= 0) return marker + filler;
  const each = Buffer.byteLength(filler);
  const whole = filler.repeat(Math.floor(room / each));
  return marker + whole + '.'.repeat(room - Math.floor(room / each) * each);
}
