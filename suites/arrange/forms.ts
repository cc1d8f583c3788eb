import type { InputSpace } from '../../generators/space/input-space.ts';
import type { Labelled } from '../../generators/space/labelled.ts';
import type { Always } from '../../harness/check/context.ts';
import { chanceFaults, type Exchange } from '../../harness/client/exchange.ts';
import { isLongQuery } from '../../spec/oracles/requests/sent-body.ts';
import type { ClauseId } from '../../spec/index.ts';

/** Longer values are told by their name alone. */
const longestShown = 60;

/** The boundaries of a space that a server breaks one clause by taking. */
export function formsAgainst<Value>(
  { boundaries }: InputSpace<Value>,
  clause: ClauseId,
): readonly Labelled<Value>[] {
  return boundaries.filter(({ breach }) => breach?.clause === clause);
}

/** The boundaries of a space that a server may take as well as refuse. */
export function openBoundaries<Value>({ boundaries }: InputSpace<Value>): readonly Labelled<Value>[] {
  return boundaries.filter(({ expectation }) => expectation === 'open');
}

/** The boundaries of a space that a server has to take. */
export function acceptedBoundaries<Value>({ boundaries }: InputSpace<Value>): readonly Labelled<Value>[] {
  return boundaries.filter(({ expectation }) => expectation === 'accept');
}

/**
 * How the answer to each form is judged: by a clause, and what it is to be. What a parser before the service may stop as it likes may
 * have no answer at all; so may what is to show nothing, with whichever status it is refused.
 */
interface FormRule {
  readonly clause: ClauseId;
  readonly answer: 'refused' | 'refused-or-stopped' | 'nothing-shown' | readonly number[];
}

/** Sends each form by itself, many at a time, and holds every answer against the same clauses; the answers. */
export function tryForms<Value>(
  context: Pick<Always, 'expect'>,
  forms: readonly Labelled<Value>[],
  send: (value: Value) => Promise<Exchange>,
  rules: readonly FormRule[],
): Promise<readonly Exchange[]> {
  const named = forms.map((form) => ({ value: form.value, words: asked(form) }));
  return tryAll(context, named, send, rules);
}

/** The same for texts of a table, which say what they are. */
export function tryTexts<Text extends string>(
  context: Pick<Always, 'expect'>,
  texts: readonly Text[],
  send: (text: Text) => Promise<Exchange>,
  rules: readonly FormRule[],
): Promise<readonly Exchange[]> {
  const named = texts.map((value) => ({ value, words: `with ${shortened(value)}` }));
  return tryAll(context, named, send, rules);
}

async function tryAll<Value>(
  { expect }: Pick<Always, 'expect'>,
  forms: readonly { readonly value: Value; readonly words: string | undefined }[],
  send: (value: Value) => Promise<Exchange>,
  rules: readonly FormRule[],
): Promise<readonly Exchange[]> {
  const answers = await Promise.all(forms.map(({ value }) => send(value)));
  for (const { clause, answer } of rules) {
    for (const [index, exchange] of answers.entries()) {
      const mayStop = answer === 'refused-or-stopped' || answer === 'nothing-shown';
      if (mayStop ? isStopped(exchange) : isStoppedForLength(exchange)) continue;
      const expectation = expect(clause, exchange, forms[index]?.words);
      if (answer === 'nothing-shown') expectation.toShowNothing();
      else if (typeof answer === 'string') expectation.toBeRefused();
      else expectation.toHaveStatus(...answer);
    }
  }
  return answers;
}

/** True of a connection that was closed on a query that a parser before the service may have no room for. */
export function isStoppedForLength(exchange: Exchange): boolean {
  return isLongQuery(exchange.request.query) && isStopped(exchange);
}

/** True of a connection that was closed instead of an answer. */
export function isStopped({ fault }: Exchange): boolean {
  return fault !== undefined && chanceFaults.includes(fault.kind);
}

function shortened(text: string): string {
  return text.length <= longestShown
    ? text
    : `${text.slice(0, longestShown / 2)}… of ${text.length} characters`;
}

function asked<Value>({ label, value }: Labelled<Value>): string | undefined {
  const shown = typeof value === 'string' && value.length <= longestShown ? value : label;
  return shown === '' ? undefined : `with ${shown}`;
}
