import { widthOf } from '../../harness/output/printable.ts';

/** Deeper nesting is left as it came. */
const maxLayoutDepth = 40;

/** A line of a report. */
export interface TextLine {
  readonly text: string;
  /** True for what decides a finding. */
  readonly isMarked: boolean;
}

interface Leaf {
  readonly text: string;
}

/** An object or an array of a JSON text, every token as it was written. */
export interface JsonGroup {
  readonly open: string;
  readonly items: JsonItem[];
  /** Empty when the text ends before the group does. */
  readonly close: string;
}

/** What stands between two commas. */
export interface JsonItem {
  /** As `messages[3].author`. */
  readonly path: string;
  /** With its colon; empty in an array. */
  readonly key: string;
  readonly value: Leaf | JsonGroup;
  /** Empty after the last one; but a text may stop right behind a comma. */
  comma: string;
}

/** Reads a JSON text that may stop anywhere, at a place in a body; `undefined` for what is no object or array. */
export function readJson(text: string, path = ''): JsonGroup | undefined {
  const tokens = text.match(token) ?? [];
  if (!/^[[{]/.test(tokens[0] ?? '')) return undefined;
  const reader = new Reader(tokens);
  const root = reader.value(path, 0);
  return root !== undefined && reader.isAtEnd && 'items' in root ? root : undefined;
}

/** Every item of a JSON text, at any depth. */
export function itemsOfJson({ items }: JsonGroup): readonly JsonItem[] {
  return items.flatMap((item) => [item, ...('items' in item.value ? itemsOfJson(item.value) : [])]);
}

/**
 * Breaks a JSON text into lines that fit `columns` where they can: only the blanks between tokens change. What is marked stands in lines
 * of its own.
 */
export function layOutJson(
  root: JsonGroup,
  columns: number,
  marked: ReadonlySet<JsonItem> = new Set(),
): readonly TextLine[] {
  const isBroken = (node: Leaf | JsonGroup): boolean =>
    'items' in node && marked.size > 0 && itemsOfJson(node).some((item) => marked.has(item));
  const broken = new Set(itemsOfJson(root).filter(({ value }) => isBroken(value)));
  return new Layout(columns, marked, broken).lines('', root, '', '', isBroken(root));
}

/** A string, also one that was cut off; a bracket, comma or colon; or anything else up to the next of those. */
const token = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[[\]{},:]|[^\s[\]{},:"]+/gsu;

class Reader {
  readonly #tokens: readonly string[];
  #next = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  get isAtEnd(): boolean {
    return this.#next >= this.#tokens.length;
  }

  /** `undefined` when what follows is not JSON, or too deep. */
  value(path: string, depth: number): Leaf | JsonGroup | undefined {
    const text = this.#take();
    if (text === '{' || text === '[')
      return depth > maxLayoutDepth ? undefined : this.#group(text, path, depth);
    return /^[\]},:]$/.test(text) ? undefined : { text };
  }

  #group(open: '{' | '[', path: string, depth: number): JsonGroup | undefined {
    const group: JsonGroup = { open, items: [], close: '' };
    const close = open === '{' ? '}' : ']';
    while (!this.isAtEnd) {
      if (this.#skip(close)) return { ...group, close };
      const last = group.items.at(-1);
      if (last !== undefined) {
        if (!this.#skip(',')) return undefined;
        last.comma = ',';
        if (this.isAtEnd) break;
      }
      const item =
        open === '{' ? this.#member(path, depth) : this.#element(`${path}[${group.items.length}]`, depth);
      if (item === undefined) return undefined;
      group.items.push(item);
    }
    return group;
  }

  #member(path: string, depth: number): JsonItem | undefined {
    const key = this.#take();
    if (!key.startsWith('"')) return undefined;
    if (this.isAtEnd) return { path, key: '', value: { text: key }, comma: '' };
    if (!this.#skip(':')) return undefined;
    const own = pathOfKey(path, key);
    return itemOf(own, `${key}: `, this.isAtEnd ? { text: '' } : this.value(own, depth + 1));
  }

  #element(path: string, depth: number): JsonItem | undefined {
    return itemOf(path, '', this.value(path, depth + 1));
  }

  #take(): string {
    const taken = this.#tokens[this.#next] ?? '';
    this.#next += 1;
    return taken;
  }

  #skip(expected: string): boolean {
    if (this.#tokens[this.#next] !== expected) return false;
    this.#next += 1;
    return true;
  }
}

/** As findings name a place. */
function pathOfKey(path: string, key: string): string {
  const plain = /^"([\w-]+)"$/.exec(key)?.[1];
  if (plain === undefined) return `${path}[${key}]`;
  return path === '' ? plain : `${path}.${plain}`;
}

function itemOf(path: string, key: string, value: Leaf | JsonGroup | undefined): JsonItem | undefined {
  return value === undefined ? undefined : { path, key, value, comma: '' };
}

class Layout {
  readonly #columns: number;
  readonly #marked: ReadonlySet<JsonItem>;
  /** Those within which something is marked. */
  readonly #broken: ReadonlySet<JsonItem>;

  constructor(columns: number, marked: ReadonlySet<JsonItem>, broken: ReadonlySet<JsonItem>) {
    this.#columns = columns;
    this.#marked = marked;
    this.#broken = broken;
  }

  /** A node on one line where it fits; else its brackets around its items, as many of them on a line as fit. */
  lines(key: string, node: Leaf | JsonGroup, comma: string, margin: string, isBroken: boolean): TextLine[] {
    const flat = `${margin}${key}${flatten(node)}${comma}`;
    const isLeaf = !('items' in node) || node.items.length === 0;
    if (isLeaf || (!isBroken && widthOf(flat) <= this.#columns)) return [unmarked(flat)];
    const end = node.close === '' ? [] : [unmarked(`${margin}${node.close}${comma}`)];
    return [unmarked(`${margin}${key}${node.open}`), ...this.#itemLines(node, `${margin}  `), ...end];
  }

  #itemLines({ items }: JsonGroup, margin: string): TextLine[] {
    const lines: TextLine[] = [];
    let canGrow = false;
    for (const item of items) {
      const { key, value, comma } = item;
      const grown = `${lines.at(-1)?.text} ${key}${flatten(value)}${comma}`;
      const isApart = this.#marked.has(item) || this.#broken.has(item);
      if (canGrow && !isApart && widthOf(grown) <= this.#columns) lines[lines.length - 1] = unmarked(grown);
      else {
        const own = this.lines(key, value, comma, margin, this.#broken.has(item));
        canGrow = own.length === 1 && !isApart;
        lines.push(...(this.#marked.has(item) ? own.map(({ text }) => ({ text, isMarked: true })) : own));
      }
    }
    return lines;
  }
}

function unmarked(text: string): TextLine {
  return { text, isMarked: false };
}

function flatten(node: Leaf | JsonGroup): string {
  if (!('items' in node)) return node.text;
  const items = node.items.map(({ key, value, comma }) => `${key}${flatten(value)}${comma}`).join(' ');
  return `${node.open}${items}${node.close}`;
}
