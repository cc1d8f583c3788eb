/** A shorter text takes less than it costs to find it again. */
const leastUnits = 8_000;
/** Units of texts that are kept at once. */
const mostUnits = 24_000_000;
/** Units at either end of a text that it is looked for by. */
const unitsOfKey = 64;

/** Long texts that were read, once each: a run reads the same contents on many pages. */
export class KnownTexts {
  readonly #byKey = new Map<string, string[]>();
  #keptUnits = 0;

  /**
   * Replaces, within a value that was just parsed, each long text by an equal one that is known.
   * @returns UTF-16 units of all texts in it that are not shared with another value
   */
  share(value: unknown): number {
    if (typeof value === 'string') return value.length;
    if (typeof value !== 'object' || value === null) return 0;
    let units = 0;
    const fields = value as Record<string, unknown>;
    for (const [key, inner] of Object.entries(fields)) {
      if (typeof inner !== 'string' || inner.length < leastUnits) {
        units += this.share(inner);
        continue;
      }
      const known = this.#known(inner);
      if (known === undefined) units += inner.length;
      else fields[key] = known;
    }
    return units;
  }

  /** Lets go of all. */
  clear(): void {
    this.#byKey.clear();
    this.#keptUnits = 0;
  }

  /** The text that is equal to this one; `undefined` where there was none, and this one is known from now on. */
  #known(text: string): string | undefined {
    const key = `${text.length} ${text.slice(0, unitsOfKey)} ${text.slice(-unitsOfKey)}`;
    const alike = this.#byKey.get(key) ?? [];
    const known = alike.find((each) => each === text);
    if (known !== undefined) return known;
    if (this.#keptUnits + text.length > mostUnits) this.clear();
    this.#keptUnits += text.length;
    this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), text]);
    return undefined;
  }
}
