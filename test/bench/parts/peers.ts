import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { FooterEvent } from '../../../harness/results/generated/events.ts';
import { reasonAgainst } from '../../../selftest/fuzz/stateless.ts';
import { mutants } from '../../../selftest/mutants/index.ts';
import { shuffled } from '../../../selftest/run/sample.ts';
import { packageFile } from '../../../spec/index.ts';
import { separateReference } from '../../cli/conform.ts';
import { medianOf, type Part } from '../row.ts';
import { eventsIn } from '../../fixtures/stream.ts';

const drawn = 10;
const seed = 'peers';
/** A peer is given ten times as long as a campaign. */
const seconds = { own: 3, peer: 30 };
const schemathesis = 'schemathesis';

/** What a tool did at one server. */
interface Tried {
  readonly cases: number;
  readonly seconds: number;
  /** Names of all that it found wrong. */
  readonly found: readonly string[];
}

/** Tries a server that a target file names, with a folder to write to. */
type Tool = (targetFile: string, folder: string) => Promise<Tried>;

interface Totals {
  readonly perSecond: number;
  readonly alarms: number;
}

/** A campaign beside a fuzzer that knows the description of the API, and no more. */
export const peers: Part = {
  name: 'peers',
  how: `A campaign of ${seconds.own} s at each of these servers, and then Schemathesis of ${seconds.peer} s: the reference, and ${drawn} mutants of the reference, drawn by a seed from those that single requests can
show. Schemathesis is given [spec/openapi.yaml](../spec/openapi.yaml), the ids and the credentials of the target, and two workers. What either finds at a reference
without a fault is an alarm; cases a second are medians over all servers. How many mutants each finds is not counted: what Schemathesis finds at one
server differs from run to run. It is skipped unless \`${schemathesis}\` is a command
here: \`pip install schemathesis\`.`,
  isQuick: false,
  measure: async (folder) => {
    const { error, stdout } = spawnSync(schemathesis, ['--version'], { encoding: 'utf8' });
    if (error !== undefined) {
      process.stderr.write(
        `peers: skipped, since ${schemathesis} is no command here; pip install schemathesis\n`,
      );
      return [];
    }
    const [own, peer] = [await totalsOf(campaign, folder), await totalsOf(schemathesisRun, folder)];
    const note = stdout.trim();
    return [
      { what: 'campaign, cases a second', value: own.perSecond, unit: '' },
      { what: 'Schemathesis, cases a second', value: peer.perSecond, unit: '', note },
      {
        what: 'campaign, cases of those of Schemathesis',
        value: own.perSecond / peer.perSecond,
        unit: '×',
        goal: { atLeast: 40 },
      },
      { what: 'campaign, alarms without a fault', value: own.alarms, unit: '', goal: { atMost: 0 } },
      { what: 'Schemathesis, alarms without a fault', value: peer.alarms, unit: '' },
    ];
  },
};

async function totalsOf(tool: Tool, folder: string): Promise<Totals> {
  const clean = await tried(tool, folder);
  const all = [clean];
  const shown = mutants.filter((mutant) => reasonAgainst(mutant) === undefined);
  for (const { id } of shuffled(shown, seed).slice(0, drawn)) {
    all.push(await tried(tool, folder, ['--mutant', id]));
  }
  return {
    perSecond: medianOf(all.map((each) => each.cases / each.seconds)),
    alarms: new Set(clean.found).size,
  };
}

async function tried(tool: Tool, folder: string, args: readonly string[] = []): Promise<Tried> {
  await using reference = await separateReference(args);
  return await tool(reference.targetFile, mkdtempSync(join(folder, 'server-')));
}

/** As a user starts it: what it takes to start counts. */
const campaign: Tool = async (targetFile, folder) => {
  const target = join(folder, 'target.yaml');
  writeFileSync(target, targetFile);
  const out = join(folder, 'out');
  const args = ['--target', target, '--time', `${seconds.own}s`, '--seed', '1', '--out', out, '--quiet'];
  await ended(process.execPath, [packageFile('dist/cli/main.js'), 'fuzz', ...args], folder);
  const events = eventsIn(join(out, 'campaign.ndjson'));
  const footer = events.at(-1) as FooterEvent;
  return {
    cases: footer.campaign?.cases ?? 0,
    seconds: footer.durationMs / 1_000,
    found: events.flatMap((event) => (event.type === 'finding' ? [event.clause] : [])),
  };
};

interface SchemathesisReport {
  readonly running_time: number;
  readonly test_cases: { readonly generated: number };
  readonly failures: readonly {
    readonly code: string;
    readonly operations: readonly string[];
  }[];
}

const schemathesisRun: Tool = async (targetFile, folder) => {
  const target = parse(targetFile) as {
    readonly base_url: string;
    readonly workspace: string;
    readonly channel: string;
    readonly roles: Readonly<Record<string, string>>;
  };
  const { author = '', machine = '' } = target.roles;
  const [config, report] = [join(folder, 'schemathesis.toml'), join(folder, 'report.json')];
  writeFileSync(
    config,
    `headers = { Authorization = "Bearer ${author}" }

[parameters]
channel_id = "${target.channel}"
workspace_id = "${target.workspace}"

[[operations]]
include-operation-id = "readWorkspaceOverview"
headers = { Authorization = "Bearer ${machine}" }
`,
  );
  const args = ['--config-file', config, 'run', packageFile('spec/openapi.yaml'), '--url', target.base_url];
  const limits = [
    '--max-time',
    String(seconds.peer),
    '--workers',
    '2',
    '--continue-on-failure',
    '--seed',
    '1',
  ];
  await ended(schemathesis, [...args, ...limits, '--report', 'json', '--report-json-path', report], folder);
  const { running_time, test_cases, failures } = JSON.parse(
    readFileSync(report, 'utf8'),
  ) as SchemathesisReport;
  return {
    cases: test_cases.generated,
    seconds: running_time,
    found: failures.flatMap(({ code, operations }) => operations.map((operation) => `${code} ${operation}`)),
  };
};

/** Runs a command to its end, whatever it says. */
async function ended(command: string, args: readonly string[], cwd: string): Promise<void> {
  await once(spawn(command, args, { cwd, stdio: 'ignore' }), 'exit');
}
