/** Names the operations of a witness, in text and picture alike. */
export function letterOf(index: number): string {
  return String.fromCharCode(65 + (index % 26));
}
