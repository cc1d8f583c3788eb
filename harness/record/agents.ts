/** Names credentials: a history holds none, but has to tell whose requests are whose. */
export class Agents {
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>();

  /** One name for one value of `Authorization`: that of the first actor who used it, and a number where that is taken. */
  nameOf(authorization: string | undefined, actor: string): string {
    if (authorization === undefined) return 'anonymous';
    const known = this.#names.get(authorization);
    if (known !== undefined) return known;
    const name = this.#free(actor);
    this.#names.set(authorization, name);
    this.#taken.add(name);
    return name;
  }

  #free(actor: string): string {
    let name = actor;
    for (let number = 2; this.#taken.has(name); number += 1) name = `${actor} (${number})`;
    return name;
  }
}
