import { dirname, resolve } from 'node:path';
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml';
import type { Document, ErrorCode, Pair } from 'yaml';
import { readTextFile } from '../bounded-file.ts';
import { type FieldPath, isPlainName, type Layer } from './layer.ts';
import type { Place, Problems } from './problems.ts';

/** What each of the parser's complaints means to the author of a file. Its own words quote the file, secrets too. */
export const yamlFaults: Readonly<Record<ErrorCode, string>> = {
  ALIAS_PROPS: 'an alias cannot have an anchor or a tag',
  BAD_ALIAS: 'an alias or anchor needs a name – text that starts with `*` or `&` belongs in quotes',
  BAD_COLLECTION_TYPE: 'a tag does not fit what follows it',
  BAD_DIRECTIVE: 'a line that starts with `%` is not a known YAML directive',
  BAD_DQ_ESCAPE: 'an escape in double quotes is not one that YAML knows – single quotes take text as it is',
  BAD_INDENT: 'the indentation does not fit the lines above',
  BAD_PROP_ORDER: 'an anchor or tag is in the wrong place',
  BAD_SCALAR_START: 'text that starts with `@`, `%` or a backtick belongs in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'two `name: value` pairs are on one line – text that holds `: ` belongs in quotes',
  BLOCK_IN_FLOW: 'an indented block cannot stand inside `{…}` or `[…]`',
  DUPLICATE_KEY: 'a field is given twice – keep one',
  IMPOSSIBLE: 'this is not YAML',
  KEY_OVER_1024_CHARS: 'the name of a field is longer than 1024 characters – is a quote missing before it?',
  MISSING_CHAR: 'something is missing here: a space after `:` or `-`, a comma, a closing quote or bracket',
  MULTILINE_IMPLICIT_KEY: 'the name of a field spans lines – is the space after a `:` missing?',
  MULTIPLE_ANCHORS: 'a value has two anchors',
  MULTIPLE_DOCS: 'a second YAML document starts here – one file holds one',
  MULTIPLE_TAGS: 'a value has two tags',
  NON_STRING_KEY: 'the name of a field must be text',
  RESOURCE_EXHAUSTION: 'the file is nested too deeply',
  TAB_AS_INDENT: 'a tab indents this line – use spaces',
  TAG_RESOLVE_FAILED: 'tags (`!name`) are not supported – text that starts with `!` belongs in quotes',
  UNEXPECTED_TOKEN: 'this is not expected here – is a quote, a `:` or the indentation wrong?',
};

/** A full target file with all its comments has a tenth of this; it bounds what the parser can be made to do. */
const maxFileBytes = 65_536;

/**
 * Reads a target file into a layer; `file` is relative to `cwd` and is named in messages as given. What keeps it from
 * being read as YAML at all goes to `problems`, and the layer is `undefined`.
 */
export function readYamlLayer(file: string, cwd: string, problems: Problems): Layer | undefined {
  const path = resolve(cwd, file);
  const read = readTextFile(path, maxFileBytes);
  if ('fault' in read) {
    const isUrl = /^https?:\/\//i.test(file);
    problems.add({ name: file }, `the target file ${read.fault}${isUrl ? ' – a URL is for --base-url' : ''}`);
    return undefined;
  }
  const lines = new LineCounter();
  const document = parseDocument(read.text, {
    lineCounter: lines,
    // Pretty errors quote the source, and with it secrets.
    prettyErrors: false,
    stringKeys: true,
    resolveKnownTags: false,
  });
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { name: file, line, column: col };
  };
  const faults = faultsOfYaml(document);
  for (const { offset, text } of faults) problems.add(placeAt(offset), text);
  if (faults.length > 0) return undefined;
  const fields = document.toJS() as unknown;
  if (fields === undefined || fields === null) {
    problems.add(placeAt(0), 'the target file is empty – it needs at least `base_url: https://…`');
    return undefined;
  }
  return {
    fields,
    folder: dirname(path),
    hasReferences: true,
    sourceOf: () => 'target file',
    placeOf: (fieldPath, part) => placeAt(offsetOf(document, fieldPath, part)),
  };
}

interface Fault {
  readonly offset: number;
  readonly text: string;
}

function faultsOfYaml(document: Document.Parsed): readonly Fault[] {
  const syntax = [...document.errors, ...document.warnings].map(({ code, pos: [offset] }) => {
    const name = code === 'DUPLICATE_KEY' ? nameAt(document, offset) : undefined;
    const text = name === undefined ? yamlFaults[code] : `the field \`${name}\` is given twice – keep one`;
    return { offset, text };
  });
  return syntax.length > 0 ? syntax : aliasesOf(document);
}

/** Aliases can make a small file large without end, and nothing in a target repeats enough to need one. */
function aliasesOf(document: Document.Parsed): readonly Fault[] {
  const found: Fault[] = [];
  visit(document, {
    Alias: (_, { range }) => {
      found.push({
        offset: range?.[0] ?? 0,
        text: 'aliases (`*name`) are not supported – repeat the value here',
      });
    },
  });
  return found;
}

/**
 * The plain name of the field whose name starts at `offset`. None where the field has no value: a secret can end up
 * as a name in `{author:s3cret}`, but not with a value of its own.
 */
function nameAt(document: Document.Parsed, offset: number): string | undefined {
  let name: string | undefined;
  visit(document, {
    Pair: (_, { key, value }) => {
      if (!isScalar(key) || startOfNode(key) !== offset) return undefined;
      const hasValue = value !== null && !(isScalar(value) && value.value === null);
      if (hasValue && typeof key.value === 'string' && isPlainName(key.value)) name = key.value;
      return visit.BREAK;
    },
  });
  return name;
}

function offsetOf(document: Document.Parsed, path: FieldPath, part: 'name' | 'value'): number {
  let node: unknown = document.contents;
  let offset = startOfNode(node) ?? 0;
  for (const [index, name] of path.entries()) {
    const pair = isMap(node) ? pairOf(node.items, name) : undefined;
    node = isSeq(node) ? node.items[Number(name)] : pair?.value;
    const isName = part === 'name' && index === path.length - 1;
    const start = isName ? startOfNode(pair?.key) : (startOfNode(node) ?? startOfNode(pair?.key));
    if (start === undefined) return offset;
    offset = start;
  }
  return offset;
}

function pairOf(pairs: readonly Pair<unknown, unknown>[], name: string): Pair<unknown, unknown> | undefined {
  return pairs.find(({ key }) => isScalar(key) && String(key.value) === name);
}

function startOfNode(node: unknown): number | undefined {
  if (isMap(node) || isSeq(node) || isScalar(node) || isAlias(node)) return node.range?.[0];
  return undefined;
}
