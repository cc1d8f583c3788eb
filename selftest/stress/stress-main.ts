#!/usr/bin/env node

import { print, proofCommand, chosenOf, proveEach, type ProofFlags } from '../run/proof.ts';
import { allConcurrencyMutants, findMutant } from './index.ts';

// Side by side they would take the time from one another.
const command = proofCommand(
  'stress-selftest',
  'Says how long concurrent clients take to find each server that goes wrong only between clients.',
  { threads: '1' },
).parse();

const mutants = chosenOf(command, allConcurrencyMutants);
const searches = await proveEach(mutants, command.opts<ProofFlags>(), async (mutant) => {
  const { isFound, durationMs, names } = await findMutant(mutant);
  const outcome = isFound ? `found after ${(durationMs / 1000).toFixed(1)} s` : 'NOT FOUND';
  print(`${mutant.id.padEnd(32)} ${outcome.padEnd(20)} ${names.join(' ')}`);
  return { id: mutant.id, isFound, durationMs, names };
});
const missed = searches.filter(({ isFound }) => !isFound).length;
print(missed === 0 ? 'all were found' : `${missed} were not found`);
process.exitCode = missed === 0 ? 0 : 1;
