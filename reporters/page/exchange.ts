import type { EvidenceExchange } from '../../harness/results/generated/events.ts';
import { countOf, formatDuration } from '../quantities.ts';
import { curlText, type HttpText, receivedText, sentText } from '../story/http-text.ts';
import type { TextLine } from '../story/json-layout.ts';
import type { Step, Story } from '../story/story.ts';
import { html, type Markup, markupLines, nothing } from './markup.ts';

/** Columns that JSON is laid out for: wider than any phone, narrower than most screens. */
const jsonColumns = 96;

/** Nobody pastes a longer command. */
const longestCommand = 8_000;

/** The numbered requests of a story, each to be opened, and where the story is open that which decides open already. */
export function stepCards({ steps, finding }: Story, isOpen: boolean): Markup {
  if (steps.length === 0) return nothing;
  const cards = steps.map((each) =>
    typeof each === 'number'
      ? html`<li class="gap faint">${countOf(each, 'more request')} in the result stream</li> `
      : stepCard(each, finding.id, isOpen && each.isDeciding),
  );
  return html`<ol class="steps">
    ${cards}
  </ol> `;
}

function stepCard(
  { number, exchange, summary, isDeciding, marks }: Step,
  finding: string,
  isOpen: boolean,
): Markup {
  return html`<li value="${number}">
    <details class="exchange" ${isOpen ? html` open` : nothing}>
      <summary>
        <b class="number">${number}</b>
        <code>${summary}</code>${isDeciding ? html` <b class="decides">decides</b>` : nothing}
        <span class="faint">exchange ${exchange.id}, ${formatDuration(exchange.durationMs)}</span>
      </summary>
      <pre class="sent" aria-label="request">${textMarkup(sentText(exchange, jsonColumns))}</pre>
      <pre class="received" aria-label="answer">
${textMarkup(receivedText(exchange, jsonColumns, marks))}</pre>
      ${again(exchange, `the curl line of request ${number} of ${finding}`)}
    </details>
  </li> `;
}

function textMarkup({ start, headers, fault, body, lacking, size }: HttpText): Markup {
  const plain = (texts: readonly string[]): readonly TextLine[] =>
    texts.map((text) => ({ text, isMarked: false }));
  const lines = [
    ...(start === undefined ? [] : [start]),
    ...plain([...headers, ...(fault === undefined ? [] : [fault])]),
    ...(body.length === 0 ? [] : plain([''])),
    ...body,
    ...plain(lacking === undefined ? [] : [`… ${lacking}; ${size}`]),
  ];
  return markupLines(
    lines.map(({ text, isMarked }) => (isMarked ? html`<b class="decides">${text}</b>` : html`${text}`)),
  );
}

/** A command to paste, with a button that copies it. */
export function commandMarkup(text: string, what: string): Markup {
  return html`<div class="command">
    <code>${text}</code><button type="button" class="copy" aria-label="copy ${what}" hidden>copy</button>
  </div> `;
}

/** The line that sends a request again, or why there is none. */
function again(exchange: EvidenceExchange, what: string): Markup {
  const text = curlText(exchange, longestCommand);
  return 'command' in text ? commandMarkup(text.command, what) : html`<p class="faint">${text.note}</p>`;
}
