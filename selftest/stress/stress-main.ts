// Looks for every concurrency mutant, or those named, and prints how long each took to find; red when one was not found.
import { allConcurrencyMutants, findMutant } from './index.ts';

const named = process.argv.slice(2);
const known = new Set(allConcurrencyMutants.map(({ id }) => id));
const unknown = named.filter((name) => !known.has(name));
if (unknown.length > 0) {
  process.stderr.write(`no concurrency mutant is called ${unknown.join(', ')}\n`);
  process.exitCode = 2;
} else {
  await findAll();
}

async function findAll(): Promise<void> {
  let missed = 0;
  for (const mutant of allConcurrencyMutants) {
    if (named.length > 0 && !named.includes(mutant.id)) continue;
    const { isFound, durationMs, names } = await findMutant(mutant);
    if (!isFound) missed += 1;
    const outcome = isFound ? `found after ${(durationMs / 1000).toFixed(1)} s` : 'NOT FOUND';
    process.stdout.write(`${mutant.id.padEnd(32)} ${outcome.padEnd(20)} ${names.join(' ')}\n`);
  }
  process.stdout.write(missed === 0 ? 'all were found\n' : `${missed} were not found\n`);
  process.exitCode = missed === 0 ? 0 : 1;
}
