import { widthOf } from '../harness/output/printable.ts';

/** Deeper nesting is left as it came. */
const maxLayoutDepth = 40;

interface Leaf {
  readonly text: string;
}

interface Group {
  readonly open: string;
  readonly items: LayoutItem[];
  /** Empty when the text ends before the group does. */
  readonly close: string;
}

interface LayoutItem {
  /** With its colon; empty in an array. */
  readonly key: string;
  readonly value: Leaf | Group;
  /** Empty after the last one; but a text may stop right behind a comma. */
  comma: string;
}

/**
 * Breaks a JSON text into lines that fit `columns` where they can: only the blanks between tokens change, every token
 * stays as the server wrote it, and the text may stop anywhere. `undefined` for what is no JSON object or array.
 */
export function layOutJson(text: string, columns: number): readonly string[] | undefined {
  const tokens = text.match(token) ?? [];
  if (!/^[[{]/.test(tokens[0] ?? '')) return undefined;
  const reader = new Reader(tokens);
  const root = reader.value(0);
  if (root === undefined || !reader.isAtEnd) return undefined;
  return layoutLines('', root, '', '', columns);
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
  value(depth: number): Leaf | Group | undefined {
    const text = this.#take();
    if (text === '{' || text === '[') return depth > maxLayoutDepth ? undefined : this.#group(text, depth);
    return /^[\]},:]$/.test(text) ? undefined : { text };
  }

  #group(open: '{' | '[', depth: number): Group | undefined {
    const group: Group = { open, items: [], close: '' };
    const close = open === '{' ? '}' : ']';
    while (!this.isAtEnd) {
      if (this.#skip(close)) return { ...group, close };
      const last = group.items.at(-1);
      if (last !== undefined) {
        if (!this.#skip(',')) return undefined;
        last.comma = ',';
        if (this.isAtEnd) break;
      }
      const item = this.#item(open, depth);
      if (item === undefined) return undefined;
      group.items.push(item);
    }
    return group;
  }

  #item(open: '{' | '[', depth: number): LayoutItem | undefined {
    if (open === '[') return itemOf('', this.value(depth + 1));
    const key = this.#take();
    if (!key.startsWith('"')) return undefined;
    if (this.isAtEnd) return { key: '', value: { text: key }, comma: '' };
    if (!this.#skip(':')) return undefined;
    return itemOf(`${key}: `, this.isAtEnd ? { text: '' } : this.value(depth + 1));
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

function itemOf(key: string, value: Leaf | Group | undefined): LayoutItem | undefined {
  return value === undefined ? undefined : { key, value, comma: '' };
}

/** A node on one line where it fits; else its brackets around its items, as many of them on a line as fit. */
function layoutLines(
  key: string,
  node: Leaf | Group,
  comma: string,
  margin: string,
  columns: number,
): string[] {
  const flat = `${margin}${key}${flatten(node)}${comma}`;
  if (!('items' in node) || node.items.length === 0 || widthOf(flat) <= columns) return [flat];
  const end = node.close === '' ? [] : [`${margin}${node.close}${comma}`];
  return [`${margin}${key}${node.open}`, ...itemLines(node, `${margin}  `, columns), ...end];
}

function itemLines({ items }: Group, margin: string, columns: number): string[] {
  const lines: string[] = [];
  let canGrow = false;
  for (const { key, value, comma } of items) {
    const flat = `${key}${flatten(value)}${comma}`;
    const grown = `${lines.at(-1)} ${flat}`;
    if (canGrow && widthOf(grown) <= columns) lines[lines.length - 1] = grown;
    else {
      const broken = layoutLines(key, value, comma, margin, columns);
      canGrow = broken.length === 1;
      lines.push(...broken);
    }
  }
  return lines;
}

function flatten(node: Leaf | Group): string {
  if (!('items' in node)) return node.text;
  const items = node.items.map(({ key, value, comma }) => `${key}${flatten(value)}${comma}`).join(' ');
  return `${node.open}${items}${node.close}`;
}
