import type { Exchange } from '../../harness/client/exchange.ts';
import { readPage } from '../../harness/stream/page.ts';
import { historyChecks } from '../../harness/judging/run-wide-checks.ts';
import { judges } from '../../history/judges/index.ts';
import { worldOf } from '../../history/world/world.ts';
import { contractRules, type Rules } from '../../reference/index.ts';
import type { ClauseId } from '../../spec/index.ts';
import type { Population } from '../../suites/population/population.ts';
import type { PopulationRead } from '../../suites/population/reads.ts';
import { presenceRules } from '../../suites/population/presence-rules.ts';
import type { Mutant } from '../mutants/index.ts';
import type { GivenPage, Recorded } from './recorded.ts';

type PresentRead = Rules['presentRead'];

/**
 * The check that names the clause of a mutant broken where every page of a recorded population is given out as the mutant would;
 * `undefined` where none does. The requests are those that were sent to the contract's server: any client may ask for any page.
 */
export function replayed(
  recorded: Recorded,
  { clause, options }: Pick<Mutant, 'clause' | 'options'>,
): string | undefined {
  const presentRead = options().rules?.presentRead ?? contractRules.presentRead;
  // By the number of the exchange: a population keeps its own copy of each, without its bytes.
  const changed = new Map<number, Exchange>();
  for (const { exchange } of recorded.exchanges) {
    const page = recorded.pageOf(exchange);
    const other = page && answeredWith(exchange, page, presentRead);
    if (other !== undefined) changed.set(exchange.id, other);
  }
  return byRules(recorded.population, clause, changed) ?? byJudges(recorded, clause, changed);
}

/** The rules that a mutant replaces beside that of pages; `undefined` where it does something else as well. */
export function rulesBehind({ options }: Pick<Mutant, 'options'>): Partial<Rules> | undefined {
  const { rules, answer, settings } = options();
  if (answer !== undefined || settings !== undefined) return undefined;
  return Object.fromEntries(
    Object.entries(rules ?? {}).filter(
      ([name, rule]) => name !== 'presentRead' && contractRules[name as keyof Rules] !== rule,
    ),
  );
}

function byJudges(
  { exchanges, operationOf, facts }: Recorded,
  clause: ClauseId,
  changed: ReadonlyMap<number, Exchange>,
): string | undefined {
  const own = judges.filter(({ clauses }) => clauses.includes(clause));
  if (own.length === 0) return undefined;
  const operations = exchanges.map(({ client, exchange, operation }, index) => {
    const other = changed.get(exchange.id);
    return { ...(other === undefined ? operation : (operationOf(client, other) ?? operation)), index };
  });
  const world = worldOf({ facts, operations });
  const isNamed = own.some(({ judge }) => judge(world).anomalies.some((each) => each.clause === clause));
  return isNamed ? historyChecks.find(({ clauses }) => clauses.includes(clause))?.id : undefined;
}

function byRules(
  population: Population,
  clause: ClauseId,
  changed: ReadonlyMap<number, Exchange>,
): string | undefined {
  const rule = presenceRules.find((each) => each.clause === clause);
  if (rule === undefined) return undefined;
  const again = new Map(
    population.reads.map((read) => [read, readAgain(read, changed.get(read.exchange.id))]),
  );
  const of = (reads: readonly PopulationRead[]): PopulationRead[] =>
    reads.map((read) => again.get(read) ?? read);
  const { reads, first, soon, last } = population;
  const all = { ...population, reads: of(reads), first: of(first), soon: of(soon), last: of(last) };
  return rule.judge(all).problems.length > 0 ? `population.${rule.slug}` : undefined;
}

function readAgain(read: PopulationRead, exchange: Exchange | undefined): PopulationRead {
  return exchange === undefined ? read : { ...read, ...readPage(exchange) };
}

/** The exchange with another page; `undefined` where it is the same. */
function answeredWith(
  exchange: Exchange,
  { read, facts }: GivenPage,
  presentRead: PresentRead,
): Exchange | undefined {
  const changed = presentRead(read, facts);
  const { response } = exchange;
  if (response === undefined || isSame(read, changed)) return undefined;
  const list = facts.page.stream === 'channel' ? 'messages' : 'mentions';
  // What a parser would make of the text, but for fields that are undefined, which stand for absent ones.
  const json = { [list]: changed.items, page: changed.page };
  return { ...exchange, response: { ...response, json } };
}

function isSame(one: GivenPage['read'], other: GivenPage['read']): boolean {
  return (
    one.page === other.page &&
    one.items.length === other.items.length &&
    one.items.every((item, index) => item === other.items[index])
  );
}
