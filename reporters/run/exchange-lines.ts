import type { EvidenceExchange } from '../../harness/results/generated/events.ts';
import { type Marks, noMarks } from '../story/deciding.ts';
import { curlText, type HttpText, receivedText, sentText, someLines } from '../story/http-text.ts';
import type { TextLine } from '../story/json-layout.ts';
import type { Step } from '../story/story.ts';
import { countOf, formatDuration } from '../quantities.ts';
import { atMost, command, layOut, type Line, prose, row, type Row, span, type Span } from './rows.ts';

const exchangeMargin = '    ';
const gutterWidth = 2;

/** Lines that an exchange takes at most, its commands apart: what is seen without scrolling. */
const maxLines = 30;
const maxPathLines = 3;
const maxHeaderLines = 6;
/** Of a request; its body has what its path and its headers leave. */
const maxRequestLines = 15;
const minRequestBodyLines = 6;
const minResponseBodyLines = 7;

/** A longer command line is of no use in a terminal; the result stream has it whole. */
const maxCurlCharacters = 4000;

/** What points at that which decides a finding. */
const decidesText = '  ← decides';

/** A request of a finding with its number: as HTTP text, what decides marked, and the command line that sends it again. */
export function stepLines({ number, exchange, isDeciding, marks }: Step, columns: number): Line[] {
  const { actor, durationMs, id } = exchange;
  const about = `  ${actor}, ${formatDuration(durationMs)}, exchange ${id}`;
  const title = [span('strong', `${number}`), span('faint', about)];
  return exchangeLines(exchange, columns, {
    title: isDeciding ? [...title, span('failed', decidesText)] : title,
    marks,
  });
}

/** An exchange as HTTP text, `>` what was sent and `<` what came back, and the command line that sends it again. */
export function exchangeLines(
  exchange: EvidenceExchange,
  columns: number,
  {
    title = [
      span('faint', `exchange ${exchange.id}, ${exchange.actor}, ${formatDuration(exchange.durationMs)}`),
    ],
    marks = noMarks,
  }: { readonly title?: readonly Span[]; readonly marks?: Marks } = {},
): Line[] {
  const room = columns - exchangeMargin.length - gutterWidth;
  const request = requestLines(sentText(exchange, room), columns);
  const response = responseLines(receivedText(exchange, room, marks), columns, maxLines - 1 - request.length);
  const text = [...layOut([row(exchangeMargin, ...title)], columns), ...request, ...response];
  return [...text, ...layOut([curlRow(exchange)], columns)];
}

/** The line for a shell on its own, or why there is none. */
export function curlRow(exchange: Pick<EvidenceExchange, 'curl' | 'whyNoCurl'>): Row {
  const text = curlText(exchange, maxCurlCharacters);
  return 'command' in text
    ? command(exchangeMargin, text.command)
    : prose(exchangeMargin, span('faint', text.note));
}

function requestLines({ start, headers, ...text }: HttpText, columns: number): Line[] {
  const head = [
    ...startLines('>', start, columns),
    ...atMost(maxHeaderLines, plainLines('>', headers, columns), `${exchangeMargin}  `),
  ];
  const room = Math.max(minRequestBodyLines, maxRequestLines - head.length);
  return [...head, ...bodyLines('>', text, columns, room)];
}

function responseLines({ start, headers, fault, ...text }: HttpText, columns: number, room: number): Line[] {
  const faults = fault === undefined ? [] : [gutter('<', span('failed', fault))];
  const faultLines = atMost(maxPathLines, layOut(faults, columns), `${exchangeMargin}  `);
  const statusLine = startLines('<', start, columns);
  const body = bodyLines('<', text, columns, Math.max(minResponseBodyLines, room));
  // Headers have what a short body leaves.
  const roomForHeaders = Math.max(maxHeaderLines, room - statusLine.length - faultLines.length - body.length);
  const head = [
    ...statusLine,
    ...atMost(roomForHeaders, plainLines('<', headers, columns), `${exchangeMargin}  `),
    ...faultLines,
  ];
  return [...head, ...bodyLines('<', text, columns, Math.max(minResponseBodyLines, room - head.length))];
}

function startLines(mark: '>' | '<', start: TextLine | undefined, columns: number): readonly Line[] {
  if (start === undefined) return [];
  const shown = start.isMarked ? markedSpan(start) : span('strong', start.text);
  return atMost(maxPathLines, layOut([gutter(mark, shown)], columns), `${exchangeMargin}  `);
}

function plainLines(mark: '>' | '<', texts: readonly string[], columns: number): Line[] {
  return layOut(
    texts.map((text) => gutter(mark, text)),
    columns,
  );
}

function bodyLines(
  mark: '>' | '<',
  { body, ...about }: Pick<HttpText, 'body' | 'lacking' | 'size'>,
  columns: number,
  room: number,
): Line[] {
  if (body.length === 0) return [];
  const lines = body.flatMap((line) => {
    const shown = gutter(mark, line.isMarked ? markedSpan(line) : line.text);
    return layOut([shown], columns).map((own) => ({ own, isMarked: line.isMarked }));
  });
  const shown = someLines(lines, about, room - 1).flatMap((line) =>
    typeof line === 'string'
      ? layOut([row(exchangeMargin, tone(mark, '  '), span('faint', line))], columns)
      : [line.own],
  );
  return [...layOut([gutter(mark)], columns), ...shown];
}

function markedSpan({ text }: TextLine): Span {
  return span('failed', `${text}${decidesText}`);
}

/** The sign is on the first line of a text that may wrap at the edge: a line without it continues. */
function gutter(mark: '>' | '<', ...text: readonly Span[]): Row {
  return {
    lead: [exchangeMargin, tone(mark, `${mark} `)],
    follow: `${exchangeMargin}  `,
    text,
    fit: 'exact',
  };
}

function tone(mark: '>' | '<', text: string): Span {
  return span(mark === '>' ? 'sent' : 'received', text);
}

/** The exchanges of a check that are shown whatever it came to. */
export interface Trace {
  readonly check: string;
  readonly exchanges: readonly EvidenceExchange[];
  /** No more exchanges than these were kept. */
  readonly mostKept: number;
}

/** Every exchange of a check as HTTP text, in the order in which they ended. */
export function traceLines({ check, exchanges, mostKept }: Trace, columns: number): Line[] {
  const isFull = exchanges.length >= mostKept;
  const count = exchanges.length === 0 ? 'it sent nothing' : countOf(exchanges.length, 'exchange');
  const title = row(span('strong', 'TRACE'), `  ${check}: ${isFull ? 'the first ' : ''}${count}`);
  const shown = exchanges.flatMap((exchange) => [[], ...exchangeLines(exchange, columns)]);
  return [...layOut([title], columns), ...shown];
}
