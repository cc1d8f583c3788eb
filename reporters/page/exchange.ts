import type { EvidenceExchange, Excerpt, FindingEvent } from '../../harness/results/generated/events.ts';
import { layOutJson } from '../json-layout.ts';
import { countOf, formatCount, formatDuration } from '../quantities.ts';
import { html, markupLines, type Markup } from './markup.ts';

/** Exchanges of a finding that are shown at its beginning and at its end; the failure is mostly in the last one. */
const firstShown = 2;
const lastShown = 4;

/** Columns that JSON is laid out for: wider than any phone, narrower than most screens. */
const jsonColumns = 96;

/** Nobody pastes a longer command. */
const longestCommand = 8_000;

/** The exchanges behind a finding, each to be opened; what is left out in between is said. */
export function exchanges({ exchanges: all, cause, id }: FindingEvent): Markup {
  const last = all.length - lastShown;
  const shown = all.map((each, index) => index < firstShown || index >= last || each.id === cause?.exchange);
  const left = shown.filter((isShown) => !isShown).length;
  const parts = all.filter((_, index) => shown[index] === true).map((each) => exchangeCard(each, id));
  const note =
    left === 0
      ? undefined
      : html`<p class="faint">${countOf(left, 'more exchange')} in the result stream</p> `;
  return html`${parts}${note}`;
}

function exchangeCard(
  { id, actor, request, response, fault, durationMs, ...line }: EvidenceExchange,
  finding: string,
): Markup {
  const outcome = response === undefined ? 'no answer' : `${response.status}`;
  const title = html`<code>${request.method} ${shortenedPath(request.path)}</code> <b>${outcome}</b>
    <span class="faint">exchange ${id}, as ${actor}, ${formatDuration(durationMs)}</span>`;
  const sent = [
    `${request.method} ${request.path}`,
    ...Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`),
    ...bodyLines(request.body),
  ];
  const received = [
    ...(response === undefined ? [] : [`HTTP ${response.status}`]),
    ...Object.entries(response?.headers ?? {}).flatMap(([name, values]) =>
      values.map((value) => `${name}: ${value}`),
    ),
    ...(fault === undefined ? [] : [`no complete answer: ${fault}`]),
    ...bodyLines(response?.body),
  ];
  return html`<details class="exchange">
    <summary>${title}</summary>
    <pre class="sent" aria-label="request">${markupLines(sent)}</pre>
    <pre class="received" aria-label="answer">${markupLines(received)}</pre>
    ${again(line, `the curl line of exchange ${id} of ${finding}`)}
  </details> `;
}

/** A command to paste, with a button that copies it. */
export function commandMarkup(text: string, what: string): Markup {
  return html`<div class="command">
    <code>${text}</code><button type="button" class="copy" aria-label="copy ${what}" hidden>copy</button>
  </div> `;
}

/** The line that sends a request again, or why there is none. */
function again({ curl, whyNoCurl }: Pick<EvidenceExchange, 'curl' | 'whyNoCurl'>, what: string): Markup {
  if (curl === undefined) return html`<p class="faint">no curl line: ${whyNoCurl ?? ''}</p>`;
  return curl.length > longestCommand ? longCommand(curl) : commandMarkup(curl, what);
}

function longCommand(curl: string): Markup {
  return html`<p class="faint">
    a curl line of ${formatCount(curl.length)} characters is in the result stream
  </p>`;
}

function shortenedPath(path: string): string {
  return path.length > 90 ? `${path.slice(0, 90)}…` : path;
}

function bodyLines(body: Excerpt | undefined): readonly string[] {
  if (body === undefined || body.totalBytes === 0) return [];
  const { text, path, isCut, isOutline, totalBytes } = body;
  const isOneLine = !text.trim().includes('\n');
  const lines = (isOneLine ? layOutJson(text, jsonColumns) : undefined) ?? text.split('\n');
  return [
    '',
    ...(path === undefined ? [] : [`… ${path}:`]),
    ...lines,
    ...(isCut
      ? [`… ${isOutline ? 'parts left out' : 'cut here'}; the whole body has ${countOf(totalBytes, 'byte')}`]
      : []),
  ];
}
