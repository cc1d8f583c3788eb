import { InvalidTarget } from '../../harness/errors.ts';
import { packageFile } from '../../spec/index.ts';
import type { MachineMutant } from './build.ts';

/** Languages whose sources are changed here; for TypeScript there is an instrumenter. */
export type SourceLanguage = 'go' | 'python';

/** What is used of a syntax tree: positions count UTF-16 units. */
interface SyntaxNode {
  readonly type: string;
  readonly text: string;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly parent: SyntaxNode | null;
  readonly children: readonly SyntaxNode[];
  readonly namedChildren: readonly SyntaxNode[];
  childForFieldName(name: string): SyntaxNode | null;
}

interface ParserPackage {
  readonly Parser: {
    new (): { setLanguage(grammar: unknown): void; parse(source: string): { readonly rootNode: SyntaxNode } };
    init(): Promise<void>;
  };
  readonly Language: { load(file: string): Promise<unknown> };
}

/** A change as an operator makes it: what is left out has an empty replacement. */
interface Change {
  readonly operator: string;
  readonly at: SyntaxNode;
  readonly replacement: string;
}

/** What differs between the languages. */
interface Words {
  readonly truth: readonly [no: string, yes: string];
  /** A condition that always comes to the same; where the compiler asks for it, what it reads is still read. */
  readonly always: (condition: string, value: boolean) => string;
  /** What stands in for a statement that is left out. */
  readonly nothing: string;
  /** Types of statements that may be left out. */
  readonly statements: ReadonlySet<string>;
}

const words: Readonly<Record<SourceLanguage, Words>> = {
  go: {
    truth: ['false', 'true'],
    always: (condition, value) => (value ? `(${condition}) || true` : `(${condition}) && false`),
    nothing: '',
    statements: new Set([
      'assignment_statement',
      'break_statement',
      'continue_statement',
      'defer_statement',
      'expression_statement',
      'inc_statement',
      'send_statement',
    ]),
  },
  python: {
    truth: ['False', 'True'],
    always: (_, value) => (value ? 'True' : 'False'),
    nothing: 'pass',
    statements: new Set([
      'break_statement',
      'continue_statement',
      'delete_statement',
      'expression_statement',
      'raise_statement',
    ]),
  },
};

/** What an operator of the language becomes: its neighbour at a boundary, and its opposite. */
const swaps: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '==': ['!='],
  '!=': ['=='],
  is: ['is not'],
  'is not': ['is'],
  in: ['not in'],
  'not in': ['in'],
  '&&': ['||'],
  '||': ['&&'],
  and: ['or'],
  or: ['and'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '|': ['&'],
  '&': ['|'],
  '<<': ['>>'],
  '+=': ['-='],
};

const operatorNames: Readonly<Record<string, string>> = {
  comparison_operator: 'EqualityOperator',
  boolean_operator: 'LogicalOperator',
  binary_operator: 'ArithmeticOperator',
  augmented_assignment: 'ArithmeticOperator',
  assignment_statement: 'ArithmeticOperator',
};

/** Fields of a node that hold a condition; of a loop only one that ends it is tried. */
const conditional = new Set([
  'if_statement',
  'elif_clause',
  'while_statement',
  'for_clause',
  'conditional_expression',
  'if_clause',
]);
const loops = new Set(['while_statement', 'for_clause']);
const functions = new Set(['function_definition', 'function_declaration', 'method_declaration']);
/** Nothing in these runs. */
const passedOver = new Set([
  'comment',
  'import_declaration',
  'import_statement',
  'import_from_statement',
  'package_clause',
  'type',
]);

/** Makes the mutants of sources in one language, with names of operators as the instrumenter of the reference has them. */
export async function openOperators(
  language: SourceLanguage,
): Promise<(file: string, source: string) => readonly Omit<MachineMutant, 'id'>[]> {
  const name: string = 'web-tree-sitter';
  const { Parser, Language } = (await import(name).catch((cause: unknown) => {
    throw new InvalidTarget(
      `the sources are read by ${name}, which is not here: start it as \`npm run mutate:servers\`, which installs it`,
      { cause },
    );
  })) as ParserPackage;
  await Parser.init();
  const parser = new Parser();
  const grammar = `tree-sitter-${language}`;
  parser.setLanguage(await Language.load(packageFile(`node_modules/${grammar}/${grammar}.wasm`)));
  return (file, source) =>
    [...changesIn(parser.parse(source).rootNode, words[language])]
      .filter(({ at, replacement }) => at.text !== replacement)
      .map(({ operator, at, replacement }) => ({
        file,
        ...placeIn(source, at.startIndex),
        within: functionAround(at),
        operator,
        original: at.text,
        replacement,
      }));
}

/** A source with one of its mutants. */
export function mutated(source: string, { line, column, original, replacement }: MachineMutant): string {
  const start = source
    .split('\n')
    .slice(0, line - 1)
    .reduce((sum, each) => sum + each.length + 1, column - 1);
  return source.slice(0, start) + replacement + source.slice(start + original.length);
}

function placeIn(source: string, index: number): Pick<MachineMutant, 'line' | 'column'> {
  const above = source.slice(0, index).split('\n');
  return { line: above.length, column: (above.at(-1) ?? '').length + 1 };
}

function functionAround(node: SyntaxNode): string {
  for (let at: SyntaxNode | null = node; at !== null; at = at.parent)
    if (functions.has(at.type)) return at.childForFieldName('name')?.text ?? '';
  return '';
}

function* changesIn(node: SyntaxNode, language: Words): Iterable<Change> {
  if (passedOver.has(node.type)) return;
  yield* changesOf(node, language);
  for (const child of node.namedChildren) yield* changesIn(child, language);
}

function* changesOf(at: SyntaxNode, language: Words): Iterable<Change> {
  const { type, text } = at;
  if (conditional.has(type)) yield* conditionsOf(at, language);
  yield* swapsOf(at);
  if (language.statements.has(type) && !isDocstring(at))
    yield { operator: isCall(at) ? 'CallLeftOut' : 'StatementLeftOut', at, replacement: language.nothing };
  if (type === 'not_operator' || (type === 'unary_expression' && text.startsWith('!')))
    yield { operator: 'BooleanLiteral', at, replacement: at.namedChildren[0]?.text ?? '' };
  const [no, yes] = language.truth;
  if (type === no.toLowerCase() || type === yes.toLowerCase())
    yield { operator: 'BooleanLiteral', at, replacement: text === yes ? no : yes };
  if (type === 'integer' || type === 'int_literal') yield* numbersFor(at);
  if (isString(at)) yield { operator: 'StringLiteral', at, replacement: text.startsWith('b') ? 'b""' : '""' };
  if (type === 'argument_list') yield* argumentsOf(at);
  // Go wants as many values as the function declares.
  if (type === 'return_statement' && language === words.python && at.namedChildren.length > 0)
    yield { operator: 'ReturnNothing', at, replacement: 'return None' };
}

function* conditionsOf(at: SyntaxNode, { always }: Words): Iterable<Change> {
  const condition =
    at.childForFieldName('condition') ?? at.namedChildren[at.type === 'conditional_expression' ? 1 : 0];
  if (condition === undefined || /^(?:true|false)$/i.test(condition.text)) return;
  for (const value of loops.has(at.type) ? [false] : [true, false])
    yield { operator: 'ConditionalExpression', at: condition, replacement: always(condition.text, value) };
}

/** Each operator of an expression in turn, the rest of the expression as it is. */
function* swapsOf(at: SyntaxNode): Iterable<Change> {
  const isBinary = at.type === 'binary_expression';
  const named = operatorNames[at.type];
  if (!isBinary && named === undefined) return;
  for (const child of at.children)
    for (const swapped of at.namedChildren.includes(child) ? [] : (swaps[child.text] ?? [])) {
      const [from, to] = [child.startIndex - at.startIndex, child.endIndex - at.startIndex];
      const operator = isBinary ? kindOf(child.text) : (named ?? '');
      yield { operator, at, replacement: at.text.slice(0, from) + swapped + at.text.slice(to) };
    }
}

function kindOf(operator: string): string {
  if (operator === '&&' || operator === '||') return 'LogicalOperator';
  return /^[<>]=?$|^[!=]=$/.test(operator) ? 'EqualityOperator' : 'ArithmeticOperator';
}

function* numbersFor(at: SyntaxNode): Iterable<Change> {
  const isPlain = /^[\d_]+$/.test(at.text);
  const value = isPlain ? BigInt(at.text.replaceAll('_', '')) : 0n;
  yield { operator: 'NumberLiteral', at, replacement: isPlain ? `${value + 1n}` : `(${at.text} + 1)` };
  if (value > 0n) yield { operator: 'NumberLiteral', at, replacement: `${value - 1n}` };
}

/** The first two arguments change places; what has a name may be left out. */
function* argumentsOf(at: SyntaxNode): Iterable<Change> {
  const all = at.namedChildren;
  const isNamed = ({ type }: SyntaxNode): boolean => type === 'keyword_argument';
  const [first, second] = all;
  if (first !== undefined && second !== undefined && !isNamed(first) && !isNamed(second)) {
    const rest = all.slice(2).map(({ text }) => text);
    yield { operator: 'Arguments', at, replacement: `(${[second.text, first.text, ...rest].join(', ')})` };
  }
  for (const left of all.filter(isNamed))
    yield {
      operator: 'Arguments',
      at,
      replacement: `(${all
        .filter((each) => each !== left)
        .map(({ text }) => text)
        .join(', ')})`,
    };
}

/** A string that says something while the server runs, and is not empty. */
function isString(at: SyntaxNode): boolean {
  if (!['string', 'interpreted_string_literal', 'raw_string_literal'].includes(at.type)) return false;
  const isTag = at.parent?.type === 'field_declaration';
  return !isTag && at.text.length > 2 && !(at.parent !== null && isDocstring(at.parent));
}

function isDocstring({ type, namedChildren }: SyntaxNode): boolean {
  return type === 'expression_statement' && namedChildren[0]?.type === 'string';
}

function isCall({ type, namedChildren }: SyntaxNode): boolean {
  return type === 'expression_statement' && /^(?:call|await)/.test(namedChildren[0]?.type ?? '');
}
