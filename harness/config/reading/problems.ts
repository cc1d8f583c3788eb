import { InvalidTarget } from '../../errors.ts';

/** Where a field was given: a position in a file, or the name of a flag or a variable. Lines and columns count from 1. */
export interface Place {
  readonly name: string;
  readonly line?: number;
  readonly column?: number;
}

interface PlacedText {
  readonly place: Place;
  readonly text: string;
}

/** Further ones are not listed: the first explain them. */
const maxListed = 20;

/** What is wrong with a file that was given, gathered so that one run names everything. Texts never carry secrets. */
export class Problems {
  readonly #what: string;
  readonly #found = new Map<string, PlacedText>();

  /** `what` names the file's kind in messages. */
  constructor(what = 'target') {
    this.#what = what;
  }

  /** The first problem of a place stays: later ones follow from it. */
  add(place: Place, text: string): void {
    const key = printPlace(place);
    if (!this.#found.has(key)) this.#found.set(key, { place, text });
  }

  /** @throws InvalidTarget that lists every problem, in the order of the file */
  throwIfAny(): void {
    if (this.#found.size === 0) return;
    const lines = [...this.#found.values()]
      .sort(byPosition)
      .map(({ place, text }) => `${printPlace(place)}: ${text}`);
    const [first = ''] = lines;
    if (lines.length === 1) throw new InvalidTarget(first);
    const count = lines.length > maxListed ? `more than ${maxListed}` : String(lines.length);
    const listed = lines.slice(0, maxListed).map((line) => `  ${line}`);
    throw new InvalidTarget([`${count} problems in the ${this.#what}:`, ...listed].join('\n'));
  }
}

function printPlace({ name, line, column }: Place): string {
  return line === undefined ? name : `${name}:${line}:${column ?? 1}`;
}

function byPosition({ place: a }: PlacedText, { place: b }: PlacedText): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}
