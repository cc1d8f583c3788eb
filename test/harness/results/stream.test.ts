import { Readable } from 'node:stream';
import { createInterface } from 'node:readline';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ResultEvent } from '../../../harness/results/generated/events.ts';
import { InvalidStream, readStream, writeEvent } from '../../../harness/results/stream.ts';
import * as events from '../../reporters/events.ts';

const [header, preflight, check, finding] = [
  events.header(),
  events.preflight(),
  events.brokenLimit,
  events.finding(),
];
/** Of one check that failed. */
const footer = events.footer({ checks: { passed: 0, failed: 1, warned: 0, inconclusive: 0 } });
const whole: readonly ResultEvent[] = [header, preflight, check, finding, footer];

function linesOf(events: readonly ResultEvent[]): string[] {
  return events.map(writeEvent);
}

async function faultOf(lines: Iterable<string>): Promise<InvalidStream> {
  try {
    await readStream(lines);
  } catch (error) {
    if (error instanceof InvalidStream) return error;
    throw error;
  }
  throw new Error('the stream was read without an error');
}

describe('writeEvent', () => {
  it('writes one line that ends with a newline', () => {
    for (const event of whole) expect(writeEvent(event)).toMatch(/^\{[^\n]*\}\n$/);
  });

  it('survives a reader of lines, whatever a server said', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'grapheme' }),
        async (actual, expected) => {
          const said = [header, check, { ...finding, actual: `\u2028\r${actual}`, expected }, footer];
          const lines = createInterface({ input: Readable.from([linesOf(said).join('')]) });
          expect((await readStream(lines)).events).toEqual(said);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('ends a line nowhere else, also by the Unicode separators', () => {
    const line = writeEvent({ ...finding, actual: 'a\u2028b\u2029c\u0085d\re' });
    expect(line.trimEnd().split(/[\n\r\u2028\u2029]/u)).toHaveLength(1);
  });

  it('keeps lone surrogates', async () => {
    const said = [header, check, { ...finding, actual: 'half \ud83d, other half \ude00' }, footer];
    expect((await readStream(linesOf(said))).events).toEqual(said);
  });
});

describe('readStream', () => {
  it('gives back what was written', async () => {
    const run = await readStream(linesOf(whole));
    expect(run).toEqual({ header, events: whole, footer, isWhole: true });
  });

  it('reads lines that arrive one by one and the split text of a file alike', async () => {
    const fromFile = await readStream(linesOf(whole).join('').split('\n'));
    const fromPipe = await readStream(Readable.from(linesOf(whole)) as AsyncIterable<string>);
    expect(fromPipe).toEqual(fromFile);
  });

  it('says that a stream without a footer is not whole', async () => {
    const run = await readStream(linesOf([header, check]));
    expect(run).toMatchObject({ isWhole: false, footer: undefined });
  });

  it.each(['interrupted', 'crashed'] as const)('says that a run which was %s is not whole', async (end) => {
    const run = await readStream(linesOf([header, check, { ...footer, end }]));
    expect(run.isWhole).toBe(false);
  });

  it('drops a last line that was cut off at any place, and says that the run is not whole', async () => {
    const last = writeEvent(finding).trimEnd();
    for (const end of [1, 2, last.length >> 1, last.length - 1]) {
      const run = await readStream([...linesOf([header, check]), last.slice(0, end)]);
      expect(run).toMatchObject({ isWhole: false, events: [header, check] });
    }
  });

  it.each<[string, string, number, string[]]>([
    ['nothing at all', 'STREAM_EMPTY', 1, []],
    ['empty lines', 'STREAM_EMPTY', 3, ['', '']],
    ['another text', 'STREAM_NOT_JSON', 1, ['<html>']],
    ['another text at the end', 'STREAM_NOT_JSON', 2, [writeEvent(header), 'Killed']],
    [
      'a torn line in the middle',
      'STREAM_NOT_JSON',
      2,
      [writeEvent(header), '{"type":"che', writeEvent(footer)],
    ],
    ['a torn line after the footer', 'STREAM_NOT_JSON', 4, [...linesOf([header, check, footer]), '{"type"']],
    ['a number', 'STREAM_UNKNOWN_TYPE', 1, ['7']],
    ['null', 'STREAM_UNKNOWN_TYPE', 1, ['null']],
    ['a type of its own', 'STREAM_UNKNOWN_TYPE', 2, [writeEvent(header), '{"type":"toString"}']],
    ['a later format', 'STREAM_UNKNOWN_FORMAT', 1, [JSON.stringify({ ...header, format: 2 })]],
    ['an event with a field too many', 'STREAM_INVALID_EVENT', 1, [JSON.stringify({ ...header, x: 1 })]],
    ['no header', 'STREAM_NO_HEADER', 1, linesOf([check, footer])],
    ['a header that comes late', 'STREAM_NO_HEADER', 1, linesOf([preflight, header, footer])],
    ['two headers', 'STREAM_SECOND_HEADER', 2, linesOf([header, header, footer])],
    ['a check after the footer', 'STREAM_AFTER_FOOTER', 4, linesOf([header, check, footer, events.ascend])],
    ['two footers', 'STREAM_AFTER_FOOTER', 4, linesOf([header, check, footer, footer])],
    ['two runs in one file', 'STREAM_AFTER_FOOTER', 6, linesOf([...whole, ...whole])],
    ['a finding id twice', 'STREAM_DUPLICATE_FINDING', 3, linesOf([header, finding, finding])],
    ['a check twice', 'STREAM_DUPLICATE_CHECK', 3, linesOf([header, check, check])],
    ['a check that got lost', 'STREAM_MISCOUNT', 2, linesOf([header, footer])],
  ])('refuses %s', async (_name, code, line, lines) => {
    const fault = await faultOf(lines);
    expect({ code: fault.code, line: fault.line }).toEqual({ code, line });
    expect(fault.message).toContain(`line ${line}: `);
  });

  it('counts empty lines when it names a line', async () => {
    const fault = await faultOf([writeEvent(header), '', '', '{"type":"chapter"}']);
    expect(fault.message).toMatch(/^line 4: type is "chapter", not header, preflight, /);
  });
});
