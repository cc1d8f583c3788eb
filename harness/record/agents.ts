/** Names credentials: a history holds none, but has to tell whose requests are whose. */
export class Agents {
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>();
  /** The number that the last further name of an actor had: a campaign makes up credentials by the thousand. */
  readonly #numbers = new Map<string, number>();

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
    let number = this.#numbers.get(actor) ?? 1;
    while (this.#taken.has(name)) name = `${actor} (${(number += 1)})`;
    this.#numbers.set(actor, number);
    return name;
  }
}
