import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Expected, Row } from './row.ts';
import type { RowEnd } from './run-row.ts';
import { secretsIn } from './secret-forms.ts';

/** No command of a row takes more, in MB. */
const mostMb = 400;
/** A command has so long to end after its time is over, in ms. */
const endingMs = 2_000;
/** What a row's command takes at most if nothing is said, in s. */
const defaultS = 15;

/** What a row knows when its command has ended. */
interface EndedRow {
  readonly row: Row;
  readonly end: RowEnd;
  readonly folder: string;
  readonly secrets: readonly string[];
  /** What was in the folder before. */
  readonly inputs: ReadonlyMap<string, string>;
  /** What starting a process takes at the moment, in ms. */
  readonly startMs: number;
}

/** Everything that is wrong with how a row ended: what the row expects, and what holds for all of them. */
export function faultsOf(ended: EndedRow): readonly string[] {
  return [...faultsOfResult(ended), ...faultsOfCost(ended), ...faultsOfOutput(ended), ...leaksIn(ended)];
}

function faultsOfResult({ row: { expected }, end }: EndedRow): readonly string[] {
  const { exit, says, never } = expected;
  const text = `${end.stdout}\n${end.stderr}`;
  const oneLine = text.replaceAll(/\s+/g, ' ');
  const codes = typeof exit === 'number' ? [exit] : exit;
  const isSaid = typeof says === 'string' ? oneLine.includes(says) : says.test(oneLine);
  return [
    ...(end.code !== null && codes.includes(end.code)
      ? []
      : [`exit ${end.code ?? end.signal} instead of ${codes.join(' or ')}: ${text.slice(-1_500)}`]),
    ...(isSaid ? [] : [`does not say ${says}, but: ${text.slice(-1_500)}`]),
    ...(never?.test(oneLine) === true ? [`says ${never}`] : []),
  ];
}

function faultsOfCost({ row: { expected, interrupt }, end, startMs }: EndedRow): readonly string[] {
  const mostMs = (interrupt === undefined ? budgetMs(expected) : 0) + startMs + endingMs;
  const peakMb = expected.peakMb ?? mostMb;
  return [
    ...(end.durationMs > mostMs
      ? [`took ${Math.round(end.durationMs)} ms, more than ${Math.round(mostMs)}`]
      : []),
    ...(end.peakMb === undefined
      ? [`was killed by ${end.signal ?? 'nobody'}: its peak memory is unknown`]
      : []),
    ...(end.peakMb !== undefined && end.peakMb > peakMb
      ? [`took ${Math.round(end.peakMb)} MB, more than ${peakMb}`]
      : []),
    ...end.temporary.map((name) => `leaves the temporary file ${name}`),
    ...(end.children === 0 ? [] : [`leaves ${end.children} processes`]),
  ];
}

/** Time that a row's command has, in ms. */
export function budgetMs({ budgetS = defaultS }: Expected): number {
  return budgetS * 1_000;
}

const stackLine = /^\s+at .+:\d+:\d+\)?$|node:internal|UnhandledPromise|Unhandled 'error'|^\(node:\d+\)/m;
/** What no text may hold: controls but the end of a line, and what turns the order of characters round. */
const control = /[^\P{Cc}\n]|[\p{Bidi_Control}\u2028\u2029]/u;
/** What a terminal asks for: colours, and the erasing of the line that is rewritten. */
const forTerminal = new RegExp(String.raw`\u001b\[(?:[0-9;]*m|2K|1G)|\r\n`, 'g');

function faultsOfOutput({ row, end }: EndedRow): readonly string[] {
  const outputs = { stdout: end.stdout, stderr: end.stderr };
  return Object.entries(outputs).flatMap(([name, said]) => {
    const text = typeof row.stdout === 'object' ? said.replaceAll(forTerminal, '\n') : said;
    const [found] = control.exec(text) ?? [];
    return [
      ...(stackLine.test(text) ? [`shows a stack trace on ${name}: ${text.slice(0, 1_500)}`] : []),
      ...(found === undefined ? [] : [`writes the control character ${escaped(found)} on ${name}`]),
    ];
  });
}

function escaped(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}

function leaksIn({ end, folder, secrets, inputs }: EndedRow): readonly string[] {
  const texts = [
    ['stdout', end.stdout] as const,
    ['stderr', end.stderr] as const,
    ...[...filesIn(folder)].filter(([name, text]) => inputs.get(name) !== text),
  ];
  return texts.flatMap(([name, text]) =>
    secretsIn(text, secrets).map((form) => `shows a secret in ${name}: ${form}`),
  );
}

/** The files of a folder and what they hold, a byte a character. */
export function filesIn(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return new Map(
    names
      .filter((name) => lstatSync(join(folder, name)).isFile())
      .map((name) => [name, read(join(folder, name))]),
  );
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // It was made unreadable on purpose.
    return '';
  }
}
