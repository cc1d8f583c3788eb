import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { cleanEnv } from '../../../cli/conform.ts';

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

/** How a composite action ended. */
export interface EndedAction {
  /** Exit codes of its scripts, in their order. */
  readonly codes: readonly (number | null)[];
  readonly outputs: Readonly<Record<string, string>>;
  readonly output: string;
  readonly summary: string;
  /** What actions of others got, by their names. */
  readonly used: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** What stands in for the runner. */
interface RunnerOptions {
  /** Where the action was checked out. */
  readonly actionPath: string;
  readonly workspace: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Folder with the programs that come first. */
  readonly programs: string;
}

/** Runs the scripts of a composite action as the runner does: in bash, with its variables, and steps of `always()` after a failure too. */
export async function runAction(text: string, options: RunnerOptions): Promise<EndedAction> {
  const { inputs: declared, outputs, runs } = parse(text) as Action;
  const temp = mkdtempSync(join(tmpdir(), 'conform-runner-'));
  const [outputFile, summaryFile] = [join(temp, 'output'), join(temp, 'summary')];
  writeFileSync(summaryFile, '');
  const values = new Map<string, string>();
  for (const [name, { default: value = '' }] of Object.entries(declared))
    values.set(`inputs.${name}`, options.inputs[name] ?? value);
  const filled = (value: string): string =>
    value.replaceAll(/\$\{\{ ([\w.-]+) \}\}/g, (_, path: string) => values.get(path) ?? '');
  const all = (map: Readonly<Record<string, string>> = {}): Record<string, string> =>
    Object.fromEntries(Object.entries(map).map(([name, value]) => [name, filled(value)]));
  const codes: (number | null)[] = [];
  const used: Record<string, Record<string, string>> = {};
  let output = '';
  for (const step of runs.steps) {
    if (codes.some((code) => code !== 0) && step.if?.startsWith('always()') !== true) continue;
    const [, unless] = /&& ([\w.-]+) != ''$/.exec(step.if ?? '') ?? [];
    if (unless !== undefined && (values.get(unless) ?? '') === '') continue;
    if (step.uses !== undefined) used[step.uses.split(' ')[0] ?? ''] = all(step.with);
    if (step.run === undefined) continue;
    writeFileSync(outputFile, '');
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], {
      cwd: options.workspace,
      env: {
        ...cleanEnv,
        PATH: `${options.programs}:${process.env['PATH'] ?? ''}`,
        GITHUB_ACTIONS: 'true',
        GITHUB_ACTION_PATH: options.actionPath,
        GITHUB_OUTPUT: outputFile,
        GITHUB_STEP_SUMMARY: summaryFile,
        RUNNER_TEMP: temp,
        ...options.env,
        ...all(step.env),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.setEncoding('utf8').on('data', (piece: string) => (output += piece));
    child.stderr.setEncoding('utf8').on('data', (piece: string) => (output += piece));
    const [code] = (await once(child, 'close')) as [number | null];
    codes.push(code);
    for (const [, name = '', value = ''] of readFileSync(outputFile, 'utf8').matchAll(/^([^=\n]+)=(.*)$/gm))
      values.set(`steps.${step.id ?? ''}.outputs.${name}`, value);
  }
  const ended = {
    codes,
    outputs: Object.fromEntries(Object.entries(outputs).map(([name, { value }]) => [name, filled(value)])),
    output,
    summary: readFileSync(summaryFile, 'utf8'),
    used,
  };
  temps.push(temp);
  return ended;
}

const temps: string[] = [];

/** Deletes what runners kept. */
export function removeRunners(): void {
  for (const temp of temps.splice(0)) rmSync(temp, { recursive: true, force: true });
}
