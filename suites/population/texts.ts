import { firstsOfTexts, lastsOfTexts } from '../../generators/texts/whole-texts.ts';
import type { MessageCase } from '../../history/situations/dimensions.ts';
import { formOf } from '../../history/text-form.ts';
import { controls } from '../arrange/message/text-families.ts';

/** What stands before the marker, what follows it, what makes a text longer, and how it ends. */
interface TextForm {
  readonly head: string;
  readonly inside: string;
  /** Repeated up to a length. */
  readonly more: string;
  readonly tail: string;
}

const forms: Readonly<Record<MessageCase['text'], TextForm>> = {
  ascii: {
    head: '',
    inside: ' plain words',
    more: '\nof which there are more on a line of their own',
    tail: '.',
  },
  bmp: {
    head: '\u00e0 ',
    inside: ' d\u00e9j\u00e0 vu, \u03a9\u03bc\u03ad\u03b3\u03b1, \u6f22\u5b57, \u043c\u0438\u0440',
    more: ' \u6f22\u00df\u0416',
    tail: ' \u20ac',
  },
  astral: {
    head: '\u{1f600}',
    inside: '\u{1d4b3}\u{20000}\u{10ffff}',
    more: '\u{1f468}\u200d\u{1f469} ',
    tail: '\u{1f3f3}',
  },
  combining: {
    head: 'e\u0301 \u200f',
    inside:
      ' \u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627 Z\u0351\u036b \u212b \u1100\u1161\u11a8',
    more: ' q\u0307\u0323 \u202b\u05d0\u202c',
    tail: ' A\u030a',
  },
  controls: { head: '\u0001', inside: controls, more: ' \u0007\u001b[0m\u007f\u0085', tail: '\u001f' },
  json: {
    head: '{"content":"',
    inside: ' \\" \\u0000 \\ud800 </script>&amp; %00 ${x}',
    more: ',{"mentions":[null]}',
    tail: '"}]',
  },
  'white-space': {
    head: ' \t\n\u00a0',
    inside: '  a  b\r\nc\rd\u2028e',
    more: '\t \u3000\r\n',
    tail: ' \n\n',
  },
  'long-line': { head: '', inside: ' on and on without an end of line', more: ' and on', tail: '.' },
};

/** What stands first and last in a message, each with each other over a run. */
const firsts = ['', ...firstsOfTexts];
const lasts = ['', ...lastsOfTexts];

const bytesOf: Readonly<Record<Exclude<MessageCase['length'], '1 byte'>, number>> = {
  short: 0,
  '1 kB': 1_000,
  '16 kB': 16_400,
  '500 kB': 500_000,
};

/** Texts of one byte: they cannot hold a marker, so that each of a population has its own. No other check sends one of them alone. */
const oneByteTexts = '~^|`@#$%&*+=<>?!;:,_/'.split('');

/** Which message of a population a text is of: of all, and of those of one byte. */
export interface TextPlace {
  readonly index: number;
  readonly short: number;
}

/**
 * The text of a message of a population: with what stands first and last in turn, as far as its form stays what it is. What names nobody has
 * nothing in it that may address somebody.
 */
export function textOf(
  { text, length, target }: Pick<MessageCase, 'text' | 'length' | 'target'>,
  marker: string,
  { index, short }: TextPlace,
): string {
  if (length === '1 byte') return oneByteTexts[short % oneByteTexts.length] ?? '~';
  const [drawn, last] = [turn(firsts, index), turn(lasts, index)];
  const first = drawn === '@' && target === 'none' ? '' : drawn;
  const edges = [
    [first, last],
    [first, ''],
    ['', last],
  ] as const;
  const texts = edges.map(([before, after]) => filled(text, length, marker, before, after));
  const plain = filled(text, length, marker);
  const form = formOf(plain, Buffer.byteLength(plain));
  return texts.find((each) => formOf(each, Buffer.byteLength(each)) === form) ?? plain;
}

function filled(
  text: MessageCase['text'],
  length: Exclude<MessageCase['length'], '1 byte'>,
  marker: string,
  before = '',
  after = '',
): string {
  const { head, inside, more, tail } = forms[text];
  const begin = `${before}${head}${marker}${inside}`;
  const end = `${tail}${after}`;
  const missing = bytesOf[length] - Buffer.byteLength(begin) - Buffer.byteLength(end);
  if (missing <= 0) return `${begin}${end}`;
  const bytesOfMore = Buffer.byteLength(more);
  const pad = text === 'white-space' ? ' ' : 'x';
  return `${begin}${more.repeat(Math.floor(missing / bytesOfMore))}${pad.repeat(missing % bytesOfMore)}${end}`;
}

function turn(texts: readonly string[], index: number): string {
  return texts[index % texts.length] ?? '';
}
