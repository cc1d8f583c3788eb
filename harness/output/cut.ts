/**
 * The beginning of a text of somebody else's, with `…` where it was cut: by that a secret of which only the beginning is left is
 * known when the text is cleaned. Whoever has the secrets at hand cleans first.
 */
export function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
