// `npm run traffic-selftest [-- mutants N] [variants]`: what plain traffic shows of servers that are wrong, without any request of the
// suite, by the area of the clause that each breaks; and that it shows nothing of those that conform. Red for a finding at one of these.
import { areaOf } from '../../harness/check/check.ts';
import { type Mutant, mutants } from '../mutants/index.ts';
import { grouped, shuffled } from '../run/sample.ts';
import { contractServer, mutantServer } from '../servers/server.ts';
import { aloneServer } from '../servers/variant-server.ts';
import { variants } from '../variants/index.ts';
import { judgeServer } from './judge-server.ts';

const load = { agents: 50, forMs: 4_000 };
/** Mutants that are tried where nobody says how many. */
const usual = 100;

interface Tried {
  readonly mutant: Mutant;
  /** Under its own clause, under another that it breaks as well, or not at all. */
  readonly found: 'own' | 'other' | 'no';
}

const [what = 'all', given] = process.argv.slice(2);
if (what === 'all' || what === 'variants') await tryConforming();
if (what === 'all' || what === 'mutants') await tryMutants(Number(given ?? usual));

async function tryConforming(): Promise<void> {
  let wrong = 0;
  for (const server of [contractServer, ...variants.map(aloneServer)]) {
    const { findings, exchanges } = await judgeServer(server, load);
    // The agents are right: of them nothing may be found, and of servers nothing that is stated.
    const failed = findings.filter(
      ({ verdict, clause }) => verdict === 'failed' || clause.startsWith('client.'),
    );
    if (failed.length > 0) wrong += 1;
    for (const { clause, expected, actual } of failed)
      print(`${server.id}: ${clause}\n  expected: ${expected}\n  actual:   ${actual}`);
    print(`${server.id}: ${exchanges} exchanges, ${findings.length} findings`);
  }
  print(`${wrong} of ${variants.length + 1} conforming servers have findings`);
  if (wrong > 0) process.exitCode = 1;
}

async function tryMutants(count: number): Promise<void> {
  const chosen = shuffled(mutants.filter(({ refuses }) => refuses === undefined)).slice(0, count);
  const tried: Tried[] = [];
  for (const mutant of chosen) {
    const { findings } = await judgeServer(mutantServer(mutant), load);
    const clauses = findings.flatMap(({ clause, clauses: all = [] }) => [
      clause,
      ...all.map((each) => each.clause),
    ]);
    const isOther = findings.some(({ verdict }) => verdict === 'failed');
    const found = clauses.includes(mutant.clause) ? 'own' : isOther ? 'other' : 'no';
    tried.push({ mutant, found });
    print(`${found.padEnd(6)} ${mutant.id} (${mutant.clause})`);
  }
  print('');
  for (const [area, all] of grouped(tried, ({ mutant }) => mutant.area ?? areaOf({ id: mutant.clause })))
    print(rowOf(area, all));
  print(rowOf('all', tried));
}

function rowOf(name: string, tried: readonly Tried[]): string {
  const [own, other] = (['own', 'other'] as const).map(
    (found) => tried.filter((each) => each.found === found).length,
  );
  return `${name.padEnd(20)} ${own} of ${tried.length} under their clause, ${other} under another`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
