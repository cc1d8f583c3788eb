import { describe, expect, it } from 'vitest';
import { areaOf } from '../../harness/check/check.ts';
import { clauses } from '../../spec/index.ts';
import { allChecks } from '../../suites/index.ts';
import { textOf } from '../house.ts';

/** The comment above a `check(`: what each of its entries says, by the word before its colon. */
interface Block {
  /** The id as it is written, or those that the template makes, with `<part>` for what differs. */
  readonly ids: readonly string[];
  readonly entries: ReadonlyMap<string, string>;
}

const textOfClause = new Map<string, string>(clauses.map(({ id, text }) => [id, text]));
const files = [...new Set(allChecks.map(({ file }) => file ?? 'no file'))];
const checksIn = (path: string) => allChecks.filter(({ file }) => file === path);

describe.each(files)('%s', (path) => {
  it('is in the folder of the area of its checks', () => {
    const areas = new Set(checksIn(path).map(areaOf));
    expect([...areas].map((area) => `suites/${area}`)).toEqual([path.replace(/\/[^/]+\.ts$/, '')]);
  });

  it('has each id, or the template that makes it, above or in one call of check', () => {
    const blocks = blocksIn(textOf(path));
    for (const { id } of checksIn(path)) {
      const owners = ownersOf(id, blocks);
      expect({ id, owners: owners.length }).toEqual({ id, owners: 1 });
    }
  });

  it('says above each check what the first of its clauses says', () => {
    const blocks = blocksIn(textOf(path));
    for (const block of blocks) {
      const made = checksIn(path).filter(({ id }) => ownersOf(id, blocks).includes(block));
      expect(made.length, block.ids.join()).toBeGreaterThan(0);
      const said = [...block.entries].filter(([word]) => word.includes('.'));
      const firsts = [...new Set(made.map(({ clauses: [first = 'none'] }): string => first))];
      expect(said).toEqual(firsts.map((clause) => [clause, textOfClause.get(clause)]));
    }
  });
});

/** The blocks of which an id is: those that have it literally, or else those whose template makes it. */
function ownersOf(id: string, blocks: readonly Block[]): readonly Block[] {
  const literal = blocks.filter(({ ids }) => ids.includes(id));
  return literal.length > 0 ? literal : blocks.filter(({ ids }) => ids.some((each) => makes(each, id)));
}

function makes(template: string, id: string): boolean {
  return new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/<[\w-]+>/g, '.+')}$`).test(id);
}

function blocksIn(source: string): readonly Block[] {
  const calls = source.matchAll(/((?:^ *\/\/ .*\n)*)^.*\bcheck\(\s*(?:'([^']+)'|`[^`]+`),/gm);
  return [...calls].map(([, comment = '', id]) => {
    const entries = entriesOf(comment);
    return { ids: id === undefined ? (entries.get('ids')?.split(', ') ?? []) : [id], entries };
  });
}

/** An entry begins with its word and a colon, and goes on in lines that are indented. */
function entriesOf(comment: string): Map<string, string> {
  const text = comment.replaceAll(/\n *\/\/ {3}/g, ' ');
  return new Map(
    [...text.matchAll(/^ *\/\/ ([\w.-]+): (.*)$/gm)].map(([, word = '', said = '']) => [word, said]),
  );
}
