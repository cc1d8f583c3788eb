#!/usr/bin/env node

import { mutants } from '../mutants/index.ts';
import { chosenOf, print, proofCommand, type ProofFlags, proveEach } from '../run/proof.ts';
import { proveMutant } from './prove-mutant.ts';
import { canBeMended } from './switched-server.ts';

const command = proofCommand(
  'printed-lines',
  'Runs every command that reports on mutants print, while the fault is there and after it is gone.',
  { sample: '100' },
)
  .option('--cases <number>', 'cases of the campaign of each', '2000')
  .parse();
const { cases, ...flags } = command.opts<ProofFlags & { readonly cases: string }>();

const chosen = chosenOf(command, mutants.filter(canBeMended));
const proved = await proveEach(chosen, flags, async (mutant) => {
  const hasHooks = mutants.indexOf(mutant) % 2 === 0;
  const tried = await proveMutant(mutant, { hasHooks, cases: Number(cases) }).catch((error: unknown) =>
    print(String(error)),
  );
  if (tried === undefined) return undefined;
  const wrong = tried.lines.filter(({ faults }) => faults.length > 0);
  print(`${tried.id}: ${tried.findings} findings, ${tried.lines.length} commands, ${wrong.length} wrong`);
  for (const { command: line, from, faults } of wrong)
    print([`  ${line}`, `in ${from.join(', ')}`, ...faults].join('\n    '));
  return tried;
});
const lines = proved.flatMap((each) => each.lines);
for (const kind of ['run', 'replay', 'curl'] as const) {
  const own = lines.filter((each) => each.kind === kind);
  print(`${kind}: ${own.filter(({ faults }) => faults.length === 0).length} of ${own.length} right`);
}
const unproved = chosen.filter(({ id }) => !proved.some((each) => each.id === id));
if (unproved.length > 0) print(`not tried to the end: ${unproved.map(({ id }) => id).join(', ')}`);
process.exitCode = unproved.length === 0 && lines.every(({ faults }) => faults.length === 0) ? 0 : 1;
