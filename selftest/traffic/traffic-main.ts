#!/usr/bin/env node

import { writeFileSync } from 'node:fs';
import { Option } from 'commander';
import { areaOf } from '../../harness/check/check.ts';
import type { FindingEvent } from '../../harness/results/generated/events.ts';
import { type Mutant, mutants } from '../mutants/index.ts';
import {
  chosenOf,
  print,
  proofCommand,
  type ProofFlags,
  proveEach,
  tableInMarkdown,
  today,
} from '../run/proof.ts';
import { grouped } from '../../spec/groups.ts';
import { packageFile } from '../../spec/index.ts';
import { contractServer, mutantServer, type Server } from '../servers/server.ts';
import { aloneServer } from '../servers/variant-server.ts';
import { variants } from '../variants/index.ts';
import { judgeServer } from './judge-server.ts';

/** A page that says what traffic shows. */
const page = 'docs/traffic-mutants.md';
const load = { agents: 50, forMs: 4_000 };

/** A server, and the mutant that it is of; a conforming one is of none. */
type Tried = Server & Partial<Pick<Mutant, 'clause' | 'area'>>;

interface Shown extends Pick<Tried, 'id' | 'clause' | 'area'> {
  /** Under its own clause, under another that it breaks as well, or not at all. */
  readonly found: 'own' | 'other' | 'no';
}

const command = proofCommand(
  'traffic-selftest',
  'Says what plain traffic shows of wrong servers, by area, and that it shows nothing of those that conform; red for a finding at one of these.',
  { threads: '1', sample: '100' },
)
  .addOption(new Option('--kind <which>', 'these alone').choices(['wrong', 'conforming']))
  .parse();
const { kind, only } = command.opts<ProofFlags & { readonly kind?: 'wrong' | 'conforming' }>();

const conforming: readonly Tried[] = [contractServer, ...variants.map(aloneServer)];
const broken = mutants
  .filter(({ refuses }) => refuses === undefined)
  .map((mutant): Tried => ({ ...mutant, ...mutantServer(mutant) }));
const chosen = chosenOf(command, [
  ...(kind === 'wrong' ? [] : conforming),
  ...(kind === 'conforming' ? [] : broken),
]);
const all = await proveEach(chosen, command.opts<ProofFlags>(), tryOne);
const wrong = all.filter(({ clause, found }) => clause === undefined && found !== 'no');
const shown = all.filter(({ clause }) => clause !== undefined);
print(`\n${wrong.length} of ${all.length - shown.length} conforming servers have findings`);
const byArea = [
  ...grouped(shown, ({ area, clause = '' }) => area ?? areaOf({ id: clause })),
  ['all', shown] as const,
];
for (const [area, each] of byArea) print(rowOf(area, each));
if (only === undefined && kind !== 'conforming') {
  writeFileSync(packageFile(page), pageOf());
  print(`its figures: ${page}`);
}
if (all.length < chosen.length)
  print(`${chosen.length - all.length} were not asked for anything in their time`);
if (wrong.length > 0 || all.length < chosen.length) process.exitCode = 1;

async function tryOne({ clause, area, ...server }: Tried): Promise<Shown | undefined> {
  const { findings, exchanges } = await judgeServer(server, load);
  if (exchanges === 0) return undefined;
  const clauses = findings.flatMap((each) => [each.clause, ...(each.clauses ?? []).map((one) => one.clause)]);
  const counting = findings.filter((each) => counts(each, clause !== undefined));
  const found =
    clause !== undefined && clauses.includes(clause) ? 'own' : counting.length > 0 ? 'other' : 'no';
  print(
    `${found.padEnd(6)} ${server.id}${clause === undefined ? '' : ` (${clause})`}: ${exchanges} exchanges`,
  );
  if (clause === undefined)
    for (const each of counting)
      print(`  ${each.clause}\n  expected: ${each.expected}\n  actual:   ${each.actual}`);
  return {
    id: server.id,
    ...(clause !== undefined && { clause }),
    ...(area !== undefined && { area }),
    found,
  };
}

/** The agents are right: of them nothing may be found at a conforming server, and of servers nothing that is stated. */
function counts({ verdict, clause }: FindingEvent, isBroken: boolean): boolean {
  return verdict === 'failed' || (!isBroken && clause.startsWith('client.'));
}

function countOf(tried: readonly Shown[], found: Shown['found']): number {
  return tried.filter((each) => each.found === found).length;
}

function rowOf(name: string, tried: readonly Shown[]): string {
  return `${name.padEnd(20)} ${countOf(tried, 'own')} of ${tried.length} under their clause, ${countOf(tried, 'other')} under another`;
}

function pageOf(): string {
  const head = ['area', 'mutants', 'found under their clause', 'under another', 'not shown'];
  const rows = byArea.map(([area, each]) => [
    area,
    each.length,
    ...(['own', 'other', 'no'] as const).map((found) => countOf(each, found)),
  ]);
  const unshown = byArea
    .slice(0, -1)
    .flatMap(([, each]) => each)
    .filter(({ found }) => found === 'no');
  return `# What plain traffic shows

The figures of \`npm run traffic-selftest\`, of ${today()}: ${load.agents} agents read, send, mention each other and report for
${load.forMs / 1_000} s at each of ${shown.length} wrong servers, drawn by a seed, one of each clause before a second of any. Nobody asks for anything
in order to find a fault; [the judges of live traffic](proxy.md) see what went through.

${tableInMarkdown(head, rows)}

## Not shown

Traffic never shows these, or did not in that time; [a run](quick-start.md) does.

${tableInMarkdown(
  ['mutant', 'clause'],
  unshown.map(({ id, clause = '' }) => [`\`${id.replace('mutant ', '')}\``, `\`${clause}\``]),
)}
`;
}
