import type { EvidenceExchange, Excerpt } from '../../harness/results/generated/events.ts';
import { layOutJson } from '../json-layout.ts';
import { countOf, formatCount, formatDuration } from '../quantities.ts';
import { widthOf } from '../../harness/output/printable.ts';
import type { Shown } from '../../harness/output/printable.ts';
import { atMost, command, layOut, prose, row, span, paint, reportColumns } from './rows.ts';
import type { Line, Row } from './rows.ts';

const exchangeMargin = '    ';

/** Lines that an exchange takes at most, its commands apart: what is seen without scrolling. */
const maxLines = 30;
const maxPathLines = 3;
const maxHeaderLines = 6;
const maxRequestBodyLines = 6;
const minResponseBodyLines = 7;

/** A longer command line is of no use in a terminal; the result stream has it whole. */
const maxCurlCharacters = 4000;

/** An exchange as HTTP text, `>` what was sent and `<` what came back, and the command line that sends it again. */
export function exchangeLines(exchange: EvidenceExchange, columns: number): Line[] {
  const title = `exchange ${exchange.id}, ${exchange.actor}, ${formatDuration(exchange.durationMs)}`;
  const request = requestLines(exchange, columns);
  const response = responseLines(exchange, columns, maxLines - 1 - request.length);
  const text = [...layOut([row(exchangeMargin, span('faint', title))], columns), ...request, ...response];
  return [...text, ...layOut([curlRow(exchange)], columns)];
}

/** The line for a shell on its own, or why there is none. */
export function curlRow({ curl, whyNoCurl = '' }: Pick<EvidenceExchange, 'curl' | 'whyNoCurl'>): Row {
  if (curl === undefined) return prose(exchangeMargin, span('faint', `no curl line: ${whyNoCurl}`));
  if (curl.length <= maxCurlCharacters) return command(exchangeMargin, curl);
  const length = formatCount(curl.length);
  return prose(exchangeMargin, span('faint', `a curl line of ${length} characters is in the result stream`));
}

function requestLines({ request }: EvidenceExchange, columns: number): Line[] {
  const start = gutter('>', span('strong', `${request.method} ${request.path}`));
  const headers = Object.entries(request.headers).map(([name, value]) => gutter('>', `${name}: ${value}`));
  return [
    ...atMost(maxPathLines, layOut([start], columns), `${exchangeMargin}  `),
    ...atMost(maxHeaderLines, layOut(headers, columns), `${exchangeMargin}  `),
    ...bodyLines('>', request.body, columns, maxRequestBodyLines),
  ];
}

function responseLines({ response, fault }: EvidenceExchange, columns: number, room: number): Line[] {
  const faults = fault === undefined ? [] : [gutter('<', span('failed', `no complete answer: ${fault}`))];
  const faultLines = atMost(maxPathLines, layOut(faults, columns), `${exchangeMargin}  `);
  if (response === undefined) return [...faultLines];
  const headers = Object.entries(response.headers).flatMap(([name, values]) =>
    values.map((value) => gutter('<', `${name}: ${value}`)),
  );
  const statusLine = layOut([gutter('<', span('strong', `HTTP ${response.status}`))], columns);
  const body = bodyLines('<', response.body, columns, Math.max(minResponseBodyLines, room));
  // Headers have what a short body leaves.
  const roomForHeaders = Math.max(maxHeaderLines, room - statusLine.length - faultLines.length - body.length);
  const head = [
    ...statusLine,
    ...atMost(roomForHeaders, layOut(headers, columns), `${exchangeMargin}  `),
    ...faultLines,
  ];
  return [
    ...head,
    ...bodyLines('<', response.body, columns, Math.max(minResponseBodyLines, room - head.length)),
  ];
}

function bodyLines(mark: '>' | '<', body: Excerpt | undefined, columns: number, room: number): Line[] {
  if (body === undefined || body.totalBytes === 0) return [];
  const lines = layOut(
    textLines(body.text, columns).map((line) => gutter(mark, line)),
    columns,
  );
  const place = body.path === undefined ? [] : [gutter(mark, span('faint', `… ${body.path}:`))];
  return [
    ...layOut([gutter(mark), ...place], columns),
    ...boundedText(lines, body, mark, room - 1 - place.length, columns),
  ];
}

/** As many lines as there is room for; of a body that is whole the last ones too, since a page object stands there. */
function boundedText(
  lines: readonly Line[],
  body: Excerpt,
  mark: '>' | '<',
  room: number,
  columns: number,
): Line[] {
  if (!body.isCut && lines.length <= room) return [...lines];
  const first = body.isCut ? room - 1 : Math.ceil((room - 1) * 0.6);
  const last = body.isCut ? 0 : room - 1 - first;
  const ofCut = body.isOutline === true ? 'parts left out' : 'cut here';
  const note = body.isCut ? ofCut : `${countOf(lines.length - first - last, 'line')} left out`;
  const gap = span('faint', `… ${note}; the whole body has ${countOf(body.totalBytes, 'byte')}`);
  return [
    ...lines.slice(0, first),
    ...layOut([row(exchangeMargin, tone(mark, '  '), gap)], columns),
    ...lines.slice(lines.length - last),
  ];
}

/** A body's own lines; JSON that is too wide for one line is broken between its tokens. */
function textLines(text: string, columns: number): readonly string[] {
  const room = columns - exchangeMargin.length - 2;
  const isOneLine = !text.trim().includes('\n');
  if (isOneLine && widthOf(text) > room) return layOutJson(text, room) ?? [text];
  return text.split('\n');
}

/** The sign is on the first line of a text that may wrap at the edge: a line without it continues. */
function gutter(mark: '>' | '<', ...text: (string | ReturnType<typeof span>)[]): Row {
  return {
    lead: [exchangeMargin, tone(mark, `${mark} `)],
    follow: `${exchangeMargin}  `,
    text,
    fit: 'exact',
  };
}

function tone(mark: '>' | '<', text: string): ReturnType<typeof span> {
  return span(mark === '>' ? 'sent' : 'received', text);
}

interface TraceSettings {
  readonly columns: number | undefined;
  readonly hasColor: boolean;
  /** No more exchanges than these were kept. */
  readonly mostKept: number;
}

/** Every exchange of a check as HTTP text, in the order in which they ended. */
export function traceReport(
  check: string,
  exchanges: readonly EvidenceExchange[],
  { hasColor, mostKept, ...output }: TraceSettings,
): Shown {
  const columns = reportColumns(output.columns);
  const isFull = exchanges.length >= mostKept;
  const count = exchanges.length === 0 ? 'it sent nothing' : countOf(exchanges.length, 'exchange');
  const title = row(span('strong', 'TRACE'), `  ${check}: ${isFull ? 'the first ' : ''}${count}`);
  const shown = exchanges.flatMap((exchange) => [[], ...exchangeLines(exchange, columns)]);
  return paint([[], ...layOut([title], columns), ...shown], hasColor);
}
