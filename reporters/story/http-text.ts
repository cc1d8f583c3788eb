import { widthOf } from '../../harness/output/printable.ts';
import type { EvidenceExchange, Excerpt } from '../../harness/results/generated/events.ts';
import { countOf, formatCount } from '../quantities.ts';
import { type Marks, noMarks } from './deciding.ts';
import { layOutJson, readJson, type TextLine } from './json-layout.ts';

/** A request or an answer as lines of HTTP. */
export interface HttpText {
  /** The line of the request, or the status; absent where no answer came. */
  readonly start?: TextLine;
  readonly headers: readonly string[];
  /** What came in place of a complete answer. */
  readonly fault?: string;
  /** Empty where there is none. */
  readonly body: readonly TextLine[];
  /** Why the body is not whole here; absent where it is. */
  readonly lacking?: 'parts left out' | 'cut here';
  /** How much the whole body has. */
  readonly size: string;
}

/** Lines around one that is marked, and marked ones, that are shown wherever they stand. */
const linesAround = 1;
const mostMarked = 3;
/** Of lines that are shown so many are of the beginning, since a page object stands at the end. */
const shareOfFirst = 0.6;

/** What was sent, as lines of so many columns. */
export function sentText({ request }: EvidenceExchange, columns: number): HttpText {
  const { method, path, headers } = request;
  return {
    start: { text: `${method} ${path}`, isMarked: false },
    headers: Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...bodyText(request.body, columns, noMarks),
  };
}

/** What came back, with what decides marked. */
export function receivedText(
  { response, fault }: EvidenceExchange,
  columns: number,
  marks: Marks = noMarks,
): HttpText {
  const what = fault === undefined ? {} : { fault: `no complete answer: ${fault}` };
  if (response === undefined) return { ...what, headers: [], body: [], size: '' };
  return {
    ...what,
    start: { text: `HTTP ${response.status}`, isMarked: marks.isStatus },
    headers: Object.entries(response.headers).flatMap(([name, values]) =>
      values.map((value) => `${name}: ${value}`),
    ),
    ...bodyText(response.body, columns, marks),
  };
}

function bodyText(
  body: Excerpt | undefined,
  columns: number,
  marks: Marks,
): Pick<HttpText, 'body' | 'lacking' | 'size'> {
  if (body === undefined || body.totalBytes === 0) return { body: [], size: '' };
  const { text, path, isCut, isOutline, totalBytes } = body;
  const place = path === undefined ? [] : [{ text: `… ${path}:`, isMarked: false }];
  return {
    body: [...place, ...textLines(text, path, columns, marks)],
    ...(isCut ? { lacking: isOutline === true ? 'parts left out' : 'cut here' } : {}),
    size: `the whole body has ${countOf(totalBytes, 'byte')}`,
  };
}

/** At most so many lines of a body, those around what is marked among them, and what is said of the others. */
export function someLines<T extends { readonly isMarked: boolean }>(
  lines: readonly T[],
  { lacking, size }: Pick<HttpText, 'lacking' | 'size'>,
  most: number,
): readonly (T | string)[] {
  const note = lacking === undefined ? [] : [`… ${lacking}; ${size}`];
  if (lines.length + note.length <= most) return [...lines, ...note];
  const marked = lines.flatMap(({ isMarked }, index) => (isMarked ? [index] : [])).slice(0, mostMarked);
  const isNear = (index: number): boolean => marked.some((at) => Math.abs(at - index) <= linesAround);
  const room = Math.max(0, most - 1 - marked.length - lines.filter((_, index) => isNear(index)).length);
  const first = lacking === undefined ? Math.ceil(room * shareOfFirst) : room;
  const isShown = (index: number): boolean =>
    isNear(index) || index < first || index >= lines.length - (room - first);
  const shown: (T | string)[] = [];
  let left = 0;
  for (const [index, line] of lines.entries()) {
    if (!isShown(index)) left += 1;
    else {
      if (left > 0) shown.push(`… ${countOf(left, 'line')} left out; ${size}`);
      left = 0;
      shown.push(line);
    }
  }
  // The end that is cut off is more than the lines that there is no room for.
  return left > 0 && lacking === undefined
    ? [...shown, `… ${countOf(left, 'line')} left out; ${size}`]
    : [...shown, ...note];
}

/** A body's own lines; JSON that is too wide for one line, or has something marked, is broken between its tokens. */
function textLines(
  text: string,
  path: string | undefined,
  columns: number,
  marks: Marks,
): readonly TextLine[] {
  const isOneLine = !text.trim().includes('\n');
  const json = isOneLine ? readJson(text, path) : undefined;
  const marked = json === undefined ? new Set<never>() : marks.itemsIn(json);
  if (json !== undefined && (marked.size > 0 || widthOf(text) > columns))
    return layOutJson(json, columns, marked);
  return text.split('\n').map((line) => ({ text: line, isMarked: marks.isLine(line) }));
}

/** The line that sends a request again, where it has at most so many characters; or why there is none. */
export function curlText(
  { curl, whyNoCurl = '' }: Pick<EvidenceExchange, 'curl' | 'whyNoCurl'>,
  most: number,
): { readonly command: string } | { readonly note: string } {
  if (curl === undefined) return { note: `no curl line: ${whyNoCurl}` };
  if (curl.length <= most) return { command: curl };
  return { note: `a curl line of ${formatCount(curl.length)} characters is in the result stream` };
}
