import type { InputSpace } from '../../generators/space/input-space.ts';
import type { Labelled } from '../../generators/space/labelled.ts';
import type { Always } from '../../harness/check/context.ts';
import type { Exchange } from '../../harness/client/exchange.ts';
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

/** Sends each form by itself, many at a time, and holds every answer against the same clauses; the answers. */
export async function tryForms<Value>(
  { expect }: Pick<Always, 'expect'>,
  forms: readonly Labelled<Value>[],
  send: (value: Value) => Promise<Exchange>,
  rules: readonly {
    readonly clause: ClauseId;
    readonly answer: 'refused' | readonly number[];
  }[],
): Promise<readonly Exchange[]> {
  const answers = await Promise.all(forms.map(({ value }) => send(value)));
  for (const { clause, answer } of rules) {
    for (const [index, exchange] of answers.entries()) {
      const expectation = expect(clause, exchange, asked(forms[index]));
      if (answer === 'refused') expectation.toBeRefused();
      else expectation.toHaveStatus(...answer);
    }
  }
  return answers;
}

function asked<Value>(form: Labelled<Value> | undefined): string | undefined {
  if (form === undefined) return undefined;
  const { label, value } = form;
  const shown = typeof value === 'string' && value.length <= longestShown ? value : label;
  return shown === '' ? undefined : `with ${shown}`;
}
