import { mayBeInteger } from '../../../spec/oracles/requests/integer-text.ts';

/** How one parameter stands in a query string. */
type Spelling =
  | { readonly form: 'omitted' }
  /** Written as integers are written everywhere: no sign but `-`, no leading zero. */
  | { readonly form: 'integer'; readonly value: bigint }
  /** Nothing that anyone takes for an integer. */
  | { readonly form: 'no-integer' }
  /** What one server takes for an integer and another does not, or for the parameter and another does not. */
  | { readonly form: 'odd' };

const odd: Spelling = Object.freeze({ form: 'odd' });

/**
 * Reads a parameter that should be an integer from the query as it stands in the request line, without `?`. What the
 * contract does not decide is `odd`: repeated, bracketed, empty, encoded, padded, signed, rounded, grouped, in other digits.
 */
export function spellingOf(parameter: string, query: string): Spelling {
  if (query === '') return { form: 'omitted' };
  if (!query.startsWith(`${parameter}=`) || /[&;]/.test(query)) return odd;
  const raw = query.slice(parameter.length + 1);
  if (/^(?:0|-?[1-9]\d*)$/.test(raw)) return { form: 'integer', value: BigInt(raw) };
  const text = decodedParameter(raw);
  return text === undefined || mayBeInteger(text) ? odd : { form: 'no-integer' };
}

/** Undefined where the escapes are wrong. */
function decodedParameter(raw: string): string | undefined {
  try {
    return decodeURIComponent(raw.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
