import { readFileSync } from 'node:fs';
import { packageFile } from '../../spec/package-file.ts';

/** A rule that a page says how to break. */
interface BrokenRule {
  readonly rule: string;
  /** The clause that is named then. */
  readonly clause: string;
}

/** What is typed for a server: its name stands in front of its files. */
type For = (server: string) => string;

/** The page of an example server: everything that its reader types, for servers with files of their own. */
export class ExamplePage {
  readonly setUp: string;
  readonly install: string;
  readonly start: For;
  readonly judge: For;
  readonly fuzz: For;
  /** The rule that the page itself breaks. */
  readonly typedRule: string;
  readonly startBroken: (server: string, rule: string) => string;
  readonly judgeClause: (server: string, clause: string) => string;
  readonly gate: For;
  /** Takes away what is for the suite only, and starts what is left. */
  readonly alone: string;
  readonly rules: readonly BrokenRule[];
  /** What it lists to read, in its order: files, and the folder that is for the suite. */
  readonly files: readonly string[];
  /** How many lines it promises of what stays. */
  readonly lines: string | undefined;

  constructor(name: string) {
    const text = readFileSync(packageFile(`examples/${name}/README.md`), 'utf8');
    const blocks = Array.from(text.matchAll(/^```sh\n([\s\S]*?)^```/gm), ([, block = '']) => block.trim());
    if (blocks.length !== blockCount) throw new Error(`examples/${name} has ${blocks.length} shell blocks`);
    const [started = '', judged = '', fuzz = '', broken = '', clause = '', gate = '', alone = ''] = blocks;
    const start = lastLine(started);
    this.setUp = started.slice(0, -start.length);
    this.start = (server) => `exec ${withFiles(start, server)}`;
    this.install = judged.slice(0, -lastLine(judged).length).trim();
    this.judge = (server) => withTarget(lastLine(judged), server);
    this.fuzz = (server) => withTarget(fuzz, server);
    this.typedRule = lastWord(broken);
    this.startBroken = (server, rule) => `exec ${withFiles(withLastWord(broken, rule), server)}`;
    this.judgeClause = (server, id) => withTarget(withLastWord(clause, id), server);
    this.gate = (server) => withTarget(gate.replace(start, withFiles(start, server)), server);
    this.alone = alone;
    this.files = Array.from(text.matchAll(/^\| `([\w/]+(?:\/|\.\w+))` +\|/gm), ([, file = '']) => file);
    this.lines = /([\d,]+) lines to\s+read/.exec(text)?.[1];
    this.rules = Array.from(
      text.matchAll(/^\| `(\w+)` +\|[^|]+\| `([\w.-]+)` +\|$/gm),
      ([, rule = '', id = '']) => ({ rule, clause: id }),
    );
  }
}

const blockCount = 7;

function lastLine(block: string): string {
  return block.split('\n').at(-1) ?? '';
}

function lastWord(command: string): string {
  return command.split(' ').at(-1) ?? '';
}

function withLastWord(command: string, word: string): string {
  return command.replace(/\S+$/, word);
}

function withFiles(start: string, server: string): string {
  return `${start} --data ${server}.data --target ${server}.yaml`;
}

function withTarget(command: string, server: string): string {
  return command.replaceAll('conform.yaml', `${server}.yaml`);
}
