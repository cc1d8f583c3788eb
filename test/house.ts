import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { packageFile } from '../spec/index.ts';

const root = dirname(packageFile('package.json'));

/** The top folders that hold code of the product, in the order in which they build on each other. */
export const topFolders = [
  'spec',
  'generators',
  'history',
  'reference',
  'harness',
  'embedded',
  'suites',
  'fuzz',
  'reporters',
  'scenarios',
  'cli',
  'adapters',
  'selftest',
] as const;

/** One file that imports another; both as paths from the root of the repository. */
interface Import {
  readonly from: string;
  readonly to: string;
}

/** All source files of the product. */
export function sourceFiles(): readonly string[] {
  return topFolders.flatMap(filesIn);
}

/** All TypeScript below a top folder. */
export function filesIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file));
}

/** The text of a file of the repository. */
export function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** Each import of one of our files by another, types among them. */
export function allImports(): readonly Import[] {
  return sourceFiles().flatMap((from) => {
    const paths = [...textOf(from).matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)];
    return paths.map(([, path = '']) => ({ from, to: normalize(join(dirname(from), path)) }));
  });
}

/** The folder of a file, cut to `depth` names. */
export function folderAt(file: string, depth: number): string {
  return dirname(file).split('/').slice(0, depth).join('/');
}

/** Which folder imports which others, where a folder deeper than `depth` counts as its ancestor of that depth. */
export function folderGraph(
  imports: readonly Import[],
  depth: number,
): ReadonlyMap<string, ReadonlySet<string>> {
  const graph = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [one, other] = [folderAt(from, depth), folderAt(to, depth)];
    const others = graph.get(one) ?? new Set();
    graph.set(one, others);
    if (one !== other) others.add(other);
    if (!graph.has(other)) graph.set(other, new Set());
  }
  return graph;
}

/** Folders that import each other, directly or through others; each circle once, sorted. */
export function circlesIn(graph: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const reach = (start: string): Set<string> => {
    const seen = new Set<string>();
    const open = [...(graph.get(start) ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(...(graph.get(next) ?? []));
    }
    return seen;
  };
  const reached = new Map([...graph.keys()].map((folder) => [folder, reach(folder)]));
  const circles = [...graph.keys()]
    .filter((folder) => reached.get(folder)?.has(folder))
    .map((folder) =>
      [...(reached.get(folder) ?? [])]
        .filter((other) => reached.get(other)?.has(folder))
        .toSorted()
        .join(' ⇄ '),
    );
  return [...new Set(circles)];
}

/** The picture of the house in docs/architecture.md: a line for each folder and room with what it imports, the lowest first. */
export function picture(): string {
  const imports = allImports();
  const rooms = folderGraph(
    imports.filter(({ from, to }) => folderAt(from, 1) === 'harness' && folderAt(to, 1) === 'harness'),
    2,
  );
  const lines = linesOf(folderGraph(imports, 1), [...topFolders]);
  const inner = linesOf(rooms, lowestFirst(rooms), 'harness/');
  return [...lines, '', 'harness, room by room:', ...inner].join('\n');
}

function linesOf(
  graph: ReadonlyMap<string, ReadonlySet<string>>,
  order: readonly string[],
  prefix = '',
): string[] {
  const short = (name: string): string => name.slice(prefix.length);
  const names = order.filter((name) => name.startsWith(prefix));
  const width = Math.max(...names.map((name) => short(name).length));
  return names.map((name) => {
    const others = names.filter((other) => graph.get(name)?.has(other) === true);
    return `${short(name).padEnd(width)}  ${others.length === 0 ? '·' : `→ ${others.map(short).join(' ')}`}`;
  });
}

/** Each folder after all that it imports; those of one rank by name. */
function lowestFirst(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const placed: string[] = [];
  const left = new Set(graph.keys());
  while (left.size > 0) {
    const next = [...left].filter((name) =>
      [...(graph.get(name) ?? [])].every((other) => placed.includes(other)),
    );
    if (next.length === 0) throw new Error(`circle among ${[...left].join(' ')}`);
    placed.push(...next.toSorted());
    next.forEach((name) => left.delete(name));
  }
  return placed;
}
