/** The runs of `length` words of a text, letter case and punctuation aside. */
export function runsOfWords(text: string, length: number): readonly string[] {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.slice(length - 1).map((_, index) => words.slice(index, index + length).join(' '));
}
