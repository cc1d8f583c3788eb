import type { ClauseSource } from '../clauses.ts';

/** A place of the contract that may state something: a list item, a block of prose or a table row. */
export interface Place {
  readonly heading: string;
  readonly kind: 'rule' | 'paragraph' | 'row';
  /** Number of the item or block from 1, or the first cell. */
  readonly at: number | string;
  /** First word of the block of prose before it: what tells the tables of one heading apart. */
  readonly label: string;
  readonly text: string;
}

/** Every place of the contract's text, in its order. Backticks are dropped from first cells. */
export function placesOf(contract: string): readonly Place[] {
  const places: Place[] = [];
  let heading = '';
  let paragraphs = 0;
  let label = '';
  for (const line of contract.split('\n').map((each) => each.trim())) {
    if (line === '') continue;
    if (isBelowTableHead(line)) {
      places.pop();
    } else if (line.startsWith('#')) {
      [heading, paragraphs, label] = [line.replace(/^#+ /, ''), 0, ''];
    } else if (line.startsWith('|')) {
      places.push({ heading, kind: 'row', at: firstCell(line), label, text: line });
    } else {
      const item = /^(\d+)\. /.exec(line);
      if (item === null) [paragraphs, label] = [paragraphs + 1, line.split(/\W/)[0] ?? ''];
      const at = item === null ? paragraphs : Number(item[1]);
      places.push({ heading, kind: item === null ? 'paragraph' : 'rule', at, label, text: line });
    }
  }
  return places;
}

/** Whether a clause says that it comes from a place. */
export function isAt(source: ClauseSource, place: Omit<Place, 'text'>): boolean {
  if (source.heading !== place.heading || source[place.kind] !== place.at) return false;
  return source.table === undefined || place.label === source.table;
}

/** False for the labels of what follows them, and for the words about the document and about what the service is for. */
export function statesSomething({ kind, heading, text }: Place): boolean {
  return kind !== 'paragraph' || (!text.endsWith(':') && !/^(?:the|What the) service\b/.test(heading));
}

function isBelowTableHead(line: string): boolean {
  return /^\|[-| ]+\|$/.test(line);
}

function firstCell(line: string): string {
  return (line.split('|')[1] ?? '').replaceAll('`', '').trim();
}
