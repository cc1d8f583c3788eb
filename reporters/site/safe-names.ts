/** Names that some system keeps for devices, whatever follows a dot in them. */
const ofDevices = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

const longest = 60;

/** Names for files and elements, made of texts of somebody else's: each may stand in every file system, and is there once. */
export class SafeNames {
  readonly #taken: Set<string>;

  /** `taken` is what others have: no text gets it. */
  constructor(taken: readonly string[] = []) {
    this.#taken = new Set(taken);
  }

  /** A name of letters, digits, `.`, `_` and `-` that no text before got, whatever the case of its letters; `noun` where nothing is left. */
  of(text: string, noun: string): string {
    const kept = text
      .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
      .slice(0, longest)
      .replaceAll(/^[-.]+|[-.]+$/g, '');
    const own = kept === '' ? noun : ofDevices.test(kept) ? `${noun}-${kept}` : kept;
    let name = own;
    for (let count = 2; this.#taken.has(name.toLowerCase()); count += 1) name = `${own}-${count}`;
    this.#taken.add(name.toLowerCase());
    return name;
  }
}
