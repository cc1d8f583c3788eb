/** The clauses of a page with the state in which each is shown. */
export function statesOn(page: string): ReadonlyMap<string, string> {
  const elements = page.matchAll(/class="clause item"\s+id="([^"]*)"\s+data-state="([^"]*)"/g);
  return new Map([...elements].map(([, id = '', state = '']) => [id, state]));
}
