import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EvidenceExchange, FindingEvent } from '../../harness/results/generated/events.ts';
import { eventsOf } from '../../harness/results/stream.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';
import { packageFile } from '../../spec/index.ts';
import type { Mutant } from '../mutants/index.ts';
import { commandReaders } from './printed-commands.ts';
import { canBeMended, startSwitched, type SwitchedServer } from './switched-server.ts';
import { push } from '../../spec/groups.ts';

/** What became of one printed command. */
interface LineResult {
  readonly kind: 'run' | 'replay' | 'curl';
  readonly command: string;
  /** The reports in which it stands. */
  readonly from: readonly string[];
  /** What is wrong with it; empty where it did what it says, before and after. */
  readonly faults: readonly string[];
}

/** What became of a mutant's lines. */
interface MutantLines {
  readonly id: string;
  readonly findings: number;
  readonly lines: readonly LineResult[];
}

/** How a mutant is tried. */
interface LineOptions {
  readonly hasHooks: boolean;
  /** Cases of its campaign; 0 for none. */
  readonly cases: number;
  /** Areas of the checks of its run; all if nothing is said. */
  readonly only?: readonly string[];
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const conformMain = packageFile('dist/cli/main.js');
const provedFormats = ['junit', 'markdown', 'sarif', 'ctrf', 'github', 'html'] as const;
/** A command that takes longer counts as one that hangs, in ms. */
const longestProofMs = 600_000;

/**
 * Runs a suite and a campaign at the server of a mutant, runs every command that their reports print as a reader would, mends the
 * fault, and runs them again: the first time each has to show the fault, the second time that it is gone.
 */
export async function proveMutant(mutant: Mutant, options: LineOptions): Promise<MutantLines> {
  if (!canBeMended(mutant)) throw new Error(`${mutant.id} ends every run before its first check`);
  const folder = temporaryFolder('printed-lines-');
  const server = await startSwitched(mutant, options);
  try {
    const proof = new MutantProof(mutant, folder.path, server);
    await proof.gather(options);
    return await proof.run();
  } finally {
    await server.close();
    folder.remove();
  }
}

class MutantProof {
  readonly #mutant: Mutant;
  readonly #folder: string;
  readonly #server: SwitchedServer;
  readonly #findings: FindingEvent[] = [];
  /** Each command, with the reports that show it. */
  readonly #printed = new Map<string, Set<string>>();
  readonly #faults = new Map<string, string[]>();

  constructor(mutant: Mutant, folder: string, server: SwitchedServer) {
    this.#mutant = mutant;
    this.#folder = folder;
    this.#server = server;
  }

  async gather({ cases, only = [] }: LineOptions): Promise<void> {
    writeFileSync(join(this.#folder, 'own.yaml'), this.#server.targetFile);
    const target = ['--target', 'own.yaml', '--strict'];
    const areas = only.length === 0 ? [] : ['--only', ...only];
    const run = await this.#conform(['run', ...target, ...areas, '--out', 'run.ndjson', ...reportsOf('run')]);
    this.#collect('run', 'terminal', run.stdout);
    this.#keep('run.ndjson');
    if (cases === 0) return;
    const bounds = ['--cases', `${cases}`, '--time', '60s', '--seed', '7', '--out', 'campaign'];
    const campaign = await this.#conform(['fuzz', ...target, ...bounds, ...reportsOf('campaign')]);
    this.#collect('campaign', 'campaign', campaign.stdout);
    this.#keep('campaign/campaign.ndjson');
  }

  async run(): Promise<MutantLines> {
    // Those of a finding in their order: one may prepare the next.
    const lines = this.#inOrder();
    for (const command of lines) await this.#judge(command, false);
    await this.#server.mend();
    for (const command of lines) await this.#judge(command, true);
    return {
      id: this.#mutant.id,
      findings: this.#findings.length,
      lines: lines.map((command) => ({
        kind: kindOf(command),
        command,
        from: [...(this.#printed.get(command) ?? [])],
        faults: this.#faults.get(command) ?? [],
      })),
    };
  }

  #collect(what: string, screen: string, stdout: string): void {
    this.#note(`${what} on the terminal`, commandReaders[screen]?.(stdout) ?? []);
    for (const format of provedFormats)
      this.#note(`${what} as ${format}`, commandReaders[format]?.(this.#read(`${what}.${format}`)) ?? []);
  }

  #note(from: string, commands: readonly string[]): void {
    for (const command of commands) {
      const seen = this.#printed.get(command);
      if (seen === undefined) this.#printed.set(command, new Set([from]));
      else seen.add(from);
    }
  }

  #keep(stream: string): void {
    for (const event of eventsOf(this.#read(stream).split(/(?<=\n)/)))
      if (event.type === 'finding') this.#findings.push(event);
  }

  #read(name: string): string {
    return readFileSync(join(this.#folder, name), 'utf8');
  }

  #inOrder(): readonly string[] {
    const ofFindings = this.#findings.flatMap(({ exchanges }) => exchanges.flatMap(({ curl }) => curl ?? []));
    const known = ofFindings.filter((curl) => this.#printed.has(curl));
    return [...new Set([...known, ...this.#printed.keys()])];
  }

  /** Runs a command as a reader would: it has to show the fault, or that it is gone. */
  async #judge(command: string, isMended: boolean): Promise<void> {
    const ended = await this.#paste(command);
    const kind = kindOf(command);
    if (kind === 'curl') return this.#judgeCurl(command, ended, isMended);
    if (ended.code !== (isMended ? 0 : 1))
      this.#fault(command, `exit ${ended.code} ${whenOf(isMended)}: ${inShort(ended)}`);
    const said = isMended ? 'fixed' : 'still failing';
    if (kind === 'replay' && !new RegExp(`^${said} `, 'm').test(ended.stdout))
      this.#fault(command, `does not say that it is ${said}`);
    const leads = this.#leadsOf(command);
    if (kind === 'run' && !isMended && !leads.some((clause) => ended.stdout.includes(clause)))
      this.#fault(command, `names no ${leads.join(', ')}`);
  }

  #judgeCurl(command: string, { code, stdout, stderr }: Ended, isMended: boolean): void {
    const when = whenOf(isMended);
    const status = Number(/^HTTP\/[\d.]+ (\d{3})/.exec(stdout)?.[1]);
    if (code !== 0 || Number.isNaN(status))
      return this.#fault(command, `curl ended with ${code} ${when}: ${stderr.trim() || 'no HTTP answer'}`);
    const shown = this.#exchangesOf(command);
    if (shown.length === 0) return this.#fault(command, 'stands in no finding of the stream');
    const before = shown.flatMap(({ exchange }) => exchange.response?.status ?? []);
    if (!isMended && before.length > 0 && !before.includes(status))
      this.#fault(command, `answered ${status} ${when}, and ${before.join(', ')} in the report`);
    const isDeciding = shown.some(({ finding, exchange }) => isStatusAtFault(finding, exchange));
    if (isMended && isDeciding && before.includes(status))
      this.#fault(command, `still answers ${status} ${when}`);
    return undefined;
  }

  #exchangesOf(command: string): { readonly finding: FindingEvent; readonly exchange: EvidenceExchange }[] {
    return this.#findings.flatMap((finding) =>
      finding.exchanges.filter(({ curl }) => curl === command).map((exchange) => ({ finding, exchange })),
    );
  }

  /** The clauses of which a command that runs checks again has to show one: of those findings that name its checks. */
  #leadsOf(command: string): readonly string[] {
    const led = this.#findings.filter(({ check, metIn = check }) => command.includes(metIn));
    return (led.length === 0 ? this.#findings : led).map(({ clause }) => clause);
  }

  #fault(command: string, what: string): void {
    push(this.#faults, command, what);
  }

  async #conform(args: readonly string[]): Promise<Ended> {
    const ended = await this.#end(process.execPath, [conformMain, ...args]);
    if (ended.code === 0 || ended.code === 1) return ended;
    throw new Error(`${this.#mutant.id}: ${args.join(' ')} ended with ${ended.code}: ${inShort(ended)}`);
  }

  #paste(command: string): Promise<Ended> {
    return this.#end('bash', ['-c', command]);
  }

  async #end(program: string, args: readonly string[]): Promise<Ended> {
    const child = spawn(program, args, {
      cwd: this.#folder,
      env: { PATH: process.env['PATH'], HOME: this.#folder, ...this.#server.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: longestProofMs,
    });
    const output = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, ...output };
  }
}

function whenOf(isMended: boolean): string {
  return isMended ? 'once it is mended' : 'while the fault is there';
}

function reportsOf(name: string): readonly string[] {
  return ['--report', ...provedFormats.map((format) => `${format}=${name}.${format}`)];
}

function kindOf(command: string): LineResult['kind'] {
  if (/^(?:curl|printf) /.test(command)) return 'curl';
  return / replay /.test(command) ? 'replay' : 'run';
}

/** Whether a finding is about the status of an exchange and nothing else, so that another one shows that it is mended. */
function isStatusAtFault({ actual, exchanges }: FindingEvent, exchange: EvidenceExchange): boolean {
  return exchanges.at(-1) === exchange && actual === `status ${exchange.response?.status}`;
}

/** What a command said: its findings with what they expected and got, or its last words. */
function inShort({ stdout, stderr }: Ended): string {
  const findings = stdout.match(/^[FW]\d+ .*|^ +(?:expected|got) .*/gm)?.map((line) => line.trim()) ?? [];
  return findings.length > 0 ? findings.join('; ') : (`${stdout}\n${stderr}`.trim().split('\n').at(-1) ?? '');
}
